/* fuzz_numbers.c - columns.csv of `tacos reproduce`, as `tacos plot` reads it; what is read becomes
 * a figure. */
#include "fuzz_page.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    folder_begin("columns.csv");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = NULL;
    tacos_error err = {0};
    HOLDS(ftruncate(file, 0) == 0 && pwrite(file, bytes, n, 0) == (ssize_t)n);
    tacos_status status = tacos_figure_draw("memory", name, 0, &text, &err);
    if (status == TACOS_OK)
        check_words(text, "</svg>\n");
    else
        check_failure(status, &err);
    tacos_figure_free(text);
    return 0;
}
