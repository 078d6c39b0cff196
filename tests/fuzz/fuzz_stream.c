/* fuzz_stream.c - stream.json, as `tacos report` reads it; what is read becomes a page. */
#include "fuzz_page.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    folder_begin("stream.json");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    make_page(bytes, n);
    return 0;
}
