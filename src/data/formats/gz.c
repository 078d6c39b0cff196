/* gz.c - gzipped files as sources of bytes. */
#include "data/formats/gz.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { GZ_BUFFER = 1 << 17, GZ_READ_MAX = 1 << 30 };

tacos_status gz_open(struct gzFile_s **out, const char *path, tacos_error *err) {
    errno = 0;
    *out = gzopen(path, "rbe"); /* e: not for the programs we start */
    if (!*out && errno == 0)    /* how zlib reports that it has no memory */
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    if (!*out)
        return failure_errno(err, "cannot read %.300s", path);
    (void)gzbuffer(*out, GZ_BUFFER);
    return TACOS_OK;
}

tacos_status gz_open_either(struct gzFile_s **out, const char *path, char found[OUTPUT_PATH_MAX],
                            tacos_error *err) {
    struct stat info;
    bool missing = stat(path, &info) != 0 && errno == ENOENT;
    int n = snprintf(found, OUTPUT_PATH_MAX, "%s%s", path, missing ? ".gz" : "");
    if (n < 0 || n >= OUTPUT_PATH_MAX)
        return failure(err, TACOS_RANGE, "the path %.100s... is too long", path);
    if (missing && stat(found, &info) != 0 && errno == ENOENT)
        return failure_errno(err, "cannot open %s or %s", path, found);
    return gz_open(out, found, err);
}

/* Why zlib stopped, if not for the end of the file. */
static tacos_status check_gz(const ByteSource *source, tacos_error *err) {
    int code = Z_OK;
    const char *why = gzerror(source->user, &code);
    size_t length = strlen(source->name);
    if (code == Z_OK || code == Z_STREAM_END)
        return TACOS_OK;
    if (code == Z_ERRNO)
        return failure_errno(err, "cannot read %.300s", source->name);
    if (code == Z_MEM_ERROR)
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", source->name);
    if (code == Z_BUF_ERROR)
        return failure(err, TACOS_FORMAT, "%.300s is truncated: its gzip data ends too early",
                       source->name);
    if (strncmp(why, source->name, length) == 0 && strncmp(why + length, ": ", 2) == 0)
        why += length + 2; /* zlib names the file too */
    return failure(err, TACOS_FORMAT, "%.300s is corrupt: its gzip data cannot be read (%s)",
                   source->name, why);
}

static tacos_status read_gz(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                            tacos_error *err) {
    int n_read = gzread(source->user, to, (unsigned)(n < GZ_READ_MAX ? n : GZ_READ_MAX));
    *got = n_read > 0 ? (size_t)n_read : 0;
    return n_read > 0 ? TACOS_OK : check_gz(source, err);
}

ByteSource gz_source(struct gzFile_s *gz, const char *path) {
    return (ByteSource){.read = read_gz, .user = gz, .name = path};
}

void gz_close(struct gzFile_s *gz) {
    if (gz)
        (void)gzclose_r(gz);
}
