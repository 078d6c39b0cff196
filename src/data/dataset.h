/* dataset.h - labelled grey-scale images in memory, and where they come from. */
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
    size_t names_line; /* of the CSV that they were read from: where it names its columns, or 0 */
} Images;

typedef struct Dataset {
    Images train, test; /* the same height and width */
    size_t n_classes;
    uint32_t checksum; /* CRC-32 over all pixels and labels, train first: which data it was */
} Dataset;

/* idx.c: read an image file and its label file (plain or gzip; a missing "x" is looked for as
 * "x.gz"). Checks magic, sizes against the file's true length, equal counts and label range. */
tacos_status idx_read(Images *out, const char *images_path, const char *labels_path,
                      size_t n_classes, tacos_error *err);

/* glyphs.c: the built-in set of ten symbols, 28 x 28. */
enum { GLYPHS_CLASSES = 10, GLYPHS_SIDE = 28 };
void glyphs_draw(uint32_t seed, unsigned class_index, uint64_t image,
                 uint8_t out[GLYPHS_SIDE * GLYPHS_SIDE]);
tacos_status glyphs_make(Dataset *out, uint32_t seed, tacos_error *err);

/* dataset.c: load a known data set by name from a data folder, or make the built-in one. Images
 * come sorted by class, in the file's order within each, so that the order in which a file mixes
 * the classes means nothing. */
tacos_status dataset_load(Dataset *out, const char *name, const char *dir, tacos_error *err);

/* images.c: free and zero; and carry a CRC-32 on over the pixels, then the labels, each a byte, or
 * two (the low one first) if one of them needs two. */
void images_free(Images *images);
void dataset_free(Dataset *dataset);
tacos_status images_sort_by_class(Images *images, tacos_error *err);
uint32_t images_checksum(uint32_t crc, const Images *images);

#endif
