/* npy.c - NumPy arrays (format 1 to 3, C order): images [n][height][width][channels],
 * [n][height][width] or [n][pixels] of bytes, or of floats from 0 to 1; labels [n] of integers.
 * They are separate files, or entries of a zip file (.npz). */
#include "data/formats/formats.h"

#include "base/decimal.h"
#include "base/little_endian.h"
#include "data/formats/archive.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS_MAX = 4, HEADER_MAX = 4096 };

/* What the elements are. */
typedef enum Element {
    ELEMENT_U8,
    ELEMENT_I8,
    ELEMENT_I32,
    ELEMENT_I64,
    ELEMENT_F32,
    ELEMENT_F64
} Element;

static const struct {
    const char *descr; /* as NumPy writes it */
    Element element;
    size_t size;
} elements[] = {
    {"|u1", ELEMENT_U8, 1},  {"|i1", ELEMENT_I8, 1},  {"|b1", ELEMENT_U8, 1},
    {"<i4", ELEMENT_I32, 4}, {"<u4", ELEMENT_I32, 4}, {"<i8", ELEMENT_I64, 8},
    {"<u8", ELEMENT_I64, 8}, {"<f4", ELEMENT_F32, 4}, {"<f8", ELEMENT_F64, 8},
};

typedef struct Array {
    const char *path;
    Element element;
    size_t size; /* of an element */
    size_t n_dims, dims[DIMS_MAX];
    uint8_t *bytes; /* little-endian, as in the file */
} Array;

static tacos_status fail_array(const Array *array, const char *what, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%.300s: %s", array->path, what);
}

/* ---- the header, a Python dictionary ---- */

