# install.cmake - cmake --install: the library for those who build with it (header, libtacos.so, libtacos.a, pkg-config,
# find_package) and the programs. The manual and the completions go beside the programs, where there are any.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(FILES include/tacos.h TYPE INCLUDE)
install(TARGETS tacos tacos_shared EXPORT tacos INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tacos_cli)
if(TARGET tacos_cli_mpi)
  install(TARGETS tacos_cli_mpi)
endif()

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tacos)
write_basic_package_version_file(tacos-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/tacos-config.cmake ${PROJECT_BINARY_DIR}/tacos-config-version.cmake DESTINATION ${folder})
install(EXPORT tacos NAMESPACE tacos:: FILE tacos-targets.cmake DESTINATION ${folder})

# The prefix is known only now, if it was given to cmake --install.
install(CODE "
  set(PROJECT_VERSION ${PROJECT_VERSION})
  set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
  set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tacos.pc.in ${PROJECT_BINARY_DIR}/tacos.pc @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/tacos.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
