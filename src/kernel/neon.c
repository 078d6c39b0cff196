/* neon.c - the inner loops with vectors of 4 floats, for 64-bit Arm. */
#include "kernel/kernel.h"

#ifdef KERNEL_NEON
#include <arm_neon.h>
#include <string.h>
#if defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

enum { V = 4, VISIT_BLOCKS = 1 };
#define NAME neon

typedef float32x4_t vf;
typedef int32x4_t vi;
typedef uint32x4_t vm;
typedef uint64x2_t vq;

#define v_load(p)         vld1q_f32(p)
#define v_keep(x)         __asm__("" : "+w"(x))
#define v_store(p, x)     vst1q_f32(p, x)
#define v_set(x)          vdupq_n_f32(x)
#define v_add(a, b)       vaddq_f32(a, b)
#define v_sub(a, b)       vsubq_f32(a, b)
#define v_mul(a, b)       vmulq_f32(a, b)
#define v_fma(a, b, c)    vfmaq_f32(c, a, b)
#define v_fnma(a, b, c)   vfmsq_f32(c, a, b)
#define v_fms(a, b, c)    vfmaq_f32(vnegq_f32(c), a, b)
#define v_min(a, b)       vbslq_f32(vcltq_f32(a, b), a, b)
#define v_max(a, b)       vbslq_f32(vcgtq_f32(a, b), a, b)
#define v_abs(a)          vabsq_f32(a)
#define v_select(m, a, b) vbslq_f32(m, a, b)
#define v_signed(m, w)    vbslq_f32(vdupq_n_u32(0x80000000), w, m)

#define m_gt(a, b) vcgtq_f32(a, b)
#define m_ge(a, b) vcgeq_f32(a, b)
#define m_or(a, b) vorrq_u32(a, b)
#define m_any(m)   (vmaxvq_u32(m) != 0)

#define i_load(p)         vld1q_s32(p)
#define i_store(p, x)     vst1q_s32(p, x)
#define i_set(x)          vdupq_n_s32(x)
#define i_select(m, a, b) vbslq_s32(m, a, b)
#define i_less(a)         vmaxq_s32(vsubq_s32(a, vdupq_n_s32(1)), vdupq_n_s32(0))
#define m_positive(a)     vcgtzq_s32(a)

#define q_set(x)        vdupq_n_u64(x)
#define q_load(p)       vmovl_u32(vld1_u32(p))
#define q_mul(a, b)     vmull_u32(vmovn_u64(a), vmovn_u64(b))
#define q_high(a)       vshrq_n_u64(a, 32)
#define q_xor3(a, b, c) veorq_u64(veorq_u64(a, b), c)

static inline unsigned m_bits(vm m) {
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(weights)));
}

static inline vm m_signs_differ(vf a, vf b) {
    uint32x4_t both = veorq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b));
    return vcltzq_s32(vreinterpretq_s32_u32(both));
}

static inline vf v_scaled(vf p, vf rounded) {
    uint32x4_t k = vshlq_n_u32(vreinterpretq_u32_f32(rounded), 23);
    return vreinterpretq_f32_u32(vsubq_u32(vreinterpretq_u32_f32(p), k));
}

static inline vf v_steps(const uint16_t *steps) {
    return vcvtq_f32_u32(vmovl_u16(vld1_u16(steps)));
}

static inline unsigned q_le_bits(vq a, vq most) {
    uint32x2_t le = vcle_u32(vmovn_u64(a), vmovn_u64(most));
    return (vget_lane_u32(le, 0) & 1) | (vget_lane_u32(le, 1) & 2);
}

static bool runs_here(void) {
    return true; /* part of the 64-bit Arm baseline */
}

#include "kernel/lane.h"

#define collect_word lane_collect

/* Whether a match of the block is above `best`; its dot products are in sum, four by four. */
INLINE bool match_above(const Matching *m, size_t block, const int32x4_t sum[4], int32_t best,
                        int32_t *matches) {
    const int32_t *inverse = m->inverse + block * KERNEL_UNITS;
    uint32x4_t above = vdupq_n_u32(0);
    for (size_t four = 0; four < KERNEL_UNITS / 4; four++) {
        int32x4_t match = vmulq_s32(sum[four], vld1q_s32(inverse + 4 * four));
        above = vorrq_u32(above, vcgtq_s32(match, vdupq_n_s32(best)));
        vst1q_s32(matches + 4 * four, match);
    }
    return vmaxvq_u32(above) != 0;
}

static inline int32_t word_of(const Matching *m, size_t k) {
    int32_t word;
    memcpy(&word, m->x + 4 * k, sizeof word);
    return word;
}

/* Four units: products of bytes fit in 16 bits, and are added in pairs to 32. */
static bool match_block(const Matching *m, size_t block, int32_t best, int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    int32x4_t sum[KERNEL_UNITS / 4];
    for (size_t four = 0; four < KERNEL_UNITS / 4; four++) {
        int32x4_t low = vdupq_n_s32(0), high = low; /* two sums per unit, side by side */
        for (size_t k = 0; k < m->n_words; k++) {
            int8x8_t x = vreinterpret_s8_s32(vdup_n_s32(word_of(m, k)));
            int8x16_t row = vld1q_s8(t + (k * KERNEL_UNITS + 4 * four) * 4);
            low = vpadalq_s16(low, vmull_s8(vget_low_s8(row), x));
            high = vpadalq_s16(high, vmull_s8(vget_high_s8(row), x));
        }
        sum[four] = vpaddq_s32(low, high);
    }
    return match_above(m, block, sum, best, matches);
}

#define MATCH_BEST  match
#define MATCH_BLOCK match_block
#include "kernel/match.h"

#include "kernel/simd.h"

/* ---- with instructions for sums of four products ---- */

#if defined(__clang__)
#define DOT __attribute__((target("dotprod")))
#else
#define DOT __attribute__((target("arch=armv8.2-a+dotprod")))
#endif

static bool runs_dot(void) {
#if defined(__ARM_FEATURE_DOTPROD)
    return true; /* compiled for such processors only */
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
#elif defined(__APPLE__)
    int has = 0;
    size_t size = sizeof has;
    return sysctlbyname("hw.optional.arm.FEAT_DotProd", &has, &size, NULL, 0) == 0 && has;
#else
    return false;
#endif
}

/* The intrinsic is missing where a compiler has to be told of the instruction for each file. */
DOT INLINE int32x4_t add_products(int32x4_t sum, int8x16_t a, int8x16_t b) {
    __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(a), "w"(b));
    return sum;
}

DOT INLINE bool match_block_dot(const Matching *m, size_t block, int32_t best, int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    int32x4_t sum[KERNEL_UNITS / 4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0),
                                       vdupq_n_s32(0)};
    for (size_t k = 0; k < m->n_words; k++) {
        int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(word_of(m, k)));
#pragma GCC unroll 4
        for (size_t four = 0; four < KERNEL_UNITS / 4; four++)
            sum[four] = add_products(sum[four], vld1q_s8(t + (k * KERNEL_UNITS + 4 * four) * 4), x);
    }
    return match_above(m, block, sum, best, matches);
}

#define MATCH_BEST  DOT match_dot
#define MATCH_BLOCK match_block_dot
#include "kernel/match.h"

const Kernel kernel_neon_dot = {
    .name = "neon-dot", .runs_here = runs_dot, .match = match_dot, KERNEL_LOOPS};

#endif
