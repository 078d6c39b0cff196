/* row_bench.h - random rows of synapses, and the rule they should follow in double precision. */
#ifndef TESTS_ROW_BENCH_H
#define TESTS_ROW_BENCH_H

#include "kernel/kernel.h"
#include "check.h"

#include <math.h>

enum { N = 32, USED = 29 }; /* the last three of a row are padding */
static const Span ALL = {0, N};

typedef enum Kind { M_0, M_ALL, M_STEPS, KINDS } Kind;
static const char *const kind_names[KINDS] = {"m 0", "m the same", "m by steps"};

/* One row with its past. m, start and k are kept for the reference. */
typedef struct Bench {
    Kind kind;
    SynapseRule rule;
    _Alignas(64) float w[N], w_ref[N], drive[N], before[N], now[N], current[N], awake[3 * N];
    _Alignas(64) uint16_t m_steps[N];
    double m[N], start[N], ref[N]; /* m, and w and w_ref in the beginning */
    int k[N];                      /* decays from `before` to now */
} Bench;

/* Decays are counted as a sample counts them, one rounding a spike. */
static inline void roll_count(Bench *b, size_t i, Dice *dice, unsigned k_max) {
    b->before[i] = b->now[i] = 0;
    for (uint32_t spikes = roll_word(dice) % 40; spikes > 0; spikes--)
        b->before[i] += b->rule.alpha;
    b->now[i] = b->before[i];
    b->k[i] = (int)(roll_word(dice) % (k_max + 1));
    for (int spike = 0; spike < b->k[i]; spike++)
        b->now[i] += b->rule.alpha;
}

static inline void roll_rule(Bench *b, Dice *dice, double alpha_low, double alpha_high) {
    b->rule = (SynapseRule){
        .plastic = b->kind != M_0,
        .decays = true,
        .alpha = (float)pow(10, roll(dice, alpha_low, alpha_high)),
        .delta_m = (float)pow(10, roll(dice, -2.5, 0)),
        .m_max = (float)roll(dice, 1, 50),
        .m_all = b->kind == M_ALL ? (float)roll(dice, 0.1, 50) : 0,
        .m_ceiling = UINT16_MAX,
        .cons_rate = (float)roll(dice, 0, 0.02),
    };
}

/* Weights of all sizes and distances. They lie on a grid, so that w - w_ref is a float too and a
 * row begins without an error of its own. */
static inline void roll_weights(Bench *b, Dice *dice, double reach_high, double spread_high) {
    double reach = pow(10, roll(dice, -2, reach_high)),
           spread = pow(10, roll(dice, -3, spread_high));
    for (size_t i = 0; i < USED; i++) {
        b->w[i] = (float)(rint(reach * roll(dice, -1, 1) * 0x1p16) * 0x1p-16);
        b->w_ref[i] =
            (float)(rint(reach * spread * roll(dice, -1, 1) * 0x1p16) * 0x1p-16) + b->w[i];
        b->m_steps[i] = (uint16_t)roll(dice, 0, 200);
        b->m[i] = b->kind == M_STEPS ? fmin((double)((float)b->m_steps[i] * b->rule.delta_m),
                                            (double)b->rule.m_max)
                                     : (double)b->rule.m_all;
        b->start[i] = (double)b->w[i];
        b->ref[i] = (double)b->w_ref[i];
    }
}

static inline Row bench_row(Bench *b, bool ref) {
    return (Row){.w = b->w,
                 .w_ref = ref ? b->w_ref : NULL,
                 .m_steps = b->kind == M_STEPS ? b->m_steps : NULL};
}

static inline void bench_wake(Bench *b) {
    Row row = bench_row(b, b->rule.decays);
    kernel_ref.row_wake(&row, b->awake, &b->rule, ALL);
}

static inline void bench_sleep(Bench *b) {
    Row row = bench_row(b, true);
    kernel_ref.row_sleep(&row, b->awake, NULL, &b->rule, ALL);
}

static inline AwakeRow bench_awake(Bench *b) {
    return (AwakeRow){b->awake, b->rule.decays ? b->w_ref : NULL, b->drive, b->before};
}

static inline void bench_visit(Bench *b) {
    AwakeRow row = bench_awake(b);
    kernel_ref.rows_visit(&row, 1, b->now, &b->rule, b->current, ALL);
}

