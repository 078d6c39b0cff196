/* dataset.h - labelled grey-scale images in memory. */
#ifndef DATA_DATASET_H
#define DATA_DATASET_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CLASSES_MAX = 4096 };

typedef struct Images {
    size_t n, height, width;
    uint8_t *pixels;   /* [n][height][width], 0 background, 255 full ink */
    uint16_t *labels;  /* [n], each below the data set's n_classes */
    size_t names_line; /* the header line of the CSV that they were read from, or 0 */
} Images;

typedef struct Dataset {
    Images train, test; /* the same height and width */
    size_t n_classes;
    uint32_t checksum; /* CRC-32 over all pixels and labels, train first: which data it was */
} Dataset;

/* Free and zero. */
void images_free(Images *images);
void dataset_free(Dataset *dataset);

/* Set height and width for n_pixels: a square if possible, else one row. */
void images_shape(Images *images, size_t n_pixels);

/* Sort by label; images of one class keep their order. */
tacos_status images_sort_by_class(Images *images, tacos_error *err);

/* Extend a CRC-32 over the pixels, then the labels, a byte each, or two (the low one first) if one
 * of them needs two. */
uint32_t images_checksum(uint32_t crc, const Images *images);

#endif
