/* formats.h - one reader per file format; docs/data.md describes the formats.
 *
 * Each reads one half of a data set, train or test, in the order of the file. */
#ifndef DATA_FORMATS_FORMATS_H
#define DATA_FORMATS_FORMATS_H

#include "data/dataset.h"

#include <stdbool.h>

/* An image with more pixels, or a set with more bytes of them, is taken for a broken file. */
enum { IMAGE_PIXELS_MAX = 1 << 20 };
#define SET_BYTES_MAX ((size_t)1 << 34)

/* An image file and its label file, plain or gzip; a missing "x" is looked for as "x.gz". Checks
 * magic, sizes against the file's true length, equal counts and label range. */
tacos_status idx_read(Images *out, const char *images_path, const char *labels_path,
                      size_t n_classes, tacos_error *err);

/* The binary version of CIFAR-10: files of records, each a label and an image of 32 x 32 in red, in
 * green and in blue; plain or gzip, a missing "x" is looked for as "x.gz". */
enum { CIFAR_SIDE = 32, CIFAR_CLASSES = 10 };
tacos_status cifar_read(Images *out, const char *const *paths, size_t n_paths, tacos_error *err);

/* How values of CSV files become pixels. */
typedef struct CsvScale {
    double full; /* the value that becomes 255; 0: csv_read finds it out and puts it here */
    bool stated; /* larger ones are an error; otherwise they become 255, too */
} CsvScale;

/* One image per line: label, then values from 0. Found out is a scale of 1 if no value is larger;
 * of 255 if none is larger than that; and otherwise of the largest value. */
tacos_status csv_read(Images *out, const char *path, CsvScale *scale, tacos_error *err);

/* NumPy arrays `images` and `labels`: a file each, or both in one .npz. */
tacos_status npy_read(Images *out, const char *images_path, const char *labels_path,
                      tacos_error *err);
tacos_status npz_read(Images *out, const char *path, tacos_error *err);

/* SET/HALF/LABEL/FILE: one PNG or event camera recording per sample. */
tacos_status image_folder_read(Images *out, const char *set, const char *half, tacos_error *err);

/* The names of the classes of such a folder; none if they are numbers. */
tacos_status image_folder_names(ClassNames *out, const char *set, tacos_error *err);

#endif
