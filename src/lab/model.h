/* model.h - every learner by its name: the spiking variants of net/params.h, and the rivals. */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "base/keys.h"

/* One key, `model`; its field is an int. */
extern const KeyTable model_table;

/* As many as model_count(). */
size_t model_count(void);
const char *model_name(int model);
const char *model_about(int model);

/* Not a variant of the spiking network. */
bool model_is_rival(int model);

/* The number of a rival's method in rivals/rival.h. */
size_t model_method(int model);

/* The number of a variant in net/params.h; for a rival that of the plain network, whose spikes it
 * may read. */
int model_spiking(int model);

#endif
