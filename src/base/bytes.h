/* bytes.h - bytes from untrusted files: no size is trusted, and memory grows with the bytes
 * actually read. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where bytes come from: a file, perhaps gzipped, or an entry of a zip file. `read` gives up to n
 * of them, and 0 only at the end. */
typedef struct ByteSource {
    tacos_status (*read)(const struct ByteSource *source, uint8_t *to, size_t n, size_t *got,
                         tacos_error *err);
    void *user;
    const char *name; /* what errors call it */
} ByteSource;

/* Up to n bytes; fewer only at the end. */
tacos_status bytes_fill(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                        tacos_error *err);

/* Up to `limit` bytes, for the caller to free. Takes at most twice their memory, plus
 * BYTES_FIRST. */
enum { BYTES_FIRST = 1 << 12 };
tacos_status bytes_take(const ByteSource *source, size_t limit, uint8_t **out, size_t *got,
                        tacos_error *err);

/* Folders, devices and pipes are refused before anything waits for them; links are followed. */
tacos_status file_check(const char *path, tacos_error *err);
tacos_status file_open(FILE **out, const char *path, tacos_error *err);
ByteSource file_source(FILE *file, const char *path);

/* An open descriptor of any kind; a pipe or a terminal gives what is there and waits only for the
 * first byte. */
ByteSource fd_source(int *fd, const char *name);

/* A whole file of at most `limit` bytes. */
typedef struct Bytes {
    uint8_t *at; /* [n], the caller's to free */
    size_t n;
} Bytes;
tacos_status file_take(Bytes *out, const char *path, size_t limit, tacos_error *err);

#endif
