/* cifar_png.c - converts CIFAR-10 from PNG to the files of its binary version.
 *
 * The package has a PNG for each of these files, 1024 pixels wide, with an image of 32 x 32 in
 * every row, and the labels of all training images and of all test images as JSON arrays. The order
 * is that of the binary version, so the files come out the same to the last byte. */
#include "commands/data_fetch.h"

#include "system/files.h"

#include <errno.h>
#include <jansson.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_FILE = 10000, PIXELS = 32 * 32, COLOURS = 3, CLASSES = 10 };

/* One file, and where its labels are. */
typedef struct Batch {
    const char *name, *labels;
    size_t n_labels, first;
} Batch;

static const Batch batches[] = {
    {"data_batch_1", "train_lables.json", 50000, 0}, /* [sic] */
    {"data_batch_2", "train_lables.json", 50000, 10000},
    {"data_batch_3", "train_lables.json", 50000, 20000},
    {"data_batch_4", "train_lables.json", 50000, 30000},
    {"data_batch_5", "train_lables.json", 50000, 40000},
    {"test_batch", "test_lables.json", 10000, 0},
};

/* ---- in ---- */

static int read_pixels(uint8_t *out, const char *path, char why[WHY_SIZE]) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return refuse(why, "%s: %s", path, image.message);
    if (image.width != PIXELS || image.height != PER_FILE) {
        png_image_free(&image);
        return refuse(why, "%s: it is %u x %u pixels, not %d x %d", path, (unsigned)image.width,
                      (unsigned)image.height, PIXELS, PER_FILE);
    }
    image.format = PNG_FORMAT_RGB;
    if (!png_image_finish_read(&image, NULL, out, 0, NULL))
        return refuse(why, "%s: %s", path, image.message);
    return 0;
}

static int check_labels(const json_t *labels, const char *path, size_t n, char why[WHY_SIZE]) {
    if (!json_is_array(labels) || json_array_size(labels) != n)
        return refuse(why, "%s: it is not an array of %zu labels", path, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *label = json_array_get(labels, i);
        json_int_t number = json_integer_value(label);
        if (!json_is_integer(label) || number < 0 || number >= CLASSES)
            return refuse(why, "%s: label %zu is not an integer from 0 to %d", path, i,
                          CLASSES - 1);
    }
    return 0;
}

static json_t *read_labels(const Batch *batch, const char *folder, char why[WHY_SIZE]) {
    char path[PATH_SIZE];
    json_error_t error;
    if (folder_path(path, folder, batch->labels) != 0) {
        (void)refuse(why, "%.200s: %s", folder, strerror(errno));
        return NULL;
    }
    json_t *labels = json_load_file(path, 0, &error);
    if (!labels) {
        (void)refuse(why, "%s: line %d: %s", path, error.line, error.text);
        return NULL;
    }
    if (check_labels(labels, path, batch->n_labels, why) != 0) {
        json_decref(labels);
        return NULL;
    }
    return labels;
}

/* ---- out ---- */

/* The label, then all that is red, all that is green, all that is blue. */
static void write_record(FILE *file, int label, const uint8_t *pixels) {
    uint8_t planes[COLOURS * PIXELS];
    for (size_t i = 0; i < PIXELS; i++)
        for (size_t k = 0; k < COLOURS; k++)
            planes[k * PIXELS + i] = pixels[i * COLOURS + k];
    (void)putc(label, file);
    (void)fwrite(planes, sizeof planes, 1, file);
}

static int write_batch(const Batch *batch, const json_t *labels, const uint8_t *pixels,
                       const char *folder, char why[WHY_SIZE]) {
    char path[PATH_SIZE], name[32];
    (void)snprintf(name, sizeof name, "%s.bin", batch->name);
    FILE *file = folder_path(path, folder, name) == 0 ? fopen(path, "wb") : NULL;
    if (!file)
        return refuse(why, "cannot create %s: %s", name, strerror(errno));
    for (size_t i = 0; i < PER_FILE; i++)
        write_record(file, (int)json_integer_value(json_array_get(labels, batch->first + i)),
                     pixels + i * COLOURS * PIXELS);
    int failed = ferror(file); /* of any write before */
    if (fclose(file) != 0 || failed)
        return refuse(why, "cannot write %s: %s", name, strerror(errno));
    return 0;
}

static int convert_batch(const Batch *batch, uint8_t *room, const char *from, const char *to,
                         char why[WHY_SIZE]) {
    char path[PATH_SIZE], name[32];
    (void)snprintf(name, sizeof name, "%s.png", batch->name);
    if (folder_path(path, from, name) != 0)
        return refuse(why, "%.200s: %s", from, strerror(errno));
    json_t *labels = read_labels(batch, from, why);
    if (!labels)
        return -1;
    int result = read_pixels(room, path, why);
    if (result == 0)
        result = write_batch(batch, labels, room, to, why);
    json_decref(labels);
    return result;
}

int cifar_png_convert(const char *png_folder, const char *out_folder, int (*stop)(void),
                      char why[WHY_SIZE]) {
    int result = 0;
    uint8_t *room = malloc((size_t)PER_FILE * PIXELS * COLOURS);
    if (!room)
        return refuse(why, "no memory for the images of CIFAR-10");
    for (size_t k = 0; k < sizeof batches / sizeof *batches && result == 0; k++)
        result = stop() ? refuse(why, "interrupted")
                        : convert_batch(&batches[k], room, png_folder, out_folder, why);
    free(room);
    return result;
}
