/* lookalike.h - images that cost a network what those of a data set do, where it is not installed.
 *
 * Not meant to look like anything: a blob with as many pixels lit, as brightly, in as compact a
 * place as in the data set, of a shape that tells its class. For measuring speed alone. */
#ifndef DATA_LOOKALIKE_H
#define DATA_LOOKALIKE_H

#include "data/dataset.h"

enum { LOOKALIKE_SIDE = 28, LOOKALIKE_CLASSES = 10 };

/* n images for training and n for testing, sorted by class as dataset_load does. The name is
 * "mnist" or "fashion". */
tacos_status lookalike_make(Dataset *out, const char *name, size_t n, tacos_error *err);

#endif
