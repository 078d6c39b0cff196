/* fashion_json.c - converts Fashion-MNIST from JSON to IDX files.
 *
 * The package has one file per class, {"data": [[784 integers 0..255], ...]}, with 7,000 images
 * each and two empty rows in class 0. It does not say which images are for testing, nor their order
 * across classes. So images 0, 7, 14, ... of a class become test images, and the IDX files are
 * sorted by class. */
#include "commands/data_fetch.h"

#include "system/files.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 10, PER_CLASS = 7000, SIDE = 28, PIXELS = SIDE * SIDE, TEST_EVERY = 7 };

typedef struct Clothes {
    uint8_t pixels[CLASSES][PER_CLASS][PIXELS];
} Clothes;

/* ---- JSON in --------------------------------------------------------------------------------- */

static int read_image(uint8_t *out, const json_t *row, const char *path, size_t index,
                      char why[WHY_SIZE]) {
    if (json_array_size(row) != PIXELS)
        return refuse(why, "%s: row %zu has %zu numbers instead of %d", path, index,
                      json_array_size(row), PIXELS);
    for (size_t i = 0; i < PIXELS; i++) {
        const json_t *value = json_array_get(row, i);
        json_int_t number = json_integer_value(value);
        if (!json_is_integer(value) || number < 0 || number > 255)
            return refuse(why, "%s: row %zu: value %zu is not an integer from 0 to 255", path,
                          index, i);
        out[i] = (uint8_t)number;
    }
    return 0;
}

static int read_rows(uint8_t (*out)[PIXELS], const json_t *rows, const char *path,
                     char why[WHY_SIZE]) {
    size_t n = 0;
    if (!json_is_array(rows))
        return refuse(why, "%s: it has no array \"data\"", path);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (json_is_array(row) && json_array_size(row) == 0)
            continue;
        if (n == PER_CLASS)
            return refuse(why, "%s: more than %d images", path, PER_CLASS);
        if (read_image(out[n++], row, path, i, why) != 0)
            return -1;
    }
    if (n != PER_CLASS)
        return refuse(why, "%s: %zu images instead of %d", path, n, PER_CLASS);
    return 0;
}

static int read_class(uint8_t (*out)[PIXELS], const char *folder, int class_index,
                      char why[WHY_SIZE]) {
    char path[PATH_SIZE], name[32];
    json_error_t error;
    (void)snprintf(name, sizeof name, "%d.json", class_index);
    if (folder_path(path, folder, name) != 0)
        return refuse(why, "%.200s: %s", folder, strerror(errno));
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        return refuse(why, "%s: line %d: %s", path, error.line, error.text);
    int result = read_rows(out, json_object_get(root, "data"), path, why);
    json_decref(root);
    return result;
}

/* ---- IDX out --------------------------------------------------------------------------------- */

static void put_big_endian(FILE *file, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        (void)putc((int)(value >> shift & 0xff), file);
}

static FILE *create(const char *folder, const char *name) {
    char path[PATH_SIZE];
    return folder_path(path, folder, name) == 0 ? fopen(path, "wb") : NULL;
}

/* Errors of the writes before are kept by stdio and come out here. */
static int finish(FILE *file, const char *name, char why[WHY_SIZE]) {
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        return refuse(why, "cannot write %s: %s", name, strerror(errno));
    return 0;
}

/* One half of the split: `train` or `t10k`. */
typedef struct Half {
    const char *images, *labels;
    int is_test;
} Half;

static const Half halves[] = {
    {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", 0},
    {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", 1},
};

static uint32_t half_size(const Half *half) {
    uint32_t n_test = PER_CLASS / TEST_EVERY;
    return CLASSES * (half->is_test ? n_test : PER_CLASS - n_test);
}

static int belongs(const Half *half, size_t image) {
    return (image % TEST_EVERY == 0) == half->is_test;
}

static int write_labels(const Half *half, const char *folder, char why[WHY_SIZE]) {
    FILE *file = create(folder, half->labels);
    if (!file)
        return refuse(why, "cannot create %s: %s", half->labels, strerror(errno));
    put_big_endian(file, 0x801); /* bytes, 1 dimension */
    put_big_endian(file, half_size(half));
    for (int c = 0; c < CLASSES; c++)
        for (size_t i = 0; i < PER_CLASS; i++)
            if (belongs(half, i))
                (void)putc(c, file);
    return finish(file, half->labels, why);
}

static int write_images(const Half *half, const Clothes *clothes, const char *folder,
                        char why[WHY_SIZE]) {
    FILE *file = create(folder, half->images);
    if (!file)
        return refuse(why, "cannot create %s: %s", half->images, strerror(errno));
    put_big_endian(file, 0x803); /* bytes, 3 dimensions */
    put_big_endian(file, half_size(half));
    put_big_endian(file, SIDE);
    put_big_endian(file, SIDE);
    for (int c = 0; c < CLASSES; c++)
        for (size_t i = 0; i < PER_CLASS; i++)
            if (belongs(half, i))
                (void)fwrite(clothes->pixels[c][i], PIXELS, 1, file);
    return finish(file, half->images, why);
}

static int convert(Clothes *clothes, const char *from, const char *to, int (*stop)(void),
                   char why[WHY_SIZE]) {
    for (int c = 0; c < CLASSES; c++) {
        if (stop())
            return refuse(why, "interrupted");
        if (read_class(clothes->pixels[c], from, c, why) != 0)
            return -1;
    }
    for (size_t k = 0; k < sizeof halves / sizeof *halves; k++)
        if (write_images(&halves[k], clothes, to, why) != 0 ||
            write_labels(&halves[k], to, why) != 0)
            return -1;
    return 0;
}

int fashion_json_convert(const char *json_folder, const char *out_folder, int (*stop)(void),
                         char why[WHY_SIZE]) {
    Clothes *clothes = malloc(sizeof *clothes); /* 55 MB */
    if (!clothes)
        return refuse(why, "no memory for the images of Fashion-MNIST");
    int result = convert(clothes, json_folder, out_folder, stop, why);
    free(clothes);
    return result;
}
