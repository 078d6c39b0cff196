/* api_file.c - tacos.h: files of one writer at a time, and files that appear whole. */
#include "base/lockfile.h"

#include <stdlib.h>

struct tacos_lock {
    LockFile file;
};

tacos_status tacos_lock_take(tacos_lock **out, const char *path, tacos_error *err) {
    *out = NULL;
    if (!path || !*path)
        return failure(err, TACOS_INVALID, "no file was named to lock");
    tacos_lock *lock = malloc(sizeof *lock);
    if (!lock)
        return failure(err, TACOS_MEMORY, "no memory to lock %s", path);
    tacos_status status = lockfile_take(&lock->file, path, err);
    if (status == TACOS_OK)
        *out = lock;
    else
        free(lock);
    return status;
}

void tacos_lock_release(tacos_lock *lock) {
    if (!lock)
        return;
    lockfile_release(&lock->file);
    free(lock);
}

tacos_status tacos_file_write(const char *path, const void *bytes, size_t n, tacos_error *err) {
    return output_write(path, bytes, n, err);
}
