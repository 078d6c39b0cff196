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

static bool runs_vnni(void) {
    return runs_here() && __builtin_cpu_supports("avx512vnni");
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

static inline unsigned q_le_bits(vq a, vq most) {
    __m512i word = _mm512_and_si512(a, _mm512_set1_epi64(0xffffffff));
    return _mm512_cmple_epu64_mask(word, most);
}

static inline size_t collect_word(uint32_t *list, uint16_t mask, const uint32_t *column) {
    __m512i set = _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(column));
    _mm512_storeu_si512(list, set);
    return (size_t)__builtin_popcount(mask);
}

#include "kernel/lane.h"

/* Factors of the products of a word with those of sixteen units. The first must have no sign, as
 * the instructions want it: a patch with negative values leaves it to the second. */
typedef struct Factors {
    __m512i x, t;
} Factors;

INLINE Factors factors_of(const Matching *m, const int8_t *t, size_t k, bool negative) {
    int32_t word;
    memcpy(&word, m->x + 4 * k, sizeof word);
    __m512i x = _mm512_set1_epi32(word), row = _mm512_loadu_si512(t + k * KERNEL_UNITS * 4);
    if (!negative)
        return (Factors){x, row};
    row = _mm512_mask_sub_epi8(row, _mm512_movepi8_mask(x), _mm512_setzero_si512(), row);
    return (Factors){_mm512_abs_epi8(x), row};
}

INLINE bool match_above(const Matching *m, size_t block, __m512i dots, int32_t best,
                        int32_t *matches) {
    const int32_t *inverse = m->inverse + block * KERNEL_UNITS;
    __m512i match = _mm512_mullo_epi32(dots, _mm512_loadu_si512(inverse));
    if (_mm512_cmpgt_epi32_mask(match, _mm512_set1_epi32(best)) == 0)
        return false;
    _mm512_storeu_si512(matches, match);
    return true;
}

/* Two products fit in 16 bits. */
INLINE bool match_block(const Matching *m, size_t block, bool negative, int32_t best,
                        int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    __m512i sum = _mm512_setzero_si512(), ones = _mm512_set1_epi16(1);
    for (size_t k = 0; k < m->n_words; k++) {
        Factors f = factors_of(m, t, k, negative);
        __m512i pairs = _mm512_maddubs_epi16(f.x, f.t);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, ones));
    }
    return match_above(m, block, sum, best, matches);
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

/* ---- with instructions for sums of four products ---- */

#define VNNI __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma,avx512vnni")))

VNNI INLINE bool match_block_vnni(const Matching *m, size_t block, bool negative, int32_t best,
                                  int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    __m512i even = _mm512_setzero_si512(), odd = even; /* each waits for its own last sum */
    for (size_t k = 0; k < m->n_words; k++) {
        Factors f = factors_of(m, t, k, negative);
        even = _mm512_dpbusd_epi32(even, f.x, f.t);
        if (++k == m->n_words)
            break;
        f = factors_of(m, t, k, negative);
        odd = _mm512_dpbusd_epi32(odd, f.x, f.t);
    }
    return match_above(m, block, _mm512_add_epi32(even, odd), best, matches);
}

#define MATCH_BEST                           VNNI match_signed_vnni
#define MATCH_BLOCK(m, block, best, matches) match_block_vnni(m, block, true, best, matches)
#include "kernel/match.h"

#define MATCH_BEST                           VNNI match_plain_vnni
#define MATCH_BLOCK(m, block, best, matches) match_block_vnni(m, block, false, best, matches)
#include "kernel/match.h"

static Match match_vnni(const Matching *m) {
    return matching_negative(m) ? match_signed_vnni(m) : match_plain_vnni(m);
}

const Kernel kernel_avx512_vnni = {
    .name = "avx512-vnni", .runs_here = runs_vnni, .match = match_vnni, KERNEL_LOOPS};

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
