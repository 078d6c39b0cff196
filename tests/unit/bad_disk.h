/* bad_disk.h - a program whose disk fails when it is told to: the calls that write, in place of the
 * C library's. Include it in one file.
 *
 * stdio writes without them, so a stream that is opened to write is one of our own over the same
 * file. */
#ifndef TESTS_BAD_DISK_H
#define TESTS_BAD_DISK_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What goes wrong: an error number; of a write, whether half of it is done first; and whether the
 * disk is well again after one call. */
typedef struct Fault {
    const char *name;
    int number;
    bool half, once;
} Fault;

static const Fault faults[] = {{"no space", ENOSPC, false, false},
                               {"no space after half of it", ENOSPC, true, false},
                               {"broken", EIO, false, false},
                               {"broken for a moment", EIO, false, true}};
enum { N_FAULTS = sizeof faults / sizeof *faults };

static struct {
    const Fault *fault;
    atomic_size_t fail_at,
        count; /* the n-th call from now on fails, and all after it; 0: none does */
} disk;

/* A file is renamed only once it is flushed. */
static atomic_bool disk_dirty;
static atomic_size_t disk_careless; /* renames before that */

static inline void disk_begin(const Fault *fault, size_t fail_at) {
    disk.fault = fault;
    atomic_store(&disk.count, 0);
    atomic_store(&disk.fail_at, fail_at);
}

/* Whole again; says whether it had failed. */
static inline bool disk_end(void) {
    size_t fail_at = atomic_exchange(&disk.fail_at, 0);
    return fail_at > 0 && atomic_load(&disk.count) >= fail_at;
}

/* How a call fails: not, or with errno; *first: the first that does. */
static bool disk_fails(bool *first) {
    size_t fail_at = atomic_load(&disk.fail_at);
    if (fail_at == 0)
        return false;
    size_t turn = atomic_fetch_add(&disk.count, 1) + 1;
    *first = turn == fail_at;
    if (turn < fail_at || (turn > fail_at && disk.fault->once))
        return false;
    errno = disk.fault->number;
    return true;
}

/* The C library's own, which under a sanitizer is the sanitizer's. */
#define REAL(function, result, ...)                                                                \
    static result (*real)(__VA_ARGS__);                                                            \
    if (!real) {                                                                                   \
        void *found_ = dlsym(RTLD_NEXT, #function);                                                \
        memcpy(&real, &found_, sizeof found_);                                                     \
    }

/* ---- calls that write ---- */

#define WRITES(function, call, ...)                                                                \
    ssize_t function(__VA_ARGS__) {                                                                \
        bool first = false;                                                                        \
        REAL(function, ssize_t, __VA_ARGS__)                                                       \
        if (disk_fails(&first)) {                                                                  \
            int number = errno;                                                                    \
            if (!first || !disk.fault->half || n < 2)                                              \
                return -1;                                                                         \
            n /= 2;                                                                                \
            errno = number;                                                                        \
        }                                                                                          \
        atomic_store(&disk_dirty, true);                                                           \
        return real call;                                                                          \
    }

#define ACTS(function, note, call, ...)                                                            \
    int function(__VA_ARGS__) {                                                                    \
        bool first;                                                                                \
        REAL(function, int, __VA_ARGS__)                                                           \
        note;                                                                                      \
        return disk_fails(&first) ? -1 : real call;                                                \
    }

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at);
int ftruncate64(int fd, off64_t n);
WRITES(write, (fd, bytes, n), int fd, const void *bytes, size_t n)
WRITES(pwrite, (fd, bytes, n, at), int fd, const void *bytes, size_t n, off_t at)
WRITES(pwrite64, (fd, bytes, n, at), int fd, const void *bytes, size_t n, off64_t at)
ACTS(fsync, atomic_store(&disk_dirty, false), (fd), int fd)
ACTS(fdatasync, atomic_store(&disk_dirty, false), (fd), int fd)
ACTS(ftruncate, (void)0, (fd, n), int fd, off_t n)
ACTS(ftruncate64, (void)0, (fd, n), int fd, off64_t n)
ACTS(rename, disk_careless += atomic_load(&disk_dirty), (from, to), const char *from,
     const char *to)

/* ---- streams ---- */

typedef struct DiskStream {
    FILE *file;
    int fd;
} DiskStream;

static DiskStream disk_streams[8];

static ssize_t stream_write(void *cookie, const char *bytes, size_t n) {
    DiskStream *stream = cookie;
    size_t done = 0;
    while (done < n) {
        ssize_t k = write(stream->fd, bytes + done, n - done);
        if (k < 0)
            break;
        done += (size_t)k;
    }
    return (ssize_t)done; /* less than n is an error to stdio */
}

static int stream_close(void *cookie) {
    DiskStream *stream = cookie;
    int fd = stream->fd;
    stream->file = NULL;
    return close(fd);
}

static FILE *stream_over(int fd) {
    DiskStream *stream = disk_streams;
    while (stream->file)
        stream++;
    stream->fd = fd;
    stream->file = fopencookie(
        stream, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    return stream->file;
}

FILE *fopen(const char *path, const char *mode) {
    REAL(fopen, FILE *, const char *, const char *)
    if (mode[0] != 'w')
        return real(path, mode);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return fd < 0 ? NULL : stream_over(fd);
}

FILE *fdopen(int fd, const char *mode) {
    REAL(fdopen, FILE *, int, const char *)
    return mode[0] == 'w' ? stream_over(fd) : real(fd, mode);
}

int fileno(FILE *file) {
    REAL(fileno, int, FILE *)
    for (size_t k = 0; k < sizeof disk_streams / sizeof *disk_streams; k++)
        if (disk_streams[k].file == file)
            return disk_streams[k].fd;
    return real(file);
}

#endif
