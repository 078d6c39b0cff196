# version.cmake - TACOS_VERSION, as include/tacos.h has it.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/tacos.h TACOS_VERSION
     REGEX "define TACOS_VERSION_(MAJOR|MINOR|PATCH) ")
list(TRANSFORM TACOS_VERSION REPLACE "[^0-9]" "")
list(JOIN TACOS_VERSION "." TACOS_VERSION)
