/* lockfile.c - flock(2) on a file beside the thing it protects. */
#define _DEFAULT_SOURCE /* flock */
#include "base/posix.h"

#include "base/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLDER_SIZE = 128 };

static tacos_status fail_held(int fd, const char *what, tacos_error *err) {
    char holder[HOLDER_SIZE] = "";
    ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? (size_t)n : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    return failure(err, TACOS_BUSY, "%.300s is in use by %s", what,
                   holder[0] ? holder : "another process");
}

static void sign(int fd) {
    char host[64] = "", text[HOLDER_SIZE];
    (void)gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
        return; /* the lock holds without a name too */
}

/* The holder before may have removed the file between our open and our lock. */
static bool is_still_there(int fd, const char *path) {
    struct stat ours, theirs;
    return fstat(fd, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino &&
           ours.st_dev == theirs.st_dev;
}

/* One that another user left behind may be locked without being written. */
static int open_lock(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return fd < 0 && errno == EACCES ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static tacos_status find_path(LockFile *lock, const char *path, tacos_error *err) {
    static const char ending[] = "-lock";
    TRY(output_resolve(path, lock->path, err));
    if (strlen(lock->path) + sizeof ending > sizeof lock->path)
        return failure(err, TACOS_RANGE, "the path %.100s... is too long", path);
    strcat(lock->path, ending);
    return TACOS_OK;
}

tacos_status lockfile_take(LockFile *lock, const char *path, tacos_error *err) {
    lock->fd = -1;
    TRY(find_path(lock, path, err));
    for (;;) {
        int fd = open_lock(lock->path);
        if (fd < 0)
            return failure_errno(err, "cannot write %s", lock->path);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            tacos_status status = errno == EWOULDBLOCK
                                      ? fail_held(fd, path, err)
                                      : failure_errno(err, "cannot lock %s", lock->path);
            (void)close(fd);
            return status;
        }
        if (is_still_there(fd, lock->path)) {
            sign(fd);
            lock->fd = fd;
            return TACOS_OK;
        }
        (void)close(fd);
    }
}

void lockfile_release(LockFile *lock) {
    if (lock->fd < 0)
        return;
    (void)unlink(lock->path);
    (void)close(lock->fd);
    lock->fd = -1;
}

/* ---- tacos_lock ---- */

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
