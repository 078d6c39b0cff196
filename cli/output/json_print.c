/* json_print.c - through print.h, for which a line of JSON is a text like any other. */
#include "output/json_print.h"

#include "cli.h"
#include "terminal/print.h"

#include <stdlib.h>

int json_print(const json_t *root, size_t flags) {
    char *text = json_dumps(root, flags);
    if (!text) {
        cli_error("no memory to print JSON");
        return EXIT_FAILED;
    }
    print_lines(text);
    putchar('\n');
    free(text);
    return EXIT_OK;
}
