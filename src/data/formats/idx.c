/* idx.c - the IDX format of the MNIST family: a big-endian header, then bytes.
 *
 * Files come from anywhere, so nothing of a header is believed until the bytes are there: sizes
 * are bounded, memory grows with what was really read, and the end must come where promised.
 * zlib reads plain and gzip files alike. */
#include "data/formats/formats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIDE_MAX = 4096, COUNT_MAX = 100000000 };
enum { DIMS_MAX = 3, HEADER_MAX = 4 + 4 * DIMS_MAX };
enum { FIRST_CHUNK = 1 << 20, READ_MAX = 1 << 30, GZIP_BUFFER = 1 << 17 };

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
    char *path; /* of the file that was opened, with ".gz" if it has it */
    gzFile gz;
    uint32_t dims[DIMS_MAX]; /* images: n, height, width; labels: n, 1, 1 */
    uint8_t *bytes;          /* [dims[0]][dims[1]][dims[2]] */
} Source;

typedef struct Digits {
    char text[32];
} Digits;

/* 47040000 is hard to read and 47,040,000 is not. */
static Digits digits(uint64_t value) {
    Digits out;
    size_t at = sizeof out.text;
    unsigned n = 0;
    out.text[--at] = '\0';
    do {
        if (n > 0 && n % 3 == 0)
            out.text[--at] = ',';
        out.text[--at] = (char)('0' + value % 10);
        n++;
    } while (value /= 10);
    memmove(out.text, out.text + at, sizeof out.text - at);
    return out;
}

static tacos_status source_open(Source *source, const char *path, tacos_error *err) {
    size_t length = strlen(path);
    source->path = malloc(length + sizeof ".gz");
    if (!source->path)
        return failure(err, TACOS_MEMORY, "no memory to open %s", path);
    memcpy(source->path, path, length + 1);
    errno = 0;
    source->gz = gzopen(source->path, "rb");
    if (!source->gz && errno == ENOENT) {
        memcpy(source->path + length, ".gz", sizeof ".gz");
        source->gz = gzopen(source->path, "rb");
        if (!source->gz && errno == ENOENT)
            return failure_errno(err, "cannot open %s or %s", path, source->path);
    }
    if (!source->gz && errno == 0) /* zlib's own way of having no memory */
        return failure(err, TACOS_MEMORY, "no memory to open %s", source->path);
    if (!source->gz)
        return failure_errno(err, "cannot open %s", source->path);
    (void)gzbuffer(source->gz, GZIP_BUFFER);
    return TACOS_OK;
}

static void source_close(Source *source) {
    if (source->gz)
        (void)gzclose_r(source->gz);
    free(source->path);
    free(source->bytes);
    *source = (Source){0};
}

/* Why zlib stopped, if not for the end of the file. */
static tacos_status check_stream(const Source *source, tacos_error *err) {
    int code = Z_OK;
    const char *why = gzerror(source->gz, &code);
    size_t length = strlen(source->path);
    if (code == Z_OK || code == Z_STREAM_END)
        return TACOS_OK;
    if (code == Z_ERRNO)
        return failure_errno(err, "cannot read %s", source->path);
    if (code == Z_MEM_ERROR)
        return failure(err, TACOS_MEMORY, "no memory to read %s", source->path);
    if (code == Z_BUF_ERROR)
        return failure(err, TACOS_FORMAT, "%s is truncated: its gzip data ends too early",
                       source->path);
    if (strncmp(why, source->path, length) == 0 && strncmp(why + length, ": ", 2) == 0)
        why += length + 2; /* zlib names the file too; once is enough */
    return failure(err, TACOS_FORMAT, "%s is corrupt: its gzip data cannot be read (%s)",
                   source->path, why);
}

/* Read n bytes, or what there is up to the end of the file. */
static tacos_status read_bytes(Source *source, uint8_t *to, size_t n, size_t *n_read,
                               tacos_error *err) {
    *n_read = 0;
    while (*n_read < n) {
        size_t want = n - *n_read < READ_MAX ? n - *n_read : READ_MAX;
        int got = gzread(source->gz, to + *n_read, (unsigned)want);
        if (got <= 0)
            return check_stream(source, err);
        *n_read += (size_t)got;
    }
    return TACOS_OK;
}

static uint32_t big_endian(const uint8_t *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static tacos_status read_header(Source *source, tacos_error *err) {
    const Kind *kind = source->kind;
    size_t n_dims = kind->magic & 0xff, n_bytes = 4 + 4 * n_dims, n_read;
    uint8_t header[HEADER_MAX];

    TRY(read_bytes(source, header, n_bytes, &n_read, err));
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
        return failure(err, TACOS_FORMAT, "%s promises %s %s, more than the %s that can be right",
                       source->path, digits(n).text, kind->items, digits(COUNT_MAX).text);
    if (height == 0 || height > SIDE_MAX || width == 0 || width > SIDE_MAX)
        return failure(err, TACOS_FORMAT,
                       "%s promises images of %s x %s pixels, each side must be from 1 to %s",
                       source->path, digits(height).text, digits(width).text,
                       digits(SIDE_MAX).text);
    return TACOS_OK;
}

/* Read what the header promised. The buffer doubles as bytes arrive, so that a short file with a
 * lying header costs little memory. */
static tacos_status read_content(Source *source, tacos_error *err) {
    uint64_t promised = (uint64_t)source->dims[0] * source->dims[1] * source->dims[2];
    size_t capacity = 0, n = 0, n_read;
    if (promised > SIZE_MAX)
        return failure(err, TACOS_FORMAT, "%s promises %s bytes of %s, too many for this machine",
                       source->path, digits(promised).text, source->kind->content);
    while (n < promised) {
        capacity = capacity == 0 ? FIRST_CHUNK : capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity * 2;
        if (capacity > promised)
            capacity = (size_t)promised;
        uint8_t *bytes = realloc(source->bytes, capacity);
        if (!bytes)
            return failure(err, TACOS_MEMORY, "no memory for %s bytes of %s", digits(capacity).text,
                           source->path);
        source->bytes = bytes;
        TRY(read_bytes(source, bytes + n, capacity - n, &n_read, err));
        n += n_read;
        if (n < capacity)
            return failure(err, TACOS_FORMAT,
                           "%s is truncated: it holds %s bytes of %s, its header promises %s",
                           source->path, digits(n).text, source->kind->content,
                           digits(promised).text);
    }
    uint8_t extra;
    TRY(read_bytes(source, &extra, 1, &n_read, err)); /* also makes zlib check its own sum */
    if (n_read > 0)
        return failure(err, TACOS_FORMAT,
                       "%s is too long: more bytes follow the %s of %s that its header promises",
                       source->path, digits(promised).text, source->kind->content);
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
        return failure(err, TACOS_FORMAT, "%s holds %s images, but %s holds %s labels",
                       images->path, digits(images->dims[0]).text, labels->path,
                       digits(labels->dims[0]).text);
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
            .pixels = images.bytes,
            .labels = wide,
        };
        images.bytes = NULL; /* they belong to the caller now */
    }
    source_close(&images);
    source_close(&labels);
    return status;
}
