/* noise.c - Philox and the normal distribution, written for the compiler to vectorise. */
#include "rivals/noise.h"

#include "rivals/clones.h"

#include <math.h>
#include <string.h>

/* One round of Philox4x32 (Salmon et al. 2011) on the counters of all lanes. */
#define ROUND                                                                                      \
    do {                                                                                           \
        uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;                 \
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;                                                       \
        c1 = (uint32_t)p1;                                                                         \
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;                                                       \
        c3 = (uint32_t)p0;                                                                         \
        k0 += 0x9E3779B9u;                                                                         \
        k1 += 0xBB67AE85u;                                                                         \
    } while (0)

CLONES void noise_words(NoiseStream stream, size_t from, size_t n, uint32_t *words) {
    for (size_t at = 0; at < n; at += NOISE_GROUP) {
        uint32_t *out = words + at, block = (uint32_t)((from + at) / 4);
        for (uint32_t j = 0; j < NOISE_LANES; j++) {
            uint32_t c0 = stream.index, c1 = block + j;
            uint32_t c2 = (uint32_t)stream.sample, c3 = (uint32_t)(stream.sample >> 32);
            uint32_t k0 = stream.seed, k1 = RNG_RIVAL_NOISE;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            ROUND;
            out[j] = c0;
            out[NOISE_LANES + j] = c1;
            out[2 * NOISE_LANES + j] = c2;
            out[3 * NOISE_LANES + j] = c3;
        }
    }
}

/* Natural logarithm of u in [2^-24, 1], to about 1e-7, with the polynomial of Cephes. */
static inline float log_unit(float u) {
    uint32_t bits;
    float m, e, z, y;
    memcpy(&bits, &u, sizeof bits);
    bits -= 0x3f3504f3u; /* sqrt(1/2), so that m is in [sqrt(1/2), sqrt(2)) */
    e = (float)((int32_t)bits >> 23);
    bits = (bits & 0x007fffffu) + 0x3f3504f3u;
    memcpy(&m, &bits, sizeof m);
    m -= 1;
    z = m * m;
    y = 7.0376836292e-2f;
    y = y * m - 1.1514610310e-1f;
    y = y * m + 1.1676998740e-1f;
    y = y * m - 1.2420140846e-1f;
    y = y * m + 1.4249322787e-1f;
    y = y * m - 1.6668057665e-1f;
    y = y * m + 2.0000714765e-1f;
    y = y * m - 2.4999993993e-1f;
    y = y * m + 3.3333331174e-1f;
    return m + (y * m * z - 0.5f * z) + 0.693147181f * e;
}

/* Two words to two normal numbers (Box-Muller). The angle is a quadrant, the top two bits, plus an
 * offset within 45 degrees of its middle. */
static inline void normal_pair(uint32_t radius, uint32_t angle, float *x, float *y) {
    float r = sqrtf(-2.0f * log_unit((float)(int32_t)((radius >> 8) + 1) * 0x1p-24f));
    float a = ((float)(int32_t)((angle << 2) >> 8) * 0x1p-24f - 0.5f) * 1.57079633f, z = a * a;
    float sine = a + a * z * ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f);
    float cosine =
        1.0f - 0.5f * z +
        z * z * ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f);
    float sign = angle & 0x80000000u ? -r : r;
    int turned = (angle & 0x40000000u) != 0;
    *x = sign * (turned ? -sine : cosine);
    *y = sign * (turned ? cosine : sine);
}

CLONES void noise_normal(NoiseStream stream, size_t from, size_t n, float *values) {
    uint32_t words[NOISE_GROUP];
    for (size_t at = 0; at < n; at += NOISE_GROUP) {
        float *out = values + at;
        noise_words(stream, from + at, NOISE_GROUP, words);
        for (size_t j = 0; j < NOISE_LANES; j++) {
            normal_pair(words[j], words[NOISE_LANES + j], &out[j], &out[NOISE_LANES + j]);
            normal_pair(words[2 * NOISE_LANES + j], words[3 * NOISE_LANES + j],
                        &out[2 * NOISE_LANES + j], &out[3 * NOISE_LANES + j]);
        }
    }
}
