/* noise.h - many random numbers at a time, for the methods that draw a number for every weight.
 *
 * A number is a function of where it stands and of (seed, sample, index) alone, like all of rng.h:
 * of each 64 numbers, number 16 k + j is made of word k of block j, counted from the first of
 * these 64. So sixteen blocks can be made at once and each stored in one piece. */
#ifndef RIVALS_NOISE_H
#define RIVALS_NOISE_H

#include "base/rng.h"

#include <stddef.h>

enum { NOISE_GROUP = 64, NOISE_LANES = 16 };

typedef struct NoiseStream {
    uint32_t seed, index;
    uint64_t sample;
} NoiseStream;

/* Numbers from .. from + n of a stream, of purpose RNG_RIVAL_NOISE. Both `from` and `n` are
 * multiples of NOISE_GROUP. */
void noise_words(NoiseStream stream, size_t from, size_t n, uint32_t *words);

/* The same as standard normal numbers. */
void noise_normal(NoiseStream stream, size_t from, size_t n, float *values);

#endif
