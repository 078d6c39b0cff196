/* avx512.c - the inner loops with vectors of 16 floats. */
#include "kernel/kernel.h"

#ifdef KERNEL_X86
#include <float.h>
#include <immintrin.h>
#include <string.h>

/* Called before anything else here, so compiled for any processor. The system must save the
 * registers too; the compiler's check includes that (XGETBV). */
static bool runs_here(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("fma");
}

/* From here on for processors that support it. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))),    \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma,prefer-vector-width=512")
#endif
#define LANE_FUSED

enum { V = 16, VISIT_BLOCKS = 4 };
#define NAME avx512

typedef __m512 vf;
typedef __m512i vi, vq;
typedef __mmask16 vm;

#define v_load(p)         _mm512_loadu_ps(p)
#define v_keep(x)         __asm__("" : "+v"(x))
#define v_store(p, x)     _mm512_storeu_ps(p, x)
#define v_set(x)          _mm512_set1_ps(x)
#define v_add(a, b)       _mm512_add_ps(a, b)
#define v_sub(a, b)       _mm512_sub_ps(a, b)
#define v_mul(a, b)       _mm512_mul_ps(a, b)
#define v_fma(a, b, c)    _mm512_fmadd_ps(a, b, c)
#define v_fnma(a, b, c)   _mm512_fnmadd_ps(a, b, c)
#define v_fms(a, b, c)    _mm512_fmsub_ps(a, b, c)
#define v_min(a, b)       _mm512_min_ps(a, b)
#define v_max(a, b)       _mm512_max_ps(a, b)
#define v_abs(a)          _mm512_abs_ps(a)
#define v_select(m, a, b) _mm512_mask_blend_ps(m, b, a)

#define m_gt(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define m_ge(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ)
#define m_or(a, b) _kor_mask16(a, b)
#define m_any(m)   (!_kortestz_mask16_u8(m, m))
#define m_bits(m)  ((unsigned)(m))

#define i_load(p)         _mm512_loadu_si512(p)
#define i_store(p, x)     _mm512_storeu_si512(p, x)
#define i_set(x)          _mm512_set1_epi32(x)
#define i_select(m, a, b) _mm512_mask_blend_epi32(m, b, a)
#define i_add(a, b)       _mm512_add_epi32(a, b)
#define m_of_bits(bits)   ((__mmask16)(bits))
#define m_positive(a)     _mm512_cmpgt_epi32_mask(a, _mm512_setzero_si512())

#define q_set(x)        _mm512_set1_epi64((long long)(x))
#define q_mul(a, b)     _mm512_mul_epu32(a, b)
#define q_high(a)       _mm512_srli_epi64(a, 32)
#define q_xor3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)

static inline vf v_signed(vf m, vf w) {
    __m512i sign = _mm512_set1_epi32(INT32_MIN); /* w where the sign is, m elsewhere */
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(sign, _mm512_castps_si512(w), _mm512_castps_si512(m), 0xCA));
}

static inline vf v_scaled(vf p, vf rounded) {
    __m512i k = _mm512_slli_epi32(_mm512_castps_si512(rounded), 23);
    return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_castps_si512(p), k));
}

static inline vf v_steps(const uint16_t *steps) {
    __m256i narrow = _mm256_loadu_si256((const __m256i *)steps);
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(narrow));
}

static inline vm m_signs_differ(vf a, vf b) {
    return _mm512_movepi32_mask(_mm512_xor_si512(_mm512_castps_si512(a), _mm512_castps_si512(b)));
}

static inline vi i_less(vi a) {
    return _mm512_max_epi32(_mm512_sub_epi32(a, _mm512_set1_epi32(1)), _mm512_setzero_si512());
}

static inline vq q_load(const uint32_t *p) {
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)p));
}

static inline void q_store_low(uint32_t *p, vq a) {
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi64_epi32(a));
}

static inline unsigned q_le_bits(vq a, vq most) {
    __m512i word = _mm512_and_si512(a, _mm512_set1_epi64(0xffffffff));
    return _mm512_cmple_epu64_mask(word, most);
}

static inline size_t collect_word(uint32_t *list, uint16_t mask, const uint32_t *column) {
    __m512i set = _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(column));
    _mm512_storeu_si512(list, set);
    return (size_t)__builtin_popcount(mask);
}

#include "kernel/simd.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
