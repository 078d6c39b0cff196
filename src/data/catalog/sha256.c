/* sha256.c - checksums of files by libmd, unzipping by zlib. The file is streamed: the largest here
 * unzips to 47 MB, of which no more than a buffer is ever held. */
#include "data/catalog/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_BYTES = 1 << 16 };

void sha256_bytes(const void *bytes, size_t n, char hex[SHA256_HEX_SIZE]) {
    (void)SHA256_Data(bytes, n, hex);
}

tacos_status sha256_file(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    unsigned char buffer[BUFFER_BYTES];
    SHA256_CTX context;
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return failure_errno(err, "cannot open %s", path);
    SHA256_Init(&context);
    while ((n = read(fd, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            tacos_status status = failure_errno(err, "cannot read %s", path);
            (void)close(fd);
            return status;
        }
        SHA256_Update(&context, buffer, (size_t)n);
    }
    (void)close(fd);
    (void)SHA256_End(&context, hex);
    return TACOS_OK;
}

/* What went wrong with the stream, told apart: a disk that cannot be read, or a damaged file. */
static tacos_status fail_gzip(gzFile stream, const char *path, tacos_error *err) {
    int code;
    const char *text = gzerror(stream, &code);
    if (code == Z_ERRNO)
        return failure_errno(err, "cannot read %s", path);
    if (code == Z_MEM_ERROR)
        return failure(err, TACOS_MEMORY, "no memory to unzip %s", path);
    if (code == Z_BUF_ERROR)
        return failure(err, TACOS_FORMAT, "%s ends too early", path);
    return failure(err, TACOS_FORMAT, "cannot unzip %s", text);
}

tacos_status sha256_content(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    unsigned char buffer[BUFFER_BYTES];
    SHA256_CTX context;
    int n, code;
    gzFile stream = gzopen(path, "rbe"); /* e: not for the programs we start */
    if (!stream)
        return failure_errno(err, "cannot open %s", path);
    SHA256_Init(&context);
    while ((n = gzread(stream, buffer, sizeof buffer)) > 0)
        SHA256_Update(&context, buffer, (size_t)n);
    /* A file cut short reads as an early end without an error, so the end is checked too. */
    (void)gzerror(stream, &code);
    if (n < 0 || (code != Z_OK && code != Z_STREAM_END)) {
        tacos_status status = fail_gzip(stream, path, err);
        (void)gzclose_r(stream);
        return status;
    }
    if (gzclose_r(stream) != Z_OK)
        return failure(err, TACOS_FORMAT, "%s ends too early", path);
    (void)SHA256_End(&context, hex);
    return TACOS_OK;
}
