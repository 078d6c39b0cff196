# harden.cmake - make memory errors harder to exploit in optimised builds: checked copies, stack protection, restricted
# jumps, randomised addresses, read-only relocations. Sanitizers have their own checks; distributions that bring their own
# flags use -DTACOS_HARDEN=OFF.
if(NOT TACOS_HARDEN OR TACOS_SANITIZE OR NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  return()
endif()

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)

check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Level 3 checks sizes that are known only at run time; the C library warns if the compiler does not support it.
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <string.h>\nint main(void) { return 0; }" TACOS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
target_compile_options(tacos_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${TACOS_FORTIFY_3}>,3,2>)

foreach(flag stack-protector-strong stack-clash-protection cf-protection)
  string(MAKE_C_IDENTIFIER TACOS_${flag} known)
  check_c_compiler_flag(-f${flag} ${known})
  if(${known})
    target_compile_options(tacos_flags INTERFACE -f${flag})
  endif()
endforeach()

target_link_options(tacos_flags INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
