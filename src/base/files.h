/* files.h - files that appear whole or not at all, locks, folders and paths.
 *
 * A file is written beside its final name, as NAME.tmp-K, and locked (flock) meanwhile. So the
 * remains of a killed process are recognised by being unlocked, across processes, containers and
 * hosts; the next writer of NAME removes them. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

enum { OUTPUT_PATH_MAX = 4096 };

/* A file being written beside its final name. */
typedef struct Output {
    FILE *file;
    char path[OUTPUT_PATH_MAX];
    char temporary[OUTPUT_PATH_MAX]; /* "": `path` is a device or a pipe, written as it is */
} Output;

/* A symbolic link is followed: what it points to is replaced. */
tacos_status output_open(Output *output, const char *path, tacos_error *err);

/* Flush to the disk and rename into place; on failure the old file, if any, is untouched. */
tacos_status output_commit(Output *output, tacos_error *err);
void output_abandon(Output *output);

/* tacos_file_write of tacos.h is the same in one go. */

/* FOLDER/NAME with `ending` ("" for none) behind it; a path that is too long is an error. */
tacos_status path_join(char out[OUTPUT_PATH_MAX], const char *folder, const char *name,
                       const char *ending, tacos_error *err);

/* What a symbolic link points to; any other path as it is. */
tacos_status output_resolve(const char *path, char out[OUTPUT_PATH_MAX], tacos_error *err);

/* Remove a temporary file unless somebody is writing it. */
void output_remove_stale(const char *temporary);

/* The length of NAME in "NAME.tmp-K", 0 for a name of another form. */
size_t output_temporary_stem(const char *name);

/* Create a folder and its parents. */
tacos_status output_make_folder(const char *path, tacos_error *err);

/* Create a folder that must not exist yet, and its parents: of two who try, one succeeds. */
tacos_status output_new_folder(const char *path, tacos_error *err);

/* Read a whole file of at most `limit` bytes into a terminated string (malloc), without the byte
 * order mark that it may begin with. UTF-16 and zero bytes are errors. */
tacos_status input_read_text(const char *path, size_t limit, char **out, tacos_error *err);

/* ---- one process at a time: a file that its holder keeps locked ---- */

typedef struct LockFile {
    int fd; /* -1: not held */
    char path[OUTPUT_PATH_MAX];
} LockFile;

/* Take the lock of the file `path` (or what it links to), which is PATH-lock beside it, or
 * TACOS_BUSY with the holder's name. The system releases the lock of a process that dies; the
 * file that is then left has no effect. */
tacos_status lockfile_take(LockFile *lock, const char *path, tacos_error *err);
void lockfile_release(LockFile *lock);

#endif
