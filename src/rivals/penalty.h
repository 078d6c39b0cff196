/* penalty.h - what holds parameters where they were: c sum Omega (theta - theta*)^2, over one pair
 * (Omega, theta*) or several. Note that there is no one half before c. */
#ifndef RIVALS_PENALTY_H
#define RIVALS_PENALTY_H

#include <stddef.h>

typedef struct Anchor {
    float *omega;          /* [n_theta], or NULL: all 1 */
    float *theta;          /* theta*: [n_theta] */
    struct Anchor *before; /* another one, or NULL */
} Anchor;

/* Add the slope of the penalty at theta[from .. from + n) to grad. Both point to the piece. */
void penalty_add(const Anchor *anchors, double strength, size_t from, size_t n, const float *theta,
                 float *grad);

/* Make one of two: the sum of both penalties is, but for a constant, that of the sums of Omega
 * around the weighted mean. */
void penalty_merge(Anchor *into, const float *omega, const float *theta, size_t n);

#endif
