/* avx2.c - the inner loops with vectors of 8 floats. */
#include "kernel/kernel.h"

#ifdef KERNEL_X86
#include <float.h>
#include <immintrin.h>
#include <string.h>

/* Called before anything else here, so compiled for any processor. The system must save the
 * registers too; the compiler's check includes that (XGETBV). */
static bool runs_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* From here on for processors that support it. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANE_FUSED

enum { V = 8, VISIT_BLOCKS = 1 };
#define NAME avx2

typedef __m256 vf, vm;
typedef __m256i vi, vq;

#define v_load(p)         _mm256_loadu_ps(p)
#define v_keep(x)         __asm__("" : "+x"(x))
#define v_store(p, x)     _mm256_storeu_ps(p, x)
#define v_set(x)          _mm256_set1_ps(x)
#define v_add(a, b)       _mm256_add_ps(a, b)
#define v_sub(a, b)       _mm256_sub_ps(a, b)
#define v_mul(a, b)       _mm256_mul_ps(a, b)
#define v_fma(a, b, c)    _mm256_fmadd_ps(a, b, c)
#define v_fnma(a, b, c)   _mm256_fnmadd_ps(a, b, c)
#define v_fms(a, b, c)    _mm256_fmsub_ps(a, b, c)
#define v_min(a, b)       _mm256_min_ps(a, b)
#define v_max(a, b)       _mm256_max_ps(a, b)
#define v_abs(a)          _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a)
#define v_select(m, a, b) _mm256_blendv_ps(b, a, m)

#define m_gt(a, b)           _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define m_ge(a, b)           _mm256_cmp_ps(a, b, _CMP_GE_OQ)
#define m_or(a, b)           _mm256_or_ps(a, b)
#define m_any(m)             (_mm256_movemask_ps(m) != 0)
#define m_bits(m)            ((unsigned)_mm256_movemask_ps(m))
#define m_signs_differ(a, b) _mm256_xor_ps(a, b) /* the blend and movemask read the sign alone */

#define i_load(p)     _mm256_loadu_si256((const __m256i *)(p))
#define i_store(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define i_set(x)      _mm256_set1_epi32(x)
#define m_positive(a) _mm256_castsi256_ps(_mm256_cmpgt_epi32(a, _mm256_setzero_si256()))

#define q_set(x)        _mm256_set1_epi64x((long long)(x))
#define q_mul(a, b)     _mm256_mul_epu32(a, b)
#define q_high(a)       _mm256_srli_epi64(a, 32)
#define q_xor3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)

static inline vf v_signed(vf m, vf w) {
    vf sign = _mm256_set1_ps(-0.0f);
    return _mm256_or_ps(_mm256_and_ps(sign, w), _mm256_andnot_ps(sign, m));
}

static inline vf v_scaled(vf p, vf rounded) {
    __m256i k = _mm256_slli_epi32(_mm256_castps_si256(rounded), 23);
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_castps_si256(p), k));
}

static inline vf v_steps(const uint16_t *steps) {
    __m128i narrow = _mm_loadu_si128((const __m128i *)steps);
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(narrow));
}

static inline vi i_select(vm m, vi a, vi b) {
    return _mm256_blendv_epi8(b, a, _mm256_castps_si256(m));
}

static inline vi i_less(vi a) {
    return _mm256_max_epi32(_mm256_sub_epi32(a, _mm256_set1_epi32(1)), _mm256_setzero_si256());
}

static inline vq q_load(const uint32_t *p) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)p));
}

/* Words below 2^32 in 64-bit lanes compare alike signed and unsigned. */
static inline unsigned q_le_bits(vq a, vq most) {
    __m256i word = _mm256_and_si256(a, _mm256_set1_epi64x(0xffffffff));
    __m256i above = _mm256_cmpgt_epi64(word, most);
    return ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(above)) & 0xf;
}

#include "kernel/lane.h"

#define collect_word lane_collect

/* The products of a word with those of eight units, added in pairs. Products of the size of x with
 * t, signed like x, fit in 16 bits two by two; a patch without negative values needs no signs. */
INLINE __m256i products(__m256i x, const int8_t *t, bool negative) {
    __m256i row = _mm256_loadu_si256((const __m256i *)t);
    if (!negative)
        return _mm256_maddubs_epi16(x, row);
    return _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(row, x));
}

INLINE bool match_block(const Matching *m, size_t block, bool negative, int32_t best,
                        int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    const int32_t *inverse = m->inverse + block * KERNEL_UNITS;
    __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i most = _mm256_set1_epi32(best), above = _mm256_setzero_si256();
    for (size_t k = 0; k < m->n_words; k++) {
        int32_t word;
        memcpy(&word, m->x + 4 * k, sizeof word);
        for (int half = 0; half < 2; half++) {
            __m256i pairs =
                products(_mm256_set1_epi32(word), t + k * KERNEL_UNITS * 4 + 32 * half, negative);
            sum[half] = _mm256_add_epi32(sum[half], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
    }
    for (int half = 0; half < 2; half++) {
        __m256i match = _mm256_mullo_epi32(
            sum[half], _mm256_loadu_si256((const __m256i *)(inverse + 8 * half)));
        above = _mm256_or_si256(above, _mm256_cmpgt_epi32(match, most));
        _mm256_storeu_si256((__m256i *)(matches + 8 * half), match);
    }
    return !_mm256_testz_si256(above, above);
}

#define MATCH_BEST                           match_signed
#define MATCH_BLOCK(m, block, best, matches) match_block(m, block, true, best, matches)
#include "kernel/match.h"

#define MATCH_BEST                           match_plain
#define MATCH_BLOCK(m, block, best, matches) match_block(m, block, false, best, matches)
#include "kernel/match.h"

static Match match(const Matching *m) {
    return matching_negative(m) ? match_signed(m) : match_plain(m);
}

#include "kernel/simd.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
