/* output.h - files that appear whole or not at all. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/status.h"

#include <stdio.h>

enum { OUTPUT_PATH_MAX = 4096 };

/* A file being written beside its final name. */
typedef struct Output {
    FILE *file;
    char path[OUTPUT_PATH_MAX], temporary[OUTPUT_PATH_MAX];
} Output;

tacos_status output_open(Output *output, const char *path, tacos_error *err);

/* Flush to the disk and rename into place; on failure the old file, if any, is untouched. */
tacos_status output_commit(Output *output, tacos_error *err);
void output_abandon(Output *output);

/* Make a folder and those above it. */
tacos_status output_make_folder(const char *path, tacos_error *err);

/* Make a folder that must not be there yet, and those above it: of two who try, one succeeds. */
tacos_status output_new_folder(const char *path, tacos_error *err);

/* Read a whole file of at most `limit` bytes into a terminated string (malloc). */
tacos_status input_read_text(const char *path, size_t limit, char **out, tacos_error *err);

#endif
