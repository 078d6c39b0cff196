# install.cmake - cmake --install: the library for those who build with it (header, libtacos.so, libtacos.a, pkg-config,
# find_package) and the programs with their manual and completions.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(FILES include/tacos.h include/tacos_lab.h TYPE INCLUDE)
install(TARGETS tacos tacos_shared EXPORT tacos INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tacos_cli)
if(TARGET tacos_cli_mpi)
  install(TARGETS tacos_cli_mpi)
endif()

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tacos)
write_basic_package_version_file(tacos-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/tacos-config.cmake ${PROJECT_BINARY_DIR}/tacos-config-version.cmake DESTINATION ${folder})
install(EXPORT tacos NAMESPACE tacos:: FILE tacos-targets.cmake DESTINATION ${folder})

# For pkg-config --static the libraries are named, not their own .pc files: those would ask for what they in turn are made
# of, which who links them shared does not need and may not have. The prefix is known only now, if it was given to
# cmake --install.
list(TRANSFORM TACOS_NEEDS_INSTALLED PREPEND -l OUTPUT_VARIABLE libraries)
list(JOIN libraries " " libraries)
install(CODE "
  set(libraries \"${libraries}\")
  set(PROJECT_VERSION ${PROJECT_VERSION})
  set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
  set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tacos.pc.in ${PROJECT_BINARY_DIR}/tacos.pc @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/tacos.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What the program says about itself; it must run here for that.
if(NOT CMAKE_CROSSCOMPILING AND NOT TACOS_SANITIZE AND NOT TACOS_FUZZ)
  set(folder ${PROJECT_BINARY_DIR}/share)
  add_custom_command(OUTPUT ${folder}/man/man1/tacos.1
    COMMAND ${PROJECT_SOURCE_DIR}/tools/share $<TARGET_FILE:tacos_cli> ${folder}
    DEPENDS tacos_cli tools/share tools/man VERBATIM)
  add_custom_target(tacos_share ALL DEPENDS ${folder}/man/man1/tacos.1)
  if(TARGET tacos_cli_mpi)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR})
  else()
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR} PATTERN tacos-mpi.1 EXCLUDE)
  endif()
endif()
