/* noise.h - bulk random numbers, for methods that draw one per weight.
 *
 * As in rng.h, a number is a function of its position and (seed, sample, index) alone: in each
 * group of 64, number 16 k + j is word k of the group's block j. So sixteen blocks can be computed
 * at once and each word stored contiguously. */
#ifndef RIVALS_NOISE_H
#define RIVALS_NOISE_H

#include "base/rng.h"

#include <stddef.h>

enum { NOISE_GROUP = 64, NOISE_LANES = 16 };

typedef struct NoiseStream {
    uint32_t seed, index;
    uint64_t sample;
} NoiseStream;

/* Numbers from .. from + n of a stream, with purpose RNG_RIVAL_NOISE. Both `from` and `n` are
 * multiples of NOISE_GROUP. */
void noise_words(NoiseStream stream, size_t from, size_t n, uint32_t *words);

/* The same as standard normal numbers. */
void noise_normal(NoiseStream stream, size_t from, size_t n, float *values);

#endif
