/* omniglot.h - Omniglot: handwritten characters of many alphabets, from the zip files in which it
 * is published.
 *
 * A class is a character of an alphabet in a zip file, in the order of the files given, then of
 * the alphabets' names, then of the characters' numbers: the order within a zip file means nothing.
 * "Small 1" and "small 2" both have Greek and Latin, drawing for drawing the same; they are
 * different classes here, as 50 tasks of five need more classes than the 242 that differ. */
#ifndef DATA_OMNIGLOT_H
#define DATA_OMNIGLOT_H

#include "data/dataset.h"

enum { OMNIGLOT_SIDE = 28, OMNIGLOT_DRAWING_SIDE = 105 };
enum { OMNIGLOT_TRAIN = 15, OMNIGLOT_TEST = 5 };

/* Read zip files of FOLDER/ALPHABET/characterNN/NNNN_DD.png, where DD is who drew it. The first
 * n_train drawers are for training and the next n_test for testing; every character must have been
 * drawn once by each of them, and by nobody else. Folders have no entries of their own or have
 * them; what is in __MACOSX is passed over; any other name is an error. */
tacos_status omniglot_read(Dataset *out, const char *const *paths, size_t n_paths, size_t n_train,
                           size_t n_test, tacos_error *err);

/* "Small 1" and "small 2" from the folder omniglot of a data folder. */
tacos_status omniglot_load(Dataset *out, const char *folder, tacos_error *err);

#endif
