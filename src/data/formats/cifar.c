/* cifar.c - the binary version of CIFAR-10: records of a label and 3072 bytes of pixels, first all
 * that are red, then green, then blue. Files have no header; they end where a record does. */
#include "data/formats/formats.h"

#include "base/array.h"
#include "data/formats/gz.h"

#include <stdlib.h>

enum { PLANE = CIFAR_SIDE * CIFAR_SIDE, SIZE = COLOURS * PLANE, RECORD = 1 + SIZE };

typedef struct Reader {
    Images images;
    size_t pixel_room, label_room; /* in images */
} Reader;

/* The planes of a record become one image, colours side by side. */
static void interleave(const uint8_t *planes, uint8_t *pixels) {
    for (size_t i = 0; i < PLANE; i++)
        for (size_t k = 0; k < COLOURS; k++)
            pixels[i * COLOURS + k] = planes[k * PLANE + i];
}

static tacos_status add_record(Reader *reader, const uint8_t *record, const char *path,
                               tacos_error *err) {
    Images *images = &reader->images;
    if (record[0] >= CIFAR_CLASSES)
        return failure(err, TACOS_FORMAT, "%.300s: label %u is not below %d", path, record[0],
                       CIFAR_CLASSES);
    if (images->n >= SET_BYTES_MAX / SIZE)
        return failure(err, TACOS_FORMAT, "%.300s: with this file the data set is too large", path);
    if (!array_grow(&images->pixels, &reader->pixel_room, images->n + 1, SIZE) ||
        !array_grow(&images->labels, &reader->label_room, images->n + 1, sizeof *images->labels))
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    interleave(record + 1, images->pixels + images->n * SIZE);
    images->labels[images->n++] = record[0];
    return TACOS_OK;
}

static tacos_status read_records(Reader *reader, const ByteSource *source, tacos_error *err) {
    uint8_t record[RECORD];
    size_t before = reader->images.n;
    for (;;) {
        size_t n;
        TRY(bytes_fill(source, record, RECORD, &n, err));
        if (n == 0)
            break;
        if (n < RECORD)
            return failure(err, TACOS_FORMAT,
                           "%.300s is truncated: record %zu (counting from 0) has %zu of %d bytes",
                           source->name, reader->images.n - before, n, RECORD);
        TRY(add_record(reader, record, source->name, err));
    }
    if (reader->images.n == before)
        return failure(err, TACOS_FORMAT, "%.300s is empty", source->name);
    return TACOS_OK;
}

static tacos_status read_file(Reader *reader, const char *path, tacos_error *err) {
    char found[OUTPUT_PATH_MAX];
    struct gzFile_s *gz = NULL;
    TRY(gz_open_either(&gz, path, found, err));
    ByteSource source = gz_source(gz, found);
    tacos_status status = read_records(reader, &source, err);
    gz_close(gz);
    return status;
}

tacos_status cifar_read(Images *out, const char *const *paths, size_t n_paths, tacos_error *err) {
    Reader reader = {
        .images = {.height = CIFAR_SIDE, .width = CIFAR_SIDE, .channels = COLOURS},
    };
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < n_paths && status == TACOS_OK; i++)
        status = read_file(&reader, paths[i], err);
    if (status == TACOS_OK)
        *out = reader.images;
    else
        images_free(&reader.images);
    return status;
}
