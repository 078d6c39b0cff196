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
#define i_add(a, b)   _mm256_add_epi32(a, b)
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

static inline vm m_of_bits(uint32_t bits) {
    __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i set = _mm256_and_si256(_mm256_set1_epi32((int)bits), own);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, own));
}

static inline void q_store_low(uint32_t *p, vq a) {
    __m256i low = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(low));
}

/* Words below 2^32 in 64-bit lanes compare alike signed and unsigned. */
static inline unsigned q_le_bits(vq a, vq most) {
    __m256i word = _mm256_and_si256(a, _mm256_set1_epi64x(0xffffffff));
    __m256i above = _mm256_cmpgt_epi64(word, most);
    return ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(above)) & 0xf;
}

#include "kernel/lane.h"

#define collect_word lane_collect

#include "kernel/simd.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
