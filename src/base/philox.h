/* philox.h - random numbers, addressed by name instead of drawn in sequence.
 *
 * A number is a pure function of (seed, purpose, sample, block, index) through Philox4x32-10
 * (Salmon et al. 2011). Nothing depends on the order in which numbers are requested, so threads,
 * loop order and resumption cannot change a result. Whole numbers only; rng.h has the rest. */
#ifndef BASE_PHILOX_H
#define BASE_PHILOX_H

#include "base/device.h"

#include <stddef.h>
#include <stdint.h>

/* What a number is for. Purposes share no numbers; the values are part of every result. */
typedef enum RngPurpose {
    RNG_WEIGHTS = 1,  /* initial w: sample = layer, block = post / 4, index = pre */
    RNG_FEEDBACK = 2, /* B: sample = layer, block = neuron / 4, index = output */
    RNG_INPUT = 3,    /* input spikes while learning: block = step / 4, index = input */
    RNG_LABEL = 4,    /* label spikes: block = step / 4 */
    RNG_PREDICT = 5,  /* input spikes while predicting: sample = draw */
    RNG_ORDER = 6,    /* order of a task's samples: sample = task, block = position / 4 */
    RNG_GLYPHS = 7,   /* the built-in symbols: sample = image, index = class */
    RNG_ALIKE = 8,    /* look-alikes of data sets: sample = image, index = which set */
    RNG_SWEEP = 9,    /* points of a sweep: sample = point, index = axis */
    RNG_CLASSES = 10, /* classes of random tasks: block = place / 4 */
    RNG_PERMUTE = 11, /* pixels of a task in another order: sample = task, block = place / 4 */
    RNG_BLUR = 12,    /* shifts in a stream without boundaries: sample = task, block = place / 4 */
    /* A rival's: initial weights (sample = layer, block = place / 4, index = 1 for biases), or
     * inputs of fly's cells (sample = cell, block = place / 4, index = 2); what bgd and ss draw,
     * and the layer of randumb (rivals/noise.h); order of samples (sample = task, pass; block =
     * place / 4); where knn keeps one (sample = samples shown). */
    RNG_RIVAL = 13,
    RNG_RIVAL_NOISE = 14,
    RNG_RIVAL_ORDER = 15,
    RNG_RIVAL_KEEP = 16,
    /* What happens to m between samples, and to neurons: block = layer, post / 4; index = pre. */
    RNG_GROWTH = 20,    /* whose synapses grow: index = 1 + the rehearsed sample, or 0 */
    RNG_RELEASE = 21,   /* steps that are lost: sample = samples learned */
    RNG_REBIRTH = 22,   /* first weights of a neuron anew: sample = samples learned */
    RNG_REHEARSAL = 23, /* spikes of a rehearsed mean: sample = how many were rehearsed before;
                           index = input, or for the label the largest there is */
    RNG_COLUMNS = 24,   /* what learning draws in a place of a columns learner: block = place */
    RNG_PLACES = 25,    /* which values a place sees: sample = place, block = position / 4 */
} RngPurpose;

typedef struct RngBlock {
    uint32_t word[4];
} RngBlock;

/* Philox4x32-10. */
HOST_DEVICE RngBlock rng_philox(RngBlock counter, uint32_t k0, uint32_t k1) {
    uint32_t *c = counter.word;
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)c[0] * 0xD2511F53, p1 = (uint64_t)c[2] * 0xCD9E8D57;
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
        c[1] = (uint32_t)p1;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
        c[3] = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    return counter;
}

HOST_DEVICE RngBlock rng_block(uint32_t seed, RngPurpose purpose, uint64_t sample, uint32_t block,
                               uint32_t index) {
    RngBlock counter = {{index, block, (uint32_t)sample, (uint32_t)(sample >> 32)}};
    return rng_philox(counter, seed, (uint32_t)purpose);
}

/* A partner for item i (0 and up) of a list that is shuffled from its end (Fisher-Yates): 0 to i.
 */
static inline size_t rng_partner(uint32_t seed, RngPurpose purpose, uint64_t sample, size_t i) {
    uint32_t word = rng_block(seed, purpose, sample, (uint32_t)(i / 4), 0).word[i % 4];
    return (size_t)(((uint64_t)word * (i + 1)) >> 32);
}

/* 0 to n - 1 in a random order. */
static inline void rng_order(uint32_t *order, size_t n, uint32_t seed, RngPurpose purpose,
                             uint64_t sample) {
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n; i-- > 1;) {
        size_t k = rng_partner(seed, purpose, sample, i);
        uint32_t other = order[i];
        order[i] = order[k];
        order[k] = other;
    }
}

#endif
