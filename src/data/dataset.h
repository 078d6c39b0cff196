/* dataset.h - labelled images in memory: grey, or with several channels such as red, green and
 * blue.
 */
#ifndef DATA_DATASET_H
#define DATA_DATASET_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLASSES_MAX = 4096, CHANNELS_MAX = 4, COLOURS = 3 /* red, green and blue */ };

typedef struct Images {
    size_t n, height, width;
    size_t channels;   /* 1 to CHANNELS_MAX; three are COLOURS */
    uint8_t *pixels;   /* [n][height][width][channels], 0 background, 255 full ink */
    uint16_t *labels;  /* [n], each below the data set's n_classes */
    size_t names_line; /* the header line of the CSV that they were read from, or 0 */
    double full, most; /* of a CSV: the value that became 255, and the largest; 0: it was none */
    size_t n_ignored;  /* files of a folder that are not samples: hidden ones, Thumbs.db ... */
} Images;

/* The names of classes 0, 1, 2 ... */
typedef struct ClassNames {
    size_t n; /* 0: they have none */
    char **at;
} ClassNames;

typedef struct Dataset {
    Images train, test; /* the same height, width and channels */
    ClassNames names;
    size_t n_classes;
    bool test_from_train; /* there was no test part: it was split off ... */
    double test_fraction; /* ... as this fraction of each class */
    uint32_t checksum;    /* CRC-32 over all pixels and labels, train first: which data it was */
} Dataset;

/* Free and zero. */
void images_free(Images *images);
void dataset_free(Dataset *dataset);
void class_names_free(ClassNames *names);

/* The bytes of one image. */
static inline size_t images_size(const Images *images) {
    return images->height * images->width * images->channels;
}

/* Grey pixels become red, green and blue, all as bright: n pixels in room for 3 n, or images. */
void pixels_add_colour(uint8_t *pixels, size_t n);
tacos_status images_add_colour(Images *images, tacos_error *err);

/* Set the shape of grey images of n_pixels: a square if possible, else one row. */
void images_shape(Images *images, size_t n_pixels);

/* Sort by label; images of one class keep their order. */
tacos_status images_sort_by_class(Images *images, tacos_error *err);

/* Move a fraction of each class, evenly over its images in their order, to `out`: with 0.2 every
 * fifth. */
tacos_status images_split(Images *images, double fraction, Images *out, tacos_error *err);

/* Extend a CRC-32 over the pixels, then the labels, a byte each, or two (the low one first) if one
 * of them needs two. */
uint32_t images_checksum(uint32_t crc, const Images *images);

#endif