/* The text behind 'key':, or NULL. */
static const char *find_value(const char *header, const char *key) {
    char quoted[32];
    (void)snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(header, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

static tacos_status take_type(Array *array, const char *header, tacos_error *err) {
    const char *descr = find_value(header, "descr");
    for (size_t i = 0; descr && i < sizeof elements / sizeof *elements; i++)
        if (strncmp(descr + 1, elements[i].descr, 3) == 0 && descr[0] == '\'' && descr[4] == '\'') {
            array->element = elements[i].element;
            array->size = elements[i].size;
            return TACOS_OK;
        }
    return failure(err, TACOS_FORMAT,
                   "%.300s: elements of type %.10s are not read; uint8, int32, int64, float32 and "
                   "float64 are",
                   array->path, descr ? descr : "?");
}

static tacos_status take_shape(Array *array, const char *header, tacos_error *err) {
    const char *at = find_value(header, "shape"), *order = find_value(header, "fortran_order");
    size_t n_elements = 1;
    if (!order || strncmp(order, "False", 5) != 0)
        return fail_array(array, "it is in Fortran's order; numpy.ascontiguousarray helps", err);
    if (!at || *at++ != '(')
        return fail_array(array, "its header has no shape", err);
    while (*at && *at != ')') {
        char *end;
        unsigned long long n = strtoull(at, &end, 10);
        if (end == at || array->n_dims == DIMS_MAX)
            return fail_array(array, "it must have one to four dimensions", err);
        if (n == 0 || n > SET_BYTES_MAX / n_elements)
            return fail_array(array, "its size is out of range", err);
        n_elements *= (size_t)n;
        array->dims[array->n_dims++] = (size_t)n;
        at = end + strspn(end, ", ");
    }
    return array->n_dims > 0 ? TACOS_OK : fail_array(array, "it has no dimension", err);
}

static tacos_status read_header(Array *array, const ByteSource *source, tacos_error *err) {
    uint8_t start[10], header[HEADER_MAX + 1];
    size_t n, got;
    TRY(bytes_fill(source, start, sizeof start, &got, err));
    if (got != sizeof start || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
        return fail_array(array, "this is not a NumPy array", err);
    n = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1) { /* two more bytes of length */
        uint8_t more[2];
        TRY(bytes_fill(source, more, 2, &got, err));
        if (got != 2)
            return fail_array(array, "it is cut off", err);
        n |= (size_t)more[0] << 16 | (size_t)more[1] << 24;
    }
    if (n > HEADER_MAX)
        return fail_array(array, "its header is damaged", err);
    TRY(bytes_fill(source, header, n, &got, err));
    if (got != n)
        return fail_array(array, "its header is damaged", err);
    header[n] = '\0';
    TRY(take_type(array, (const char *)header, err));
    return take_shape(array, (const char *)header, err);
}

/* ---- elements ---- */

static size_t count(const Array *array) {
    size_t n = 1;
    for (size_t d = 0; d < array->n_dims; d++)
        n *= array->dims[d];
    return n;
}

static tacos_status read_elements(Array *array, const ByteSource *source, tacos_error *err) {
    size_t n = count(array) * array->size, got, extra;
    uint8_t one;
    TRY(bytes_take(source, n, &array->bytes, &got, err));
    if (got != n)
        return fail_array(array, "it is cut off", err);
    TRY(bytes_fill(source, &one, 1, &extra, err));
    return extra == 0 ? TACOS_OK : fail_array(array, "something comes after its end", err);
}

/* The caller frees the bytes, also after a failure. */
static tacos_status read_array(Array *array, const ByteSource *source, tacos_error *err) {
    *array = (Array){.path = source->name};
    TRY(read_header(array, source, err));
    return read_elements(array, source, err);
}

/* The i-th element as a number; bits are copied, so that nothing depends on alignment or order. */
static double element(const Array *array, size_t i) {
    uint64_t bits = little_endian_get(array->bytes + i * array->size, array->size);
    uint32_t half = (uint32_t)bits;
    float single;
    double number;
    switch (array->element) {
    case ELEMENT_U8:
        return (double)bits;
    case ELEMENT_I8:
        return (double)(int8_t)half;
    case ELEMENT_I32:
        return (double)(int32_t)half;
    case ELEMENT_I64:
        return (double)(int64_t)bits;
    case ELEMENT_F32:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case ELEMENT_F64:
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    return NAN;
}

/* ---- images and labels ---- */

static tacos_status take_pixels(Images *out, const Array *array, tacos_error *err) {
    size_t n = count(array);
    bool real = array->element == ELEMENT_F32 || array->element == ELEMENT_F64;
    out->pixels = malloc(n);
    if (!out->pixels)
        return failure(err, TACOS_MEMORY, "no memory for the images of %.300s", array->path);
    for (size_t i = 0; i < n; i++) {
        double value = element(array, i) * (real ? 255 : 1);
        if (!(value >= 0 && value <= 255))
            return fail_array(
                array,
                real ? "its floats must be from 0 to 1" : "its numbers must be from 0 to 255", err);
        out->pixels[i] = (uint8_t)floor(value + 0.5);
    }
    return TACOS_OK;
}

static tacos_status take_labels(Images *out, const Array *array, tacos_error *err) {
    if (array->n_dims != 1 || array->dims[0] != out->n)
        return failure(err, TACOS_FORMAT, "%.300s must be one label for each of the %zu images",
                       array->path, out->n);
    out->labels = malloc(out->n * sizeof *out->labels);
    if (!out->labels)
        return failure(err, TACOS_MEMORY, "no memory for the labels of %.300s", array->path);
    for (size_t i = 0; i < out->n; i++) {
        double label = element(array, i);
        if (!(label >= 0 && label < CLASSES_MAX && label == floor(label)))
            return failure(
                err, TACOS_FORMAT,
                "%.300s: label %zu (counting from 0) is %s; labels are whole numbers from "
                "0 to %d",
                array->path, i, REAL(label), CLASSES_MAX - 1);
        out->labels[i] = (uint16_t)label;
    }
    return TACOS_OK;
}

static tacos_status take_image_shape(Images *out, const Array *array, tacos_error *err) {
    const size_t *dims = array->dims;
    if (array->n_dims < 2)
        return fail_array(
            array, "images must be [n][height][width][channels], [n][height][width] or [n][pixels]",
            err);
    size_t channels = array->n_dims == 4 ? dims[3] : 1;
    size_t n_pixels = count(array) / dims[0] / channels;
    if (channels > CHANNELS_MAX)
        return failure(err, TACOS_FORMAT,
                       "%.300s: its last dimension, %zu, would be the channels, of which there are "
                       "at most %d; numpy.moveaxis(images, 1, -1) moves them there",
                       array->path, channels, CHANNELS_MAX);
    if (n_pixels > IMAGE_PIXELS_MAX)
        return fail_array(array, "an image has too many pixels", err);
    out->n = dims[0];
    if (array->n_dims == 2) {
        images_shape(out, n_pixels);
        return TACOS_OK;
    }
    out->height = dims[1];
    out->width = dims[2];
    out->channels = channels;
    return TACOS_OK;
}

static tacos_status take_both(Images *out, const Array *pixels, const Array *labels,
                              tacos_error *err) {
    TRY(take_image_shape(out, pixels, err));
    TRY(take_pixels(out, pixels, err));
    return take_labels(out, labels, err);
}

/* Both arrays, if reading them has given `status`; they are freed in any case. */
static tacos_status use_both(Images *out, tacos_status status, const Array *pixels,
                             const Array *labels, tacos_error *err) {
    Images images = {0};
    if (status == TACOS_OK)
        status = take_both(&images, pixels, labels, err);
    if (status == TACOS_OK)
        *out = images;
    else
        images_free(&images);
    free(pixels->bytes);
    free(labels->bytes);
    return status;
}

/* ---- files ---- */

static tacos_status read_file(Array *array, const char *path, tacos_error *err) {
    FILE *file;
    *array = (Array){.path = path};
    TRY(file_open(&file, path, err));
    ByteSource source = file_source(file, path);
    tacos_status status = read_array(array, &source, err);
    (void)fclose(file);
    return status;
}

tacos_status npy_read(Images *out, const char *images_path, const char *labels_path,
                      tacos_error *err) {
    Array pixels, labels = {0};
    tacos_status status = read_file(&pixels, images_path, err);
    if (status == TACOS_OK)
        status = read_file(&labels, labels_path, err);
    return use_both(out, status, &pixels, &labels, err);
}

/* ---- entries of a zip file ---- */

typedef struct EntryName {
    char text[400]; /* "PATH: images.npy" */
} EntryName;

static EntryName entry_name(const Archive *archive, const char *entry) {
    EntryName name;
    (void)snprintf(name.text, sizeof name.text, "%.300s: %s", archive->path, entry);
    return name;
}

static tacos_status read_entry(Array *array, const Archive *archive, const EntryName *name,
                               const char *wanted, tacos_error *err) {
    ArchiveEntry entry;
    size_t i = 0;
    *array = (Array){.path = name->text};
    TRY(archive_find(archive, wanted, &i, err));
    TRY(archive_entry_open(&entry, archive, i, err));
    ByteSource source = archive_entry_source(&entry, name->text);
    tacos_status status = read_array(array, &source, err);
    archive_entry_close(&entry);
    return status;
}

static tacos_status read_entries(Images *out, const Archive *archive, tacos_error *err) {
    EntryName images_name = entry_name(archive, "images.npy");
    EntryName labels_name = entry_name(archive, "labels.npy");
    Array pixels, labels = {0};
    tacos_status status = read_entry(&pixels, archive, &images_name, "images.npy", err);
    if (status == TACOS_OK)
        status = read_entry(&labels, archive, &labels_name, "labels.npy", err);
    return use_both(out, status, &pixels, &labels, err);
}

tacos_status npz_read(Images *out, const char *path, tacos_error *err) {
    Archive archive;
    TRY(archive_open(&archive, path, err));
    tacos_status status = read_entries(out, &archive, err);
    archive_close(&archive);
    return status;
}
