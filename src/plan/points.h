/* points.h - the points that a sweep samples in the space of its axes.
 *
 * A point is a function of the seed, the stream and its index alone, so any of a million can be
 * computed without the others. */
#ifndef PLAN_POINTS_H
#define PLAN_POINTS_H

#include <stddef.h>
#include <stdint.h>

typedef enum Sampling {
    SAMPLING_GRID,   /* all combinations of levels; needs no points */
    SAMPLING_RANDOM, /* independent numbers */
    SAMPLING_LATIN,  /* a Latin hypercube: on each axis, one point in each of n strata */
    SAMPLING_SOBOL,  /* a Sobol sequence, shifted: even in several axes at once */
} Sampling;

enum { SOBOL_AXES_MAX = 21, SOBOL_BITS = 32 };

typedef struct Points {
    Sampling sampling;
    uint32_t seed, stream; /* streams of a seed are independent */
    uint32_t n;
    unsigned half_bits;                             /* latin: 4^half_bits >= n */
    uint32_t direction[SOBOL_AXES_MAX][SOBOL_BITS]; /* sobol: v_j */
} Points;

/* n points. At most 2^29 streams; with sobol at most SOBOL_AXES_MAX axes. */
void points_init(Points *points, Sampling sampling, uint32_t seed, uint32_t stream, uint32_t n);

/* Where point i lies on an axis, in [0, 1). Not for a grid. */
double points_at(const Points *points, uint32_t i, uint32_t axis);

#endif
