/* adwin.h - ADWIN: a window over a stream of bits that shrinks when the rate of ones changes.
 *
 * Bifet and Gavaldà, Learning from time-changing data with adaptive windowing (SDM 2007), ADWIN2:
 * the window is kept as an exponential histogram, and whenever two parts of it, older and newer,
 * differ by more than chance explains, the oldest bits are dropped. As the values are bits, all
 * that is kept are whole numbers, so the same bits give the same changes on every machine. */
#ifndef STREAM_ADWIN_H
#define STREAM_ADWIN_H

#include "base/pack.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ADWIN_BUCKETS = 5, /* of one size: M */
    ADWIN_ROWS = 60,   /* of sizes: more bits than that can be counted */
    ADWIN_EVERY = 32,  /* bits from check to check */
    ADWIN_LEAST = 5,   /* bits in the smaller of two parts that are compared */
};
#define ADWIN_DELTA       0.002
#define ADWIN_DELTA_LEAST 1e-12

typedef struct Adwin {
    double delta;                            /* how likely a false change may be */
    uint64_t n_added;                        /* bits since the start */
    uint64_t n, ones;                        /* bits in the window, and how many of them are 1 */
    uint8_t n_buckets[ADWIN_ROWS];           /* row r has buckets of 2^r bits */
    uint64_t sum[ADWIN_ROWS][ADWIN_BUCKETS]; /* ones in each, the oldest first */
} Adwin;

/* ADWIN_DELTA_LEAST <= delta < 1. */
void adwin_start(Adwin *adwin, double delta);

typedef enum AdwinChange { ADWIN_SAME, ADWIN_ROSE, ADWIN_FELL } AdwinChange;

/* Add a bit; whether the rate of ones has changed, and how. */
AdwinChange adwin_add(Adwin *adwin, bool one);

/* Write or read all but delta; false if what was read is not a state. */
bool adwin_move(Adwin *adwin, Pack *pack);

/* The natural logarithm of x >= 1, to 1e-14, without libm, whose last bits differ. */
double adwin_ln(double x);

#endif
