/* units.h - what the inner loops of a columns learner work on: images, patches and templates of
 * whole numbers. */
#ifndef KERNEL_UNITS_H
#define KERNEL_UNITS_H

#include <stddef.h>
#include <stdint.h>

#ifndef KERNEL_UNITS
#define KERNEL_UNITS 16 /* in a block */
typedef uint32_t BlockIndex;
#endif

/* A patch, and the units of a place that compete for it. */
typedef struct Matching {
    const int8_t *x; /* [4 n_words], from -127 to 127 */
    size_t n_words;
    const int8_t *templates;  /* [block][n_words][KERNEL_UNITS][4], likewise */
    const int32_t *inverse;   /* [block][KERNEL_UNITS]: 2^30 / (|x| |t|) */
    const BlockIndex *blocks; /* which blocks */
    size_t n;                 /* units, the last block may not be full */
} Matching;

static inline const int8_t *matching_block(const Matching *m, size_t block) {
    return m->templates + block * m->n_words * KERNEL_UNITS * 4;
}

#ifndef COLUMNS_SMALL
/* Whether values of the patch are below 0. */
static inline int matching_negative(const Matching *m) {
    int bits = 0;
    for (size_t d = 0; d < 4 * m->n_words; d++)
        bits |= m->x[d];
    return bits < 0;
}
#endif

/* The best: its place in the list, and inverse * (x . t). */
typedef struct Match {
    int32_t match;
    uint32_t unit;
} Match;

#ifndef SETTLE_LANES
#define SETTLE_LANES 16 /* values side by side */
#endif

/* t += (x - t) rate / 2^16, rounded up or down at random: with the high half of a number of
 * draws.h each. */
typedef struct Settling {
    int8_t *t;       /* [n], from -127 to 127 */
    const int8_t *x; /* [n], likewise */
    size_t n;        /* a multiple of SETTLE_LANES */
    int32_t rate;    /* up to 2^15 */
    uint32_t draws;
} Settling;

#endif
