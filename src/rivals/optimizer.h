/* optimizer.h - how a gradient becomes a step: SGD, Adam (Kingma & Ba 2015) or Adagrad (Duchi et
 * al. 2011), with the usual constants.
 *
 * The step is one pass over memory, and may be made piece by piece, so that what else is to be done
 * to a piece is done while it is in the cache. */
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

    /* Of this step. */
    float step;    /* the rate, for Adam divided by 1 - beta1^t */
    float correct; /* Adam: sqrt(1 - beta2^t) */
} Optimizer;

void optimizer_shape(Optimizer *optimizer, OptimizerKind kind, double rate);
void optimizer_carve(Optimizer *optimizer, size_t n_theta, Arena *arena); /* to be zeroed */

/* A step begins; then theta[from .. from + n) goes down its gradient, for each piece once. theta
 * and grad point to the piece. */
void optimizer_begin(Optimizer *optimizer);
void optimizer_step(const Optimizer *optimizer, size_t from, size_t n, const float *grad,
                    float *theta);

#endif
