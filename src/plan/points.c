/* points.c - random points, Latin hypercubes and Sobol sequences. */
#include "plan/points.h"

#include "base/rng.h"

#include <assert.h>
#include <string.h>

/* ---- random numbers ---- */

/* The uses of random numbers within a stream. The order of a Latin hypercube has one per round. */
enum { USE_PLACE, USE_SHIFT, USE_ORDER, ORDER_ROUNDS = 6, N_USES = USE_ORDER + ORDER_ROUNDS };

static RngBlock numbers(const Points *points, uint32_t use, uint32_t i, uint32_t axis) {
    return rng_block(points->seed, RNG_SWEEP, i, points->stream * N_USES + use, axis);
}

/* 53 bits to [0, 1). */
static double unit(RngBlock block) {
    uint64_t bits = ((uint64_t)block.word[0] << 32 | block.word[1]) >> 11;
    return (double)bits * 0x1p-53;
}

/* ---- Latin hypercube ---- */

/* Element i of a random permutation of 0 to n - 1, one permutation per axis. A Feistel network
 * permutes 4^half_bits numbers whatever its rounds do; results from n on go through it again until
 * they are below n, which leaves a permutation of the n. So no order of a million has to be
 * stored. */
static uint32_t ordered(const Points *points, uint32_t i, uint32_t axis) {
    unsigned half = points->half_bits;
    uint64_t mask = ((uint64_t)1 << half) - 1, at = i;
    do {
        uint32_t left = (uint32_t)(at >> half), right = (uint32_t)(at & mask);
        for (uint32_t round = 0; round < ORDER_ROUNDS; round++) {
            uint32_t word = numbers(points, USE_ORDER + round, right, axis).word[0];
            uint32_t mixed = left ^ (uint32_t)(word & mask);
            left = right;
            right = mixed;
        }
        at = (uint64_t)left << half | right;
    } while (at >= points->n);
    return (uint32_t)at;
}

static double latin(const Points *points, uint32_t i, uint32_t axis) {
    /* 21 bits of jitter: with 32 for the stratum the sum is exact, and so below n. */
    uint32_t jitter = numbers(points, USE_PLACE, i, axis).word[0] >> 11;
    return ((double)ordered(points, i, axis) + (double)jitter * 0x1p-21) / points->n;
}

/* ---- Sobol sequence ---- */

/* A primitive polynomial x^s + a_1 x^(s-1) + ... + 1, with its inner coefficients as the bits of a,
 * and the first s of m_j, from new-joe-kuo-6 (Joe and Kuo 2008). */
static const struct {
    uint8_t s, a, m[7];
} sobol[SOBOL_AXES_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* v_j = m_j / 2^j as bits, by the recurrence of the polynomial. */
static void fill_directions(uint32_t *v, size_t row) {
    unsigned s = sobol[row].s, a = sobol[row].a;
    for (unsigned j = 0; j < SOBOL_BITS; j++) {
        if (j < s) {
            v[j] = (uint32_t)sobol[row].m[j] << (SOBOL_BITS - 1 - j);
            continue;
        }
        v[j] = v[j - s] ^ v[j - s] >> s;
        for (unsigned k = 1; k < s; k++)
            if (a >> (s - 1 - k) & 1)
                v[j] ^= v[j - k];
    }
}

static double shifted_sobol(const Points *points, uint32_t i, uint32_t axis) {
    assert(axis < SOBOL_AXES_MAX);
    uint32_t bits = numbers(points, USE_SHIFT, 0, axis).word[0];
    for (uint32_t gray = i ^ i >> 1; gray; gray &= gray - 1)
        bits ^= points->direction[axis][__builtin_ctz(gray)];
    return (double)bits * 0x1p-32;
}

/* ---- all kinds ---- */

void points_init(Points *points, Sampling sampling, uint32_t seed, uint32_t stream, uint32_t n) {
    memset(points, 0, sizeof *points);
    points->sampling = sampling;
    points->seed = seed;
    points->stream = stream;
    points->n = n;
    while ((uint64_t)1 << 2 * points->half_bits < n)
        points->half_bits++;
    for (unsigned j = 0; j < SOBOL_BITS; j++)
        points->direction[0][j] = (uint32_t)1 << (SOBOL_BITS - 1 - j);
    for (size_t axis = 1; axis < SOBOL_AXES_MAX; axis++)
        fill_directions(points->direction[axis], axis - 1);
}

double points_at(const Points *points, uint32_t i, uint32_t axis) {
    assert(points->sampling != SAMPLING_GRID && i < points->n);
    switch (points->sampling) {
    case SAMPLING_LATIN:
        return latin(points, i, axis);
    case SAMPLING_SOBOL:
        return shifted_sobol(points, i, axis);
    default:
        return unit(numbers(points, USE_PLACE, i, axis));
    }
}
