/* formats.h - one reader per file format; docs/data.md describes the formats.
 *
 * Each reads one half of a data set, train or test, in the order of the file. */
#ifndef DATA_FORMATS_FORMATS_H
#define DATA_FORMATS_FORMATS_H

#include "data/dataset.h"

/* An image with more pixels, or a set with more bytes of them, is taken for a broken file. */
enum { IMAGE_PIXELS_MAX = 1 << 20 };
#define SET_BYTES_MAX ((size_t)1 << 34)

/* An image file and its label file, plain or gzip; a missing "x" is looked for as "x.gz". Checks
 * magic, sizes against the file's true length, equal counts and label range. */
tacos_status idx_read(Images *out, const char *images_path, const char *labels_path,
                      size_t n_classes, tacos_error *err);

/* One image per line: label, then pixels from 0 to 255. */
tacos_status csv_read(Images *out, const char *path, tacos_error *err);

/* NumPy arrays `images` and `labels`: a file each, or both in one .npz. */
tacos_status npy_read(Images *out, const char *images_path, const char *labels_path,
                      tacos_error *err);
tacos_status npz_read(Images *out, const char *path, tacos_error *err);

/* SET/HALF/LABEL/FILE: one PNG or event camera recording per sample. */
tacos_status image_folder_read(Images *out, const char *set, const char *half, tacos_error *err);

#endif
