/* idx.c - the IDX format of the MNIST family: a big-endian header, then bytes; plain or gzipped.
 *
 * Headers are not trusted until the bytes have been read: sizes are bounded, memory grows with the
 * bytes read, and the file must end where the header says. */
#include "data/formats/formats.h"

#include "data/formats/gz.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SIDE_MAX = 4096, COUNT_MAX = 100000000 };
enum { DIMS_MAX = 3, HEADER_MAX = 4 + 4 * DIMS_MAX };

/* The two kinds of file. The magic's last byte is the number of dimensions. */
typedef struct Kind {
    uint32_t magic;
    const char *items;   /* what it counts */
    const char *content; /* what its bytes are */
} Kind;
static const Kind kind_images = {0x00000803, "images", "pixels"};
static const Kind kind_labels = {0x00000801, "labels", "labels"};

typedef struct Source {
    const Kind *kind;
    char path[OUTPUT_PATH_MAX]; /* of the file that was opened, with ".gz" if it has it */
    struct gzFile_s *gz;
    ByteSource bytes_of;
    uint32_t dims[DIMS_MAX]; /* images: n, height, width; labels: n, 1, 1 */
    uint8_t *bytes;          /* [dims[0]][dims[1]][dims[2]] */
} Source;

static tacos_status source_open(Source *source, const char *path, tacos_error *err) {
    TRY(gz_open_either(&source->gz, path, source->path, err));
    source->bytes_of = gz_source(source->gz, source->path);
    return TACOS_OK;
}

static void source_close(Source *source) {
    gz_close(source->gz);
    free(source->bytes);
}

static uint32_t big_endian(const uint8_t *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static tacos_status read_header(Source *source, tacos_error *err) {
    const Kind *kind = source->kind;
    size_t n_dims = kind->magic & 0xff, n_bytes = 4 + 4 * n_dims, n_read;
    uint8_t header[HEADER_MAX];

    TRY(bytes_fill(&source->bytes_of, header, n_bytes, &n_read, err));
    if (n_read >= 4 && big_endian(header) != kind->magic)
        return failure(err, TACOS_FORMAT,
                       "%s is not an IDX file of %s: it starts with 0x%08x, expected 0x%08x",
                       source->path, kind->items, (unsigned)big_endian(header),
                       (unsigned)kind->magic);
    if (n_read < n_bytes)
        return failure(err, TACOS_FORMAT,
                       "%s is truncated: it holds %zu bytes, an IDX header of %s has %zu",
                       source->path, n_read, kind->items, n_bytes);
    for (size_t i = 0; i < DIMS_MAX; i++)
        source->dims[i] = i < n_dims ? big_endian(header + 4 + 4 * i) : 1;

    uint32_t n = source->dims[0], height = source->dims[1], width = source->dims[2];
    if (n == 0)
        return failure(err, TACOS_FORMAT, "%s is empty: its header promises 0 %s", source->path,
                       kind->items);
    if (n > COUNT_MAX)
        return failure(err, TACOS_FORMAT, "%s promises %u %s, which exceeds the limit of %d",
                       source->path, (unsigned)n, kind->items, COUNT_MAX);
    if (height == 0 || height > SIDE_MAX || width == 0 || width > SIDE_MAX)
        return failure(err, TACOS_FORMAT,
                       "%s promises images of %u x %u pixels, each side must be from 1 to %d",
                       source->path, (unsigned)height, (unsigned)width, SIDE_MAX);
    return TACOS_OK;
}

/* Read what the header promised. A short file with a lying header costs little memory. */
static tacos_status read_content(Source *source, tacos_error *err) {
    uint64_t promised = (uint64_t)source->dims[0] * source->dims[1] * source->dims[2];
    const char *content = source->kind->content;
    size_t n, n_extra;
    uint8_t extra;
    if (promised > SIZE_MAX)
        return failure(err, TACOS_FORMAT,
                       "%s promises %" PRIu64 " bytes of %s, too many for this machine",
                       source->path, promised, content);
    TRY(bytes_take(&source->bytes_of, (size_t)promised, &source->bytes, &n, err));
    if (n < promised)
        return failure(err, TACOS_FORMAT,
                       "%s is truncated: it holds %zu bytes of %s, its header promises %" PRIu64,
                       source->path, n, content, promised);
    /* Reading on also makes zlib check its own checksum. */
    TRY(bytes_fill(&source->bytes_of, &extra, 1, &n_extra, err));
    if (n_extra > 0)
        return failure(err, TACOS_FORMAT,
                       "%s is too long: more bytes follow the %" PRIu64
                       " of %s that its header promises",
                       source->path, promised, content);
    return TACOS_OK;
}

static tacos_status source_read(Source *source, const char *path, tacos_error *err) {
    TRY(source_open(source, path, err));
    TRY(read_header(source, err));
    return read_content(source, err);
}

static tacos_status check_labels(const Source *images, const Source *labels, size_t n_classes,
                                 tacos_error *err) {
    if (images->dims[0] != labels->dims[0])
        return failure(err, TACOS_FORMAT, "%s holds %u images, but %s holds %u labels",
                       images->path, (unsigned)images->dims[0], labels->path,
                       (unsigned)labels->dims[0]);
    for (size_t i = 0; i < labels->dims[0]; i++)
        if (labels->bytes[i] >= n_classes)
            return failure(err, TACOS_FORMAT,
                           "%s: label %zu (counting from 0) is %u, labels must be below %zu",
                           labels->path, i, (unsigned)labels->bytes[i], n_classes);
    return TACOS_OK;
}

static tacos_status read_both(Source *images, Source *labels, const char *images_path,
                              const char *labels_path, size_t n_classes, tacos_error *err) {
    TRY(source_read(labels, labels_path, err)); /* the short one first: it fails sooner */
    TRY(source_read(images, images_path, err));
    return check_labels(images, labels, n_classes, err);
}

static tacos_status widen(const Source *labels, uint16_t **out, tacos_error *err) {
    size_t n = labels->dims[0];
    uint16_t *wide = malloc(n * sizeof *wide + 1);
    if (!wide)
        return failure(err, TACOS_MEMORY, "no memory for %zu labels", n);
    for (size_t i = 0; i < n; i++)
        wide[i] = labels->bytes[i];
    *out = wide;
    return TACOS_OK;
}

tacos_status idx_read(Images *out, const char *images_path, const char *labels_path,
                      size_t n_classes, tacos_error *err) {
    Source images = {.kind = &kind_images}, labels = {.kind = &kind_labels};
    uint16_t *wide = NULL;
    tacos_status status = read_both(&images, &labels, images_path, labels_path, n_classes, err);
    if (status == TACOS_OK)
        status = widen(&labels, &wide, err);
    if (status == TACOS_OK) {
        *out = (Images){
            .n = images.dims[0],
            .height = images.dims[1],
            .width = images.dims[2],
            .channels = 1,
            .pixels = images.bytes,
            .labels = wide,
        };
        images.bytes = NULL; /* they belong to the caller now */
    }
    source_close(&images);
    source_close(&labels);
    return status;
}
