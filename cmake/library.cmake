# library.cmake - the library from its objects, in three forms:
#   tacos         libtacos.a, which exports only tacos_*
#   tacos_shared  libtacos.so, likewise
#   tacos_inside  all names, for tests and tacos-mpi, which use internals; not installed
#
# The number in the soname is that of the interface; docs/library.md says when it is incremented.
set(TACOS_INTERFACE 0)

# Libraries needed here, and by programs that link libtacos.a.
set(TACOS_NEEDS SQLite::SQLite3 PkgConfig::LIBZIP PkgConfig::LIBPNG ZLIB::ZLIB PkgConfig::LIBMD)
set(TACOS_NEEDS_INSTALLED sqlite3 zip png z md)

target_include_directories(tacos_objects PUBLIC include PRIVATE src)
target_link_libraries(tacos_objects PRIVATE tacos_flags ${TACOS_NEEDS})
# All forms have the same objects. Each function has its own section, so that a program linked with --gc-sections keeps
# only those it uses; and since hidden names cannot be replaced, calls may be inlined.
set_target_properties(tacos_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(tacos_objects PRIVATE -ffunction-sections -fdata-sections -fno-semantic-interposition)

add_library(tacos_inside STATIC $<TARGET_OBJECTS:tacos_objects>)
target_include_directories(tacos_inside PUBLIC include)
target_link_libraries(tacos_inside PUBLIC ${TACOS_NEEDS} ${CMAKE_DL_LIBS} m Threads::Threads)

# All objects become one, in which names are local unless they begin with tacos_. Without --unique the linker would merge
# the sections of static functions with the same name, which many files have, and using one would keep all of them.
set(TACOS_OBJECT ${PROJECT_BINARY_DIR}/libtacos.o)
add_custom_command(OUTPUT ${TACOS_OBJECT}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -Wl,--unique -o ${TACOS_OBJECT} $<TARGET_OBJECTS:tacos_objects>
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=tacos_* ${TACOS_OBJECT}
  DEPENDS tacos_objects $<TARGET_OBJECTS:tacos_objects> COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${TACOS_OBJECT} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(tacos STATIC ${TACOS_OBJECT})
set_target_properties(tacos PROPERTIES LINKER_LANGUAGE C EXPORT_NAME static)
target_include_directories(tacos INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_libraries(tacos INTERFACE "$<BUILD_INTERFACE:${TACOS_NEEDS}>" "$<INSTALL_INTERFACE:${TACOS_NEEDS_INSTALLED}>"
                      ${CMAKE_DL_LIBS} m Threads::Threads)

set(TACOS_MAP ${PROJECT_SOURCE_DIR}/cmake/tacos.map)
add_library(tacos_shared SHARED $<TARGET_OBJECTS:tacos_objects>)
set_target_properties(tacos_shared PROPERTIES OUTPUT_NAME tacos EXPORT_NAME shared LINK_DEPENDS ${TACOS_MAP}
                      VERSION ${TACOS_INTERFACE}.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH} SOVERSION ${TACOS_INTERFACE})
target_include_directories(tacos_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_options(tacos_shared PRIVATE LINKER:--version-script=${TACOS_MAP} LINKER:--gc-sections)
target_link_libraries(tacos_shared PRIVATE tacos_flags ${TACOS_NEEDS} ${CMAKE_DL_LIBS} m Threads::Threads)
