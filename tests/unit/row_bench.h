/* row_bench.h - random rows of synapses, and the rule they should follow in double precision. */
#ifndef TESTS_ROW_BENCH_H
#define TESTS_ROW_BENCH_H

#include "kernel/kernel.h"
#include "check.h"

#include <math.h>

enum { N = 32, USED = 29 }; /* the last three of a row are padding */

typedef enum Kind { M_0, M_ALL, M_STEPS, KINDS } Kind;

/* One row with its past; m and w_before are kept for the reference. */
typedef struct Bench {
    Kind kind;
    SynapseRule rule;
    _Alignas(64) float w[N], w_ref[N], drive[N];
    _Alignas(64) uint16_t m_steps[N], before[N], after[N], now[N];
    double m[N], w_before[N];
} Bench;

/* Weights of all sizes and distances, alpha from the paper's to the largest, 0 to 30 decays. */
static inline Bench roll_bench(uint32_t game, Kind kind) {
    Dice dice = {.game = game};
    Bench b = {.kind = kind};
    double reach = pow(10, roll(&dice, -1, 1)), spread = pow(10, roll(&dice, -3, 0.5));
    b.rule.alpha = (float)(game % 8 ? pow(10, roll(&dice, -4, 0)) : 1);
    b.rule.delta_m = (float)pow(10, roll(&dice, -2.5, 0));
    b.rule.m_max = (float)roll(&dice, 1, 50);
    b.rule.m_all = kind == M_ALL ? (float)roll(&dice, 0.1, 50) : 0;
    for (size_t i = 0; i < USED; i++) {
        b.w[i] = (float)(reach * roll(&dice, -1, 1));
        b.w_ref[i] = (float)((double)b.w[i] + reach * spread * roll(&dice, -1, 1));
        b.drive[i] = (float)roll(&dice, -0.05, 0.05);
        b.m_steps[i] = (uint16_t)roll(&dice, 0, 200);
        b.before[i] = (uint16_t)roll(&dice, 0, 100);
        b.after[i] = (uint16_t)(b.before[i] + roll_word(&dice) % 2);
        b.now[i] = (uint16_t)(b.after[i] + roll_word(&dice) % 31);
        b.w_before[i] = (double)b.w[i];
        b.m[i] = kind == M_STEPS
                     ? fmin((double)((float)b.m_steps[i] * b.rule.delta_m), (double)b.rule.m_max)
                     : (double)b.rule.m_all;
    }
    return b;
}

static inline void catch_up(Bench *b, bool drive, bool ref) {
    Row row = {b->w, ref ? b->w_ref : NULL, b->kind == M_STEPS ? b->m_steps : NULL};
    RowPast past = {drive ? b->drive : NULL, b->before, b->after, b->now};
    kernel_row_catch_up(row, &past, &b->rule, N);
}

/* The stepwise rule. */
static inline double decays(double w, double w_ref, double m, int k, double alpha) {
    for (; k > 0; k--)
        w -= exp(-fabs(m * w)) * alpha * (w - w_ref);
    return w;
}

/* The distance from |x| to the next float. */
static inline double ulp(double x) {
    float f = (float)fabs(x);
    return (double)(nextafterf(f, INFINITY) - f);
}

#endif
