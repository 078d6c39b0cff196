/* kernel.h - the inner loops on a device: one unit after the other. */
#ifndef SMALL_KERNEL_H
#define SMALL_KERNEL_H

#include "kernel/settle.h"
#include "kernel/units.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP && !defined(__ARM_BIG_ENDIAN)
#include <arm_acle.h>

/* Instructions for two products at a time: of the even values of a word, and of the odd ones. */
typedef struct Factors {
    uint32_t halves[WINDOW_MAX / 2]; /* of x, each value in 16 bits */
} Factors;

static uint32_t even_values(uint32_t word) {
    return (uint32_t)__sxtb16((int8x4_t)word);
}

static uint32_t odd_values(uint32_t word) {
    return (uint32_t)__sxtb16((int8x4_t)(word >> 8 | word << 24));
}

static void take_factors(Factors *f, const Matching *m) {
    for (size_t k = 0; k < m->n_words; k++) {
        uint32_t word;
        memcpy(&word, m->x + 4 * k, sizeof word);
        f->halves[2 * k] = even_values(word);
        f->halves[2 * k + 1] = odd_values(word);
    }
}

static int32_t dot_product(const Factors *f, const int8_t *t, size_t n_words) {
    const uint32_t *x = f->halves;
    const int8_t *end = t + 4 * n_words;
    int32_t sum = 0;
    while (t < end) {
        uint32_t word;
        memcpy(&word, t, sizeof word);
        sum = __smlad((int16x2_t)x[0], (int16x2_t)even_values(word), sum);
        sum = __smlad((int16x2_t)x[1], (int16x2_t)odd_values(word), sum);
        x += 2;
        t += 4;
    }
    return sum;
}
#else
typedef struct Factors {
    const int8_t *x;
} Factors;

static void take_factors(Factors *f, const Matching *m) {
    f->x = m->x;
}

static int32_t dot_product(const Factors *f, const int8_t *t, size_t n_words) {
    const int8_t *x = f->x, *end = t + 4 * n_words;
    int32_t sum = 0;
    for (; t < end; t += 4, x += 4)
        sum += x[0] * t[0] + x[1] * t[1] + x[2] * t[2] + x[3] * t[3];
    return sum;
}
#endif

static Match match(const Matching *m) {
    Match best = {INT32_MIN, UINT32_MAX};
    Factors factors;
    take_factors(&factors, m);
    for (size_t u = 0; u < m->n; u++) {
        size_t unit = m->blocks[u];
        const int8_t *t = matching_block(m, unit);
        int32_t here = dot_product(&factors, t, m->n_words) * m->inverse[unit];
        if (here > best.match) {
            best.match = here;
            best.unit = (uint32_t)u;
        }
    }
    return best;
}

static const Kernel kernel_small = {match, settle};

#endif
