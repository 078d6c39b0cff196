# tacos-config.cmake - find_package(tacos): tacos::shared, tacos::static, and tacos::tacos, which is the shared one
# unless TACOS_STATIC was set before.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/tacos-targets.cmake)
if(NOT TARGET tacos::tacos)
  add_library(tacos::tacos INTERFACE IMPORTED)
  if(TACOS_STATIC)
    target_link_libraries(tacos::tacos INTERFACE tacos::static)
  else()
    target_link_libraries(tacos::tacos INTERFACE tacos::shared)
  endif()
endif()
