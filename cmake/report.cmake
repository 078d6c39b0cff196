# report.cmake - the library of reports from its objects, in two forms:
#   tacos_report         libtacos_report.a, which exports only tacos_report_* and tacos_figure*
#   tacos_report_inside  all names, for tests, which also use internals of the core
#
# It uses the core through tacos.h, like any program, so it works with libtacos.a and libtacos.so alike. The few
# files of src/base that it needs are compiled into it, since the core does not export them.

# The style and script of the page are embedded.
set(REPORT_ASSETS ${PROJECT_SOURCE_DIR}/src/report/charts/chart.css ${PROJECT_SOURCE_DIR}/src/report/pages/page.css
                  ${PROJECT_SOURCE_DIR}/src/report/pages/page.js)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/report_assets.c
  COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/report_assets.c -DPREFIX=asset -DINCLUDE=report/charts/figure.h
          "-DFILES=${REPORT_ASSETS}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${REPORT_ASSETS} cmake/embed.cmake VERBATIM)

set(REPORT_NEEDS PkgConfig::JANSSON PkgConfig::LIBPNG PkgConfig::LIBMD m)
add_library(tacos_report_base OBJECT src/base/decimal.c src/base/files.c src/base/status.c)
foreach(objects tacos_report_objects tacos_report_base)
  target_include_directories(${objects} PRIVATE include src)
  target_link_libraries(${objects} PRIVATE tacos_flags ${REPORT_NEEDS})
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()

add_library(tacos_report_inside STATIC $<TARGET_OBJECTS:tacos_report_objects>)
target_include_directories(tacos_report_inside PUBLIC include)
target_link_libraries(tacos_report_inside PUBLIC tacos_inside ${REPORT_NEEDS})

set(REPORT_OBJECT ${PROJECT_BINARY_DIR}/libtacos_report.o)
add_custom_command(OUTPUT ${REPORT_OBJECT}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${REPORT_OBJECT}
          $<TARGET_OBJECTS:tacos_report_objects> $<TARGET_OBJECTS:tacos_report_base>
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=tacos_report_* --keep-global-symbol=tacos_figure* ${REPORT_OBJECT}
  DEPENDS tacos_report_objects $<TARGET_OBJECTS:tacos_report_objects>
          tacos_report_base $<TARGET_OBJECTS:tacos_report_base> COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${REPORT_OBJECT} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(tacos_report STATIC ${REPORT_OBJECT})
set_target_properties(tacos_report PROPERTIES LINKER_LANGUAGE C)
target_include_directories(tacos_report INTERFACE include)
target_link_libraries(tacos_report INTERFACE ${REPORT_NEEDS})
