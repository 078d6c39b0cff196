/* sha256.c - file checksums through libmd. Files are streamed: the largest unpacks to 47 MB, of
 * which only one buffer is in memory. */
#include "data/catalog/sha256.h"

#include "base/little_endian.h"
#include "data/formats/archive.h"
#include "data/formats/gz.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- zip files ---- */

static tacos_status add_entries(const Archive *archive, const ArchiveList *list,
                                SHA256_CTX *context, tacos_error *err) {
    uint8_t *bytes = malloc(ARCHIVE_ROOM), size[8];
    tacos_status status =
        bytes ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory to read %s", archive->path);
    for (size_t i = 0; i < list->n && status == TACOS_OK; i++) {
        size_t n = 0;
        status = archive_read(archive, list->items[i].entry, bytes, &n, err);
        little_endian_put(size, n, sizeof size);
        SHA256_Update(context, (const uint8_t *)list->items[i].name,
                      strlen(list->items[i].name) + 1);
        SHA256_Update(context, size, sizeof size);
        SHA256_Update(context, bytes, status == TACOS_OK ? n : 0);
    }
    free(bytes);
    return status;
}

tacos_status sha256_entries(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err) {
    Archive archive;
    ArchiveList list;
    SHA256_CTX context;
    TRY(archive_open(&archive, path, err));
    tacos_status status = archive_list(&archive, ".wav", &list, err);
    if (status == TACOS_OK) {
        SHA256_Init(&context);
        status = add_entries(&archive, &list, &context, err);
        (void)SHA256_End(&context, hex);
        free(list.items);
    }
    if (status != TACOS_OK)
        hex[0] = '\0';
    archive_close(&archive);
    return status;
}
