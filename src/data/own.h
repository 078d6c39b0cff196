/* own.h - data sets of one's own: a folder with files in one of five forms. docs/data.md describes
 * them.
 *
 *   train.csv, test.csv                     label, then pixels from 0 to 255, one image a line
 *   train.npz, test.npz                     NumPy arrays `images` and `labels` in one file each
 *   {train,test}-{images,labels}.npy        the same, each a file
 *   {train,t10k}-images-idx3-ubyte, ...     IDX, plain or .gz, as MNIST has it
 *   {train,test}/LABEL/...                  a file a sample: PNG, or events of a camera */
#ifndef DATA_OWN_H
#define DATA_OWN_H

#include "data/dataset.h"

/* Images of a folder, in the files' order. */
tacos_status own_load(Dataset *out, const char *folder, tacos_error *err);

/* csv.c, npy.c, samples.c: one half each. */
tacos_status csv_read(Images *out, const char *path, tacos_error *err);
tacos_status npy_read(Images *out, const char *images_path, const char *labels_path,
                      tacos_error *err);
tacos_status npz_read(Images *out, const char *path, tacos_error *err);
tacos_status samples_read(Images *out, const char *set, const char *half, tacos_error *err);

/* own.c: n pixels as a square if they make one, else as a line. */
void images_shape(Images *images, size_t n_pixels);

/* No image has more pixels, no set more bytes of them: what is above is a broken file. */
enum { OWN_PIXELS_MAX = 1 << 20 };
#define OWN_BYTES_MAX ((size_t)1 << 34)

#endif