/* How a row is rolled: alpha from 10^low to 10^high, |w| up to 10^reach and w - w_ref up to
 * 10^spread of that, errors up to `drive`, decays up to k alpha = `owed`, but at least one and at
 * most K_MAX. */
enum { K_MAX = 60 };
typedef struct Ranges {
    double low, high, reach, spread, drive, owed;
} Ranges;

static inline Bench roll_bench(uint32_t game, Kind kind, Ranges ranges) {
    Dice dice = {.game = game};
    Bench b = {.kind = kind};
    roll_rule(&b, &dice, ranges.low, ranges.high);
    roll_weights(&b, &dice, ranges.reach, ranges.spread);
    for (size_t i = 0; i < USED; i++) {
        double k = fmax(1, fmin(ranges.owed / (double)b.rule.alpha, K_MAX));
        roll_count(&b, i, &dice, (unsigned)k);
        b.drive[i] = (float)roll(&dice, -ranges.drive, ranges.drive);
    }
    bench_wake(&b);
    return b;
}

/* One of v, f, M of a synapse awake. */
static inline double part(const Bench *b, size_t i, size_t which) {
    size_t parts = kernel_parts(&b->rule);
    return (double)
        b->awake[i / KERNEL_LANES * KERNEL_LANES * parts + which * KERNEL_LANES + i % KERNEL_LANES];
}

static inline double awake_w(const Bench *b, size_t i) {
    return part(b, i, 0) + (b->rule.decays ? b->ref[i] : 0);
}

/* What samples owe a row that sleeps through them. */
enum { RESTS = 12 };
typedef struct Nights {
    size_t n;
    int k[RESTS][N]; /* decays */
    _Alignas(64) float owed[RESTS][N];
} Nights;

static inline Nights roll_nights(uint32_t game, float alpha) {
    Dice dice = {.game = game};
    Nights nights = {.n = 1 + roll_word(&dice) % RESTS};
    for (size_t s = 0; s < nights.n; s++)
        for (size_t i = 0; i < USED; i++) {
            nights.k[s][i] = (int)(roll_word(&dice) % 30);
            for (int spike = 0; spike < nights.k[s][i]; spike++)
                nights.owed[s][i] += alpha;
        }
    return nights;
}

static inline void bench_rest(Bench *b, const Nights *nights) {
    Row row = bench_row(b, true);
    kernel_ref.row_rest(&row, nights->owed[0], N, nights->n, &b->rule, ALL);
}

/* ---- the rule in double precision ---- */

static inline double plasticity(double w, double m) {
    return exp(-fabs(m * w));
}

/* A way through the stepwise rule, and what the bounds need to know of it. */
typedef struct Way {
    double w, w_ref, m;
    double length;         /* |change of w|, added up */
    double f_most, a_most; /* f and m |w - w_ref| at their largest */
    double growth;         /* of a small error on the way, at least 1 */
    bool across;           /* w crossed 0 */
} Way;

static inline Way way_from(double w, double w_ref, double m) {
    return (Way){.w = w,
                 .w_ref = w_ref,
                 .m = m,
                 .f_most = plasticity(w, m),
                 .a_most = m * fabs(w - w_ref),
                 .growth = 1};
}

/* w -= f (drive + owed (w - w_ref)) */
static inline void way_step(Way *way, double drive, double owed) {
    double d = way->w - way->w_ref, e = drive + owed * d, f = plasticity(way->w, way->m);
    double slope = f * (owed - copysign(way->m, way->w) * e); /* of f e, by w */
    double next = way->w - f * e;
    way->growth *= fmax(1, fabs(1 - slope));
    way->across |= (next < 0) != (way->w < 0);
    way->length += fabs(next - way->w);
    way->w = next;
    way->f_most = way->across ? 1 : fmax(way->f_most, plasticity(next, way->m));
    way->a_most = fmax(way->a_most, way->m * fabs(next - way->w_ref));
}

static inline void way_decay(Way *way, int k, double alpha) {
    for (; k > 0; k--)
        way_step(way, 0, alpha);
}

/* The distance from |x| to the next float. */
static inline double ulp(double x) {
    float f = (float)fabs(x);
    return (double)(nextafterf(f, INFINITY) - f);
}

#endif
