/* sha256.c - file checksums through libmd. Files are streamed: the largest unpacks to 47 MB, of
 * which only one buffer is in memory. */
#include "data/catalog/sha256.h"

#include "data/formats/bytes.h"

#include <sha256.h>

enum { BUFFER_BYTES = 1 << 16 };

void sha256_bytes(const void *bytes, size_t n, char hex[SHA256_HEX_SIZE]) {
    (void)SHA256_Data(bytes, n, hex);
}

static tacos_status sum_up(const ByteSource *source, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    uint8_t buffer[BUFFER_BYTES];
    SHA256_CTX context;
    size_t n = 0;
    SHA256_Init(&context);
    do {
        TRY(source->read(source, buffer, sizeof buffer, &n, err));
        SHA256_Update(&context, buffer, n);
    } while (n > 0);
    (void)SHA256_End(&context, hex);
    return TACOS_OK;
}

tacos_status sha256_file(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    ByteSource source = file_source(file, path);
    tacos_status status = sum_up(&source, hex, err);
    (void)fclose(file);
    return status;
}

tacos_status sha256_content(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    struct gzFile_s *gz;
    TRY(gz_open(&gz, path, err));
    ByteSource source = gz_source(gz, path);
    tacos_status status = sum_up(&source, hex, err);
    gz_close(gz);
    return status;
}
