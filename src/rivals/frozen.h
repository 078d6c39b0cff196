/* frozen.h - the fixed features on which a linear method learns: the inputs themselves, or a frozen
 * random layer of ReLU units or of cosines. */
#ifndef RIVALS_FROZEN_H
#define RIVALS_FROZEN_H

#include "rivals/method.h"

FrozenKind frozen_kind(const RivalParams *params); /* as the key features says */

/* A layer needs its number of units from the key hidden. */
tacos_status frozen_check(FrozenKind kind, const RivalShape *shape, tacos_error *err);

/* The layer is rival->mlp with rival->theta; rival->frozen says how it is used. */
void frozen_shape(Rival *rival, FrozenKind kind);
void frozen_carve(Rival *rival, Arena *arena);
void frozen_start(Rival *rival);

/* The features of a batch x [n][n_inputs] into out [n][stride], stride >= rival->frozen.n. */
void frozen_show(Rival *rival, const float *x, size_t n, double *out, size_t stride);

/* The only piece, if there is a layer. */
bool frozen_kept(const Rival *rival, size_t i, Kept *out);

#endif
