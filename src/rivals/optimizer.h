/* optimizer.h - turns a gradient into a step: SGD, Adam (Kingma & Ba 2015) or Adagrad (Duchi et al.
 * 2011), with the usual constants.
 *
 * A step is one pass over memory and may be made piece by piece, so that other work on a piece
 * happens while it is in the cache. */
#ifndef RIVALS_OPTIMIZER_H
#define RIVALS_OPTIMIZER_H

#include "base/arena.h"
#include "rivals/params.h"

#include <stdint.h>

typedef struct Optimizer {
    OptimizerKind kind;
    double rate;
    uint64_t n_steps;
    float *mean;    /* Adam's m: [n_theta], or NULL */
    float *squares; /* Adam's v, Adagrad's sum: [n_theta], or NULL */

    /* of this step */
    float step;    /* the rate, for Adam divided by 1 - beta1^t */
    float correct; /* Adam: sqrt(1 - beta2^t) */
} Optimizer;

void optimizer_shape(Optimizer *optimizer, OptimizerKind kind, double rate);
void optimizer_carve(Optimizer *optimizer, size_t n_theta, Arena *arena); /* must be zeroed */

/* Begin a step; then move each piece theta[from .. from + n) down its gradient once. theta and grad
 * point to the piece. */
void optimizer_begin(Optimizer *optimizer);
void optimizer_step(const Optimizer *optimizer, size_t from, size_t n, const float *grad,
                    float *theta);

#endif
