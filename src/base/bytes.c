/* bytes.c - reads files into a buffer that grows by doubling. */
#include "base/posix.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tacos_status bytes_fill(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                        tacos_error *err) {
    *got = 0;
    while (*got < n) {
        size_t more = 0;
        TRY(source->read(source, to + *got, n - *got, &more, err));
        if (more == 0)
            break;
        *got += more;
    }
    return TACOS_OK;
}

static tacos_status take(const ByteSource *source, size_t limit, uint8_t **out, size_t *got,
                         tacos_error *err) {
    size_t room = 0;
    *got = 0;
    while (*got == room && room < limit) {
        size_t more = 0;
        room = room == 0 ? BYTES_FIRST : room > limit / 2 ? limit : 2 * room;
        room = room < limit ? room : limit;
        uint8_t *bytes = realloc(*out, room);
        if (!bytes)
            return failure(err, TACOS_MEMORY, "no memory to read %.300s", source->name);
        *out = bytes;
        TRY(bytes_fill(source, bytes + *got, room - *got, &more, err));
        *got += more;
    }
    return TACOS_OK;
}

tacos_status bytes_take(const ByteSource *source, size_t limit, uint8_t **out, size_t *got,
                        tacos_error *err) {
    *out = NULL;
    tacos_status status = take(source, limit, out, got, err);
    if (status != TACOS_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- files ---- */

tacos_status file_check(const char *path, tacos_error *err) {
    struct stat info;
    if (stat(path, &info) != 0)
        return failure_errno(err, "cannot read %.300s", path);
    if (!S_ISREG(info.st_mode))
        return failure(err, TACOS_FORMAT, "%.300s is not a file%s", path,
                       S_ISDIR(info.st_mode) ? " but a folder" : "");
    return TACOS_OK;
}

tacos_status file_open(FILE **out, const char *path, tacos_error *err) {
    TRY(file_check(path, err));
    *out = fopen(path, "rbe");
    return *out ? TACOS_OK : failure_errno(err, "cannot read %.300s", path);
}

static tacos_status read_file(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                              tacos_error *err) {
    FILE *file = source->user;
    *got = fread(to, 1, n, file);
    return ferror(file) ? failure_errno(err, "cannot read %.300s", source->name) : TACOS_OK;
}

ByteSource file_source(FILE *file, const char *path) {
    return (ByteSource){.read = read_file, .user = file, .name = path};
}

static tacos_status read_fd(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                            tacos_error *err) {
    const int *fd = source->user;
    ssize_t n_read;
    do
        n_read = read(*fd, to, n);
    while (n_read < 0 && errno == EINTR);
    *got = n_read > 0 ? (size_t)n_read : 0;
    return n_read >= 0 ? TACOS_OK : failure_errno(err, "cannot read %.300s", source->name);
}

ByteSource fd_source(int *fd, const char *name) {
    return (ByteSource){.read = read_fd, .user = fd, .name = name};
}

tacos_status file_take(Bytes *out, const char *path, size_t limit, tacos_error *err) {
    FILE *file;
    *out = (Bytes){0};
    TRY(file_open(&file, path, err));
    ByteSource source = file_source(file, path);
    tacos_status status = bytes_take(&source, limit + 1, &out->at, &out->n, err);
    (void)fclose(file);
    if (status == TACOS_OK && out->n > limit) {
        status = failure(err, TACOS_FORMAT, "%.300s exceeds the limit of %zu bytes", path, limit);
        free(out->at);
        *out = (Bytes){0};
    }
    return status;
}
