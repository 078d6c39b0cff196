/* means.h - the running mean of each output's samples. */
#ifndef RIVALS_MEANS_H
#define RIVALS_MEANS_H

#include "rivals/method.h"

void means_carve(Means *means, size_t n, size_t n_outputs, Arena *arena);

/* Move the mean of `target` to include a sample; in place of the sample comes its difference from
 * the mean before, so weighted that the sum of squares of all differences from that mean is the
 * same as with the mean after all samples (Welford 1962). */
void means_add(Means *means, double *x, uint16_t target);

/* Two pieces. */
bool means_kept(const Means *means, size_t n_outputs, size_t i, Kept *out);

#endif
