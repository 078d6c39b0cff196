/* exact.h - floating point with the same bits everywhere, whatever flags the compiler is given.
 *
 * That requires that compilers neither fuse a multiplication and an addition where the source does
 * not, nor reorder them. They fuse by default unless given -ffp-contract=off, or (gcc) a strict
 * -std; this header says the same in the source.
 *
 * exact_exp and exact_log replace those of libm, whose bits differ between machines. They are
 * accurate to a few units in the last place for arguments far from overflow, where they are used;
 * tests/unit/test_counting.c has the bounds. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||           \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "tacos promises the same bits everywhere: compile it without -ffast-math and its parts"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#else
#error "tacos is written for gcc and clang"
#endif

#define EXP_LOG_LN2_HI 6.93147180369123816490e-01 /* ends in zeros: k times it is exact */
#define EXP_LOG_LN2_LO 1.90821492927058770002e-10
#define EXP_LOG_MAX    700.0

static inline double exp_log_power_of_2(int64_t k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* exp(x) = 2^k exp(r), |r| <= ln 2 / 2; |x| above EXP_LOG_MAX counts as that. */
static inline double exact_exp(double x) {
    x = x > EXP_LOG_MAX ? EXP_LOG_MAX : x < -EXP_LOG_MAX ? -EXP_LOG_MAX : x;
    double turns = x * 1.44269504088896340736;
    int64_t k = (int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    double r = (x - (double)k * EXP_LOG_LN2_HI) - (double)k * EXP_LOG_LN2_LO, sum = 1;
    for (int n = 14; n > 0; n--)
        sum = 1 + r * sum / n;
    return sum * exp_log_power_of_2(k);
}

/* log(x) = k ln 2 + log(m), m from 0.70 to 1.42, by the series of atanh; x > 0 and normal. */
static inline double exact_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t k = (int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    double m, sum = 0;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
        m /= 2;
        k++;
    }
    double s = (m - 1) / (m + 1), s2 = s * s;
    for (int n = 23; n > 0; n -= 2)
        sum = sum * s2 + 1.0 / n;
    return (double)k * EXP_LOG_LN2_HI + (2 * s * sum + (double)k * EXP_LOG_LN2_LO);
}

#endif
