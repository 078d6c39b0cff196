/* whole_file.h - a file that is printed to, and appears whole or not at all. */
#ifndef CLI_WHOLE_FILE_H
#define CLI_WHOLE_FILE_H

#include "tacos.h"

#include <stdio.h>

typedef struct WholeFile {
    FILE *out; /* into memory */
    char *bytes;
    size_t n;
} WholeFile;

tacos_status whole_file_open(WholeFile *file, const char *path, tacos_error *err);

/* Write what was printed to `path`: tacos_file_write. */
tacos_status whole_file_close(WholeFile *file, const char *path, tacos_error *err);

/* What `from` holds, from its beginning, as a file at `path`. */
tacos_status whole_file_copy(FILE *from, const char *path, tacos_error *err);

/* A file without a name that holds `text` and is read from its beginning; NULL, and errno. */
FILE *nameless_file(const char *text);

/* TACOS_MEMORY, with a sentence. */
tacos_status whole_file_no_memory(const char *path, tacos_error *err);

#endif
