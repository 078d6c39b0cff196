/* rng.h - what is made of the random numbers of philox.h: odds, orders, numbers from 0 to 1. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/philox.h"

/* An event of probability p happens if a word is below this. Rounding up makes the comparison of
 * whole numbers the same as that of word / 2^32 with p. */
static inline uint64_t rng_odds(double p) {
    double bound = (p < 1 ? p : 1) * 0x1p32;
    uint64_t whole = (uint64_t)bound;
    return whole + ((double)whole < bound);
}

/* 24 bits to [0, 1): exact in a float, the same on every machine. */
static inline float rng_unit(uint32_t word) {
    return (float)(word >> 8) * 0x1p-24f;
}

/* Uniform in [-range, range). Adding to 0 makes 0 of -0, which a range of 0 would give. */
static inline float rng_within(uint32_t word, float range) {
    return 0.0f + (2.0f * rng_unit(word) - 1.0f) * range;
}

#endif
