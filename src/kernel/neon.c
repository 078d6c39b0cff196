/* neon.c - the inner loops with vectors of 4 floats, for 64-bit Arm. */
#include "kernel/kernel.h"

#ifdef KERNEL_NEON
#include <arm_neon.h>

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
#define i_add(a, b)       vaddq_s32(a, b)
#define m_positive(a)     vcgtzq_s32(a)

#define q_set(x)          vdupq_n_u64(x)
#define q_load(p)         vmovl_u32(vld1_u32(p))
#define q_store_low(p, a) vst1_u32(p, vmovn_u64(a))
#define q_mul(a, b)       vmull_u32(vmovn_u64(a), vmovn_u64(b))
#define q_high(a)         vshrq_n_u64(a, 32)
#define q_xor3(a, b, c)   veorq_u64(veorq_u64(a, b), c)

static inline unsigned m_bits(vm m) {
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(weights)));
}

static inline vm m_of_bits(uint32_t bits) {
    static const uint32_t own[4] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(own));
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

#include "kernel/simd.h"

#endif
