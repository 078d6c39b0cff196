/* lane.h - the arithmetic of one synapse or neuron. ref.c loops over it; the vector kernels call it
 * for the few lanes that need care, and the kernels of src/cuda for all. */
#ifndef KERNEL_LANE_H
#define KERNEL_LANE_H

#include "base/device.h"
#include "base/exact.h"

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

static_assert(FLT_EVAL_METHOD == 0, "single precision must mean single precision");

#if !defined(LANE_FUSED) &&                                                                        \
    (defined(__FMA__) || defined(__aarch64__) || defined(__ARM_FEATURE_FMA) ||                     \
     defined(__riscv_flen) || defined(__CUDA_ARCH__))
#define LANE_FUSED /* an instruction for a b + c exists; a file may define it itself */
#endif

/* Without it, a file may define LANE_WHOLE to do without double precision, too. */
#if defined(LANE_WHOLE) && !defined(LANE_FUSED)
#include "kernel/whole.h"
#endif

#ifdef __CUDA_ARCH__
#define LANE_FMAF __fmaf_rn
#else
#define LANE_FMAF __builtin_fmaf
#endif

HOST_DEVICE uint32_t lane_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

HOST_DEVICE float lane_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

HOST_DEVICE float lane_magnitude(float x) {
    return lane_float(lane_bits(x) & 0x7fffffff);
}

/* All bits or none. */
HOST_DEVICE uint32_t lane_mask(bool set) {
    return set ? 0xffffffff : 0;
}

/* |m| with the sign of w. */
HOST_DEVICE float lane_signed(float m, float w) {
    return lane_float((lane_bits(m) & 0x7fffffff) | (lane_bits(w) & 0x80000000));
}

#if defined(LANE_FUSED) || !defined(LANE_WHOLE)
/* a b + c with one rounding, and *doubt = 0; or *doubt = all bits if this may be wrong. Loops of it
 * vectorise.
 *
 * Where there is no such instruction, the sum (the product is exact) is rounded twice, to a double
 * and then to a float. That is wrong only if the first rounding moves it to halfway between two
 * floats, from where the second cannot know which way to go. The last 29 bits of such a double are
 * a 1 and zeros. Not so below FLT_MIN, where floats lie farther apart; but there the sum is exact
 * if c is 0, and if c is 2 FLT_MIN or more: then a b, to cancel it, is FLT_MIN or more, and with
 * its 48 bits a multiple of 2^-173. */
HOST_DEVICE float lane_fma_or_doubt(float a, float b, float c, uint32_t *doubt) {
#ifdef LANE_FUSED
    *doubt = 0;
    return LANE_FMAF(a, b, c);
#else
    double sum = (double)a * (double)b + (double)c;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    uint32_t halfway = lane_mask(((uint32_t)bits & 0x1fffffff) == 0x10000000);
    uint32_t small = lane_mask(c != 0.0f) & lane_mask(lane_magnitude(c) < 2 * FLT_MIN);
    *doubt = halfway | small;
    return (float)sum;
#endif
}

/* The same without doubt, but slowly. The first rounding is to odd: a sum between two doubles goes
 * to the one whose last bit is 1, which is never halfway between two floats. */
HOST_DEVICE float lane_fma_slow(float a, float b, float c) {
    double product = (double)a * (double)b, addend = (double)c;
    double sum = product + addend;
    double part = sum - product;
    double lost = (product - (sum - part)) + (addend - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    uint64_t inexact = (lost > 0) | (lost < 0), away = (lost > 0) == (sum > 0);
    bits += (inexact & ~bits & 1) * (2 * away - 1);
    memcpy(&sum, &bits, sizeof sum);
    return (float)sum;
}

/* a b + c with one rounding. */
HOST_DEVICE float lane_fma(float a, float b, float c) {
    uint32_t doubt;
    float sum = lane_fma_or_doubt(a, b, c, &doubt);
    return __builtin_expect(doubt != 0, 0) ? lane_fma_slow(a, b, c) : sum;
}
#else
HOST_DEVICE float lane_fma(float a, float b, float c) {
    return whole_fma(a, b, c);
}
#endif

/* exp(-x), x >= 0: = 2^-k exp(r), k = round(x / ln 2), r = k ln 2 - x in [-ln2/2, ln2/2].
 * Exactly 1 at 0, relative error below 2.5e-7 up to x = 20, constant beyond: 2e-9, which no longer
 * moves a weight, and whose products stay far from the subnormal numbers, which are slow. */
#define LANE_EXP_MAX 20.0f
#define LANE_ROUND   12582912.0f /* adding it leaves a whole number in the low bits */
#define LANE_LOG2E   1.44269504f
#define LANE_LN2_HI  0.693359375f
#define LANE_LN2_LO  (-2.12194440e-4f)
#define LANE_C5      0.00831252019f
#define LANE_C4      0.0418901569f
#define LANE_C3      0.166671146f
#define LANE_C2      0.499992315f
HOST_DEVICE float lane_exp_neg(float x) {
    x = x < LANE_EXP_MAX ? x : LANE_EXP_MAX;
    float rounded = lane_fma(x, LANE_LOG2E, LANE_ROUND);
    float k = rounded - LANE_ROUND;
    float r = lane_fma(k, LANE_LN2_LO, lane_fma(k, LANE_LN2_HI, -x));
    float p = lane_fma(LANE_C5, r, LANE_C4);
    p = lane_fma(p, r, LANE_C3);
    p = lane_fma(p, r, LANE_C2);
    p = lane_fma(p, r, 1.0f);
    p = lane_fma(p, r, 1.0f);
    return lane_float(lane_bits(p) - (lane_bits(rounded) << 23));
}

/* m after so many metaplastic steps. */
HOST_DEVICE float lane_m(uint16_t m_steps, float delta_m, float m_max) {
    float m = (float)m_steps * delta_m;
    return m < m_max ? m : m_max;
}

/* k decays one after the other, each changing the plasticity of the next; owed is k alpha. Without
 * alpha nothing decays (and k is unknown). */
HOST_DEVICE float lane_decay_stepwise(float w, float w_ref, float m, float owed, float alpha) {
    for (int k = alpha > 0 ? (int)(owed / alpha + 0.5f) : 0; k > 0; k--)
        w = lane_fma(-lane_exp_neg(lane_magnitude(m * w)), alpha * (w - w_ref), w);
    return w;
}

#ifndef COLUMNS_SMALL
/* The columns whose bits are set, in order; returns how many. */
static inline size_t lane_collect(uint32_t *list, uint32_t mask, const uint32_t *column) {
    size_t n = 0;
    for (; mask; mask &= mask - 1)
        list[n++] = column[__builtin_ctz(mask)];
    return n;
}
#endif

#endif
