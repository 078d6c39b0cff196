/* draws.h - a short sequence of random numbers from one random word, where calling the generator of
 * rng.h for each would cost too much. */
#ifndef BASE_DRAWS_H
#define BASE_DRAWS_H

#include <stdint.h>

/* Each number is FACTOR times the last one, plus STEP, modulo 2^32 (Knuth and Lewis); the high bits
 * are the good ones. */
#define DRAW_FACTOR 1664525u
#define DRAW_STEP   1013904223u

static inline uint32_t draw_next(uint32_t *state) {
    *state = *state * DRAW_FACTOR + DRAW_STEP;
    return *state;
}

/* 0 to n - 1 */
static inline uint32_t draw_below(uint32_t *state, uint32_t n) {
    return (uint32_t)((uint64_t)draw_next(state) * n >> 32);
}

#endif
