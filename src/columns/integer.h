/* integer.h - roots and logarithms in whole numbers, so that a columns learner has the same bits
 * with and without a floating-point unit. */
#ifndef COLUMNS_INTEGER_H
#define COLUMNS_INTEGER_H

#include <stdint.h>

/* floor(sqrt(v)), exactly; slow, for tables. */
static inline uint32_t exact_root(uint64_t v) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= v)
            root += bit;
    return (uint32_t)root;
}

/* floor(cbrt(v)), likewise, for v < 2^60. */
static inline uint32_t exact_cube_root(uint64_t v) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 19; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) * (root + bit) <= v)
            root += bit;
    return (uint32_t)root;
}

enum {
    LOG_SHIFT = 8,      /* logarithms are in 1/256 */
    MANTISSA_BITS = 8,  /* of the tables' arguments */
    MANTISSAS = 1 << 8, /* entries of a table */
};

/* Made once by tables_fill. */
typedef struct Tables {
    uint8_t log2[MANTISSAS];  /* 256 log2(1 + i/256), rounded */
    uint16_t root[MANTISSAS]; /* 4096 sqrt(i + 1/2), for i from 64 on */
} Tables;

#ifndef COLUMNS_SMALL
/* By squaring: each doubling of the argument's logarithm gives one binary digit of it. */
static inline uint8_t table_log2(uint32_t i) {
    enum { DIGITS = 12 };
    uint64_t x = ((uint64_t)MANTISSAS + i) << 22; /* 1 is 2^30 */
    uint32_t log = 0;
    for (int k = 0; k < DIGITS; k++) {
        x = x * x >> 30;
        log <<= 1;
        if (x >= (uint64_t)2 << 30) {
            x >>= 1;
            log |= 1;
        }
    }
    return (uint8_t)((log + (1 << (DIGITS - LOG_SHIFT - 1))) >> (DIGITS - LOG_SHIFT));
}

static inline void tables_fill(Tables *tables) {
    for (uint32_t i = 0; i < MANTISSAS; i++) {
        tables->log2[i] = table_log2(i);
        tables->root[i] = (uint16_t)exact_root(((uint64_t)(2 * i + 1) << 24) / 2);
    }
}
#endif

/* 256 log2(v), for v > 0: up to 0.5 too large, up to 1.9 too small. */
static inline int32_t log2_of(const Tables *tables, uint32_t v) {
    int e = 31 - __builtin_clz(v);
    uint32_t mantissa = e >= MANTISSA_BITS ? v >> (e - MANTISSA_BITS) : v << (MANTISSA_BITS - e);
    return (int32_t)((uint32_t)e << LOG_SHIFT) + tables->log2[mantissa & (MANTISSAS - 1)];
}

/* 16 sqrt(v), for v < 2^24: to 0.5%, or to 2.8 where v is below 4096. */
static inline uint32_t root_of(const Tables *tables, uint32_t v) {
    if (v == 0)
        return 0;
    int up = (__builtin_clz(v) - 8) & ~1; /* to 2^22 and more */
    return (uint32_t)tables->root[v << up >> 16] >> (up / 2);
}

/* sqrt(v) = mantissa / 2^shift, for v > 0: up to 1 in 2^17 too large, up to 1 in 2^15 too small. */
typedef struct Root {
    uint32_t mantissa; /* 2^15 to 2^16 */
    int shift;
} Root;

static inline Root root_scaled(const Tables *tables, uint64_t v) {
    int up = (__builtin_clzll(v) - 32) & ~1; /* to 2^30 and more, in 32 bits; may be negative */
    uint32_t n = (uint32_t)(up >= 0 ? v << up : v >> -up);
    uint32_t guess = tables->root[n >> 24];
    Root root = {(guess + n / guess) / 2, up / 2};
    return root;
}

#endif
