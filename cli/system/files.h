/* files.h - paths, folders, and files that are written atomically. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "tacos.h"

#include <stddef.h>
#include <stdio.h>

/* Write a sentence into `why`, the reason why something was not accepted; returns -1. */
enum { WHY_SIZE = 512 };
int refuse(char why[WHY_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- paths and folders ---- */

enum { PATH_SIZE = 4096 };

/* All return 0, or -1 with errno. */

/* "FOLDER/NAME" into out[PATH_SIZE]. */
int folder_path(char *out, const char *folder, const char *name);

/* Make a folder and those above it. */
int folder_make(const char *path);

/* Is there nothing in it, or no such folder? */
int folder_is_empty(const char *folder);

/* Look for a file in a folder and all below it; the folder that holds it goes to
 * out[PATH_SIZE]. ENOENT if there is none. */
int folder_find(char *out, const char *folder, const char *file);

/* Remove a folder and all in it. */
int folder_remove(const char *folder);

/* ---- files ---- */

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
