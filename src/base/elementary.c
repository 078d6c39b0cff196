/* elementary.c - power series on short ranges, in additions, multiplications and divisions, which
 * IEEE 754 defines to the last bit. */
#include "base/exact.h"

#include "base/elementary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double pi = 0x1.921fb54442d18p1;

/* sin(x), |x| <= pi / 4: x - x^3 / 3! + x^5 / 5! - ... */
static double sine_near_zero(double x) {
    double square = x * x, sum = 1;
    for (int k = 16; k >= 2; k -= 2)
        sum = 1 - square * sum / (k * (k + 1));
    return x * sum;
}

/* cos(x) likewise: 1 - x^2 / 2! + x^4 / 4! - ... */
static double cosine_near_zero(double x) {
    double square = x * x, sum = 1;
    for (int k = 17; k >= 1; k -= 2)
        sum = 1 - square * sum / (k * (k + 1));
    return sum;
}

double sine_of_turns(double turns) {
    double quarters = floor(4 * turns + 0.5), x = (turns - quarters / 4) * 2 * pi;
    int quarter = (int)(quarters - 4 * floor(quarters / 4));
    double value = quarter % 2 ? cosine_near_zero(x) : sine_near_zero(x);
    return quarter >= 2 ? -value : value;
}

double cosine_of_turns(double turns) {
    return sine_of_turns(turns + 0.25);
}

/* With s = (m - 1) / (m + 1), ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...). */
static double log2_near_one(double m) {
    static const double two_per_ln2 = 0x1.71547652b82fep1;
    double s = (m - 1) / (m + 1), square = s * s, sum = 1.0 / 25;
    for (int k = 23; k >= 1; k -= 2)
        sum = 1.0 / k + square * sum;
    return two_per_ln2 * s * sum;
}

double log2_exact(double value) {
    enum { BIAS = 1023, FRACTION_BITS = 52 };
    static const double root = 0x1.6a09e667f3bcdp0; /* of 2 */
    uint64_t bits;
    double m;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> FRACTION_BITS) - BIAS;
    bits = (bits & ((UINT64_C(1) << FRACTION_BITS) - 1)) | (uint64_t)BIAS << FRACTION_BITS;
    memcpy(&m, &bits, sizeof m);
    if (m > root) {
        m /= 2;
        exponent++;
    }
    return exponent + log2_near_one(m);
}

/* 2^k, -1022 <= k <= 1023 */
static double power_of_two(int k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* With y = (x - k) ln 2, which is within 0.35, e^y = 1 + y / 1 (1 + y / 2 (1 + y / 3 ...)). */
double exp2_exact(double x) {
    static const double ln2 = 0x1.62e42fefa39efp-1;
    if (!(x > -1000))
        return 0;
    int k = (int)(x < 0 ? x - 0.5 : x + 0.5);
    double y = (x - k) * ln2, sum = 1;
    for (int i = 14; i > 0; i--)
        sum = 1 + sum * y / i;
    return sum * power_of_two(k);
}
