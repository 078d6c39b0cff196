/* held.h - what the methods share that hold parameters by a penalty (penalty.h): one pair (Omega,
 * theta*), which the end of a task renews. They differ in how Omega is made. */
#ifndef RIVALS_HELD_H
#define RIVALS_HELD_H

#include "rivals/train.h"

/* Train's, and the pair; and the room to see the task's samples again. */
void held_carve(Rival *rival, Arena *arena);
void held_carve_samples(Rival *rival, Arena *arena);

void held_learn(Rival *rival, const float *x, const uint16_t *target, size_t n);

/* From now on, parameters are held where they are. */
void held_renew(Rival *rival);

/* theta, Omega, theta* */
bool held_kept(const Rival *rival, size_t i, Kept *out);

/* The mean over the samples of a task of the squared gradient of log p(y), y being the likeliest
 * output, into the rival's gradient. */
void held_fisher(Rival *rival, RivalBatches *batches, void *user);

#endif
