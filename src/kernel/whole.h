/* whole.h - a b + c with one rounding in whole numbers, for processors without floating point:
 * where a double, too, would be computed that way, and with more work. */
#ifndef KERNEL_WHOLE_H
#define KERNEL_WHOLE_H

#include "base/device.h"

#include <stdint.h>
#include <string.h>

/* bits 2^exponent; the highest bit set is bit 61, unless there is none. What was lost below bit 0
 * is in bit 0, so that rounding knows that it was more than nothing. */
typedef struct Whole {
    uint64_t bits;
    int32_t exponent;
} Whole;

HOST_DEVICE Whole whole_make(uint64_t bits, int32_t exponent) {
    int32_t up = bits > 0 ? __builtin_clzll(bits) - 2 : 0;
    Whole x = {bits << up, exponent - up};
    return x;
}

/* Divided by 2^n, so that it has another's exponent. */
HOST_DEVICE uint64_t whole_shift(uint64_t bits, int32_t n) {
    if (n == 0)
        return bits;
    return n > 62 ? bits > 0 : bits >> n | ((bits & ((UINT64_C(1) << n) - 1)) > 0);
}

/* The float nearest to bits 2^exponent, the even one of two; bits is not 0. */
HOST_DEVICE uint32_t whole_round(uint64_t bits, int32_t exponent) {
    int32_t shift = 63 - __builtin_clzll(bits) - 23, field = exponent + shift + 150;
    if (field < 1) { /* subnormal */
        shift += 1 - field;
        field = 1;
    }
    if (shift <= 0)
        return (uint32_t)((bits << -shift) + ((uint64_t)(field - 1) << 23));
    uint64_t half = shift < 64 ? UINT64_C(1) << (shift - 1) : 0;
    uint64_t kept = half > 0 ? bits >> (shift - 1) >> 1 : 0, rest = bits & (2 * half - 1);
    kept += half > 0 && (rest > half || (rest == half && (kept & 1)));
    if (field + (int32_t)(kept >> 24) > 254)
        return 0x7f800000;
    return (uint32_t)kept + ((uint32_t)(field - 1) << 23); /* 2^24 adds 1 to the field */
}

HOST_DEVICE float whole_fma(float a, float b, float c) {
    uint32_t x, y, z, sum;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    memcpy(&z, &c, sizeof z);
    int32_t ex = x >> 23 & 255, ey = y >> 23 & 255, ez = z >> 23 & 255;
    uint32_t mx = (x & 0x7fffff) | (uint32_t)(ex > 0) << 23,
             my = (y & 0x7fffff) | (uint32_t)(ey > 0) << 23;
    uint32_t mz = (z & 0x7fffff) | (uint32_t)(ez > 0) << 23;
    if (ez == 255 && ex < 255 && ey < 255)
        return c;
    if (mx == 0 || my == 0 || ex == 255 || ey == 255)
        return a * b + c; /* the product is exact */
    Whole p = whole_make((uint64_t)mx * my, (ex > 0 ? ex : 1) + (ey > 0 ? ey : 1) - 300);
    Whole q = whole_make(mz, (ez > 0 ? ez : 1) - 150);
    uint32_t sign = (x ^ y) & 0x80000000, differ = (x ^ y ^ z) >> 31;
    if (mz == 0)
        q.exponent = p.exponent;
    if (q.exponent > p.exponent || (q.exponent == p.exponent && q.bits > p.bits)) {
        Whole other = p;
        p = q;
        q = other;
        sign = z & 0x80000000;
    }
    uint64_t small = whole_shift(q.bits, p.exponent - q.exponent);
    uint64_t bits = differ ? p.bits - small : p.bits + small;
    sum = bits > 0 ? sign | whole_round(bits, p.exponent) : 0;
    memcpy(&a, &sum, sizeof a);
    return a;
}

#endif
