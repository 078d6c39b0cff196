# cuda.cmake - src/cuda, everything but the kernels, and tacos-cuda where nvcc is found.
#
# The language CUDA is not enabled: the one file that needs nvcc is compiled by a command, so that a C compiler is enough
# for all the rest.
sources(CUDA_BACKEND src/cuda)
set(CUDA_RUNS ${CUDA_BACKEND})
list(FILTER CUDA_RUNS INCLUDE REGEX "/(batch|device|shown|student)\\.c$")
list(REMOVE_ITEM CUDA_BACKEND ${CUDA_RUNS} ${PROJECT_SOURCE_DIR}/src/cuda/emulate.c)

# tacos_cuda_library(NAME SOURCE...) - the library over these, which implement src/cuda/gpu.h: CUDA_BACKEND with a machine,
# or a test's own.
function(tacos_cuda_library name)
  add_library(${name} STATIC ${CUDA_RUNS} ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE tacos_flags PUBLIC tacos_inside)
endfunction()

# tacos_cuda_program(NAME LIBRARY) - the program with that library.
function(tacos_cuda_program name library)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/cli/cluster_none.c ${PROJECT_SOURCE_DIR}/cli/device_cuda.c)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME tacos-cuda)
  target_link_libraries(${name} PRIVATE tacos_commands ${library})
endfunction()

file(GLOB KERNELS CONFIGURE_DEPENDS src/cuda/*.cu)
if(NOT TACOS_CUDA OR NOT KERNELS OR TACOS_SANITIZE OR TACOS_FUZZ)
  return()
endif()
find_package(CUDAToolkit QUIET)
if(NOT CUDAToolkit_FOUND OR NOT TARGET CUDA::cudart_static)
  return()
endif()

# For the H200 and its like, and for what has at least the features of an A100, compiled when it is first used.
set(NVCC ${CUDAToolkit_NVCC_EXECUTABLE} -O3 -std=c++17 -fmad=false -Xcompiler=-fPIC,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics
    -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)
set(NVCC_MACHINES -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_80,code=compute_80)

# Debian's nvcc may be older than its compiler, or older than the GPUs above.
set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/probe.cu)
if(NOT DEFINED TACOS_NVCC_WORKS)
  file(WRITE ${probe} "__global__ void kernel(void) {}\n")
  execute_process(COMMAND ${NVCC} ${NVCC_MACHINES} -c ${probe} -o ${probe}.o RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(works OFF)
    message(STATUS "tacos-cuda is not built: ${CUDAToolkit_NVCC_EXECUTABLE} cannot compile for its GPUs")
  else()
    set(works ON)
  endif()
  set(TACOS_NVCC_WORKS ${works} CACHE INTERNAL "nvcc compiles for the GPUs of tacos-cuda")
endif()
if(NOT TACOS_NVCC_WORKS)
  return()
endif()

set(CUDA_OBJECTS)
foreach(file IN LISTS KERNELS)
  get_filename_component(name ${file} NAME_WE)
  set(object ${PROJECT_BINARY_DIR}/cuda/${name}.o)
  add_custom_command(OUTPUT ${object} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/cuda
    COMMAND ${NVCC} ${NVCC_MACHINES} -MD -MF ${object}.d -c ${file} -o ${object}
    DEPENDS ${file} DEPFILE ${object}.d VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  list(APPEND CUDA_OBJECTS ${object})
endforeach()
tacos_cuda_library(tacos_cuda ${CUDA_BACKEND} ${CUDA_OBJECTS})
target_link_libraries(tacos_cuda PUBLIC CUDA::cudart_static)
tacos_cuda_program(tacos_cli_cuda tacos_cuda)
