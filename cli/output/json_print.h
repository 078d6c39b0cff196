/* json_print.h - JSON on stdout. */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include <jansson.h>

/* A document and the end of its last line; flags are those of json_dumps. What a terminal would
 * obey is written as \uNNNN, which JSON reads as the same character: a pipe gets what a terminal
 * gets. EXIT_OK, or EXIT_FAILED after saying that there was no memory. */
int json_print(const json_t *root, size_t flags);

#endif
