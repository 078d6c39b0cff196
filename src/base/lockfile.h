/* lockfile.h - one process at a time: a file that its holder keeps locked. */
#ifndef BASE_LOCKFILE_H
#define BASE_LOCKFILE_H

#include "base/output.h"

#include <stdbool.h>

typedef struct LockFile {
    int fd; /* -1: not held */
    char path[OUTPUT_PATH_MAX];
} LockFile;

/* Take the lock of the file `path` (or what it links to), which is PATH-lock beside it, or
 * TACOS_BUSY with the holder's name. The system takes the lock back from a process that dies; the
 * file that is then left is as good as none. */
tacos_status lockfile_take(LockFile *lock, const char *path, tacos_error *err);
void lockfile_release(LockFile *lock);

#endif
