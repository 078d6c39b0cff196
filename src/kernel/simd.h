/* simd.h - the loops of ref.c over vectors; included once by each vector kernel.
 *
 * The including file defines the types and operations listed here, for vectors of V floats:
 *   vf vi vm vq        V floats, V 32-bit integers, a mask, V / 2 64-bit integers
 *   v_load v_store v_set v_add v_sub v_mul v_select v_abs
 *   v_fma v_fnma v_fms a b + c, c - a b, a b - c, with one rounding
 *   v_min v_max        a < b ? a : b, a > b ? a : b
 *   v_signed           |m| with the sign of w
 *   v_scaled           bits(p) - (bits(rounded) << 23) as floats
 *   v_steps            V floats from V uint16_t
 *   m_gt m_ge m_signs_differ m_or m_any m_bits
 *   i_load i_store i_set i_select i_less (x - 1, but not below 0), m_positive
 *   q_set q_load, q_mul (low halves) q_high q_xor3 q_le_bits (low halves)
 *   v_keep             load it now, once: not again as an operand of each instruction that needs it
 *   collect_word       list the columns whose bits are set, return how many; may write
 *                      KERNEL_LANES in all
 *   VISIT_BLOCKS       blocks of KERNEL_LANES columns that rows_visit takes at a time
 * and NAME, the kernel's name, with its function runs_here. */
#include "kernel/kernel.h"
#include "kernel/lane.h"

enum { PER_BLOCK = KERNEL_LANES / V, STEP_BLOCKS = 4, REST_COLUMNS = 32 * KERNEL_LANES };

/* Call TILE(column, blocks) over a span, WIDE blocks (at most 4) at a time; the last ones three at
 * a time where that comes out even, since a narrow tile does little at a time. */
#define FOR_TILES(WIDE, span, TILE)                                                                \
    do {                                                                                           \
        size_t at_ = (span).from, left_ = ((span).to - at_) / KERNEL_LANES;                        \
        for (; left_ >= (WIDE) && ((WIDE) < 4 || left_ % 3 != 0 || left_ > 9); left_ -= (WIDE)) {  \
            TILE(at_, WIDE);                                                                       \
            at_ += (WIDE)*KERNEL_LANES;                                                            \
        }                                                                                          \
        for (; (WIDE) > 3 && left_ >= 3; left_ -= 3) {                                             \
            TILE(at_, 3);                                                                          \
            at_ += 3 * KERNEL_LANES;                                                               \
        }                                                                                          \
        if ((WIDE) > 2 && left_ == 2)                                                              \
            TILE(at_, 2);                                                                          \
        else if ((WIDE) > 1 && left_ == 1)                                                         \
            TILE(at_, 1);                                                                          \
    } while (0)

#include "kernel/simd_rows.h"

/* ---- neurons ---- */

/* V neurons receive `input`; returns which ones spike. */
INLINE vm fire_lanes(vf *current, vf *v, vi *hold, vf input, const NeuronRule *rule) {
    *current = v_fma(v_set(rule->syn), v_sub(input, *current), *current);
    vf pull = v_fms(v_set(rule->r), *current, *v);
    vf potential = v_max(v_fma(v_set(rule->mem), pull, *v), v_set(rule->v_min));
    potential = v_select(m_positive(*hold), v_set(0.0f), potential);
    vm spikes = m_ge(potential, v_set(rule->v_th));
    *v = v_select(spikes, v_set(0.0f), potential);
    *hold = i_select(spikes, i_set(rule->hold), i_less(*hold));
    return spikes;
}

static void neurons_fire(const Neurons *neurons, const float *input, const NeuronRule *rule,
                         uint16_t *spiked, const float *before, float *after, Span span) {
    NeuronRule r = *rule; /* a copy: nothing that is written can be part of it */
    for (size_t block = span.from / KERNEL_LANES; block < span.to / KERNEL_LANES; block++) {
        unsigned bits = 0;
        for (size_t part = 0; part < PER_BLOCK; part++) {
            size_t i = block * KERNEL_LANES + part * V;
            vf current = v_load(neurons->i + i), v = v_load(neurons->v + i);
            vi hold = i_load(neurons->hold + i);
            vm spikes = fire_lanes(&current, &v, &hold, v_load(input + i), &r);
            vf more = v_select(spikes, v_set(r.alpha), v_set(0.0f));
            v_store(neurons->i + i, current);
            v_store(neurons->v + i, v);
            i_store(neurons->hold + i, hold);
            v_store(after + i, v_add(v_load(before + i), more));
            bits |= m_bits(spikes) << (part * V);
        }
        spiked[block] = (uint16_t)bits;
    }
}

static size_t neurons_feel(const Neurons *neurons, const float *error, float *drive,
                           const NeuronRule *rule, Span span) {
    vf rate = v_set(rule->u), r_u = v_set(rule->r_u), eta = v_set(rule->eta), zero = v_set(0.0f);
    vf i_min = v_set(rule->i_min), i_max = v_set(rule->i_max);
    size_t moved = 0;
    for (size_t i = span.from; i < span.to; i += V) {
        vf u = v_load(neurons->u + i), current = v_load(neurons->i + i);
        vf e = error ? v_load(error + i) : zero;
        u = v_fma(rate, v_fms(r_u, e, u), u);
        vf d = v_select(m_gt(current, i_min), v_mul(eta, u), zero);
        d = v_select(m_gt(i_max, current), d, zero);
        v_store(neurons->u + i, u);
        v_store(drive + i, d);
        moved += (size_t)__builtin_popcount(m_bits(m_or(m_gt(d, zero), m_gt(zero, d))));
    }
    return moved;
}

/* ---- all steps at once ---- */

/* One tile of columns through all steps: its part of the active rows stays in the first cache. */
INLINE void steps_tile(const float *w, size_t stride, const Events *events, const NeuronRule *rule,
                       float *input, uint16_t *spiked, size_t column, size_t blocks) {
    size_t words = stride / KERNEL_LANES;
    vf current[STEP_BLOCKS * PER_BLOCK], v[STEP_BLOCKS * PER_BLOCK];
    vi hold[STEP_BLOCKS * PER_BLOCK];
    for (size_t b = 0; b < blocks * PER_BLOCK; b++) {
        current[b] = v[b] = v_set(0.0f);
        hold[b] = i_set(0);
    }
    for (size_t t = 0; t < events->n_steps; t++) {
        vf sum[STEP_BLOCKS * PER_BLOCK];
        for (size_t b = 0; b < blocks * PER_BLOCK; b++)
            sum[b] = v_set(0.0f);
        for (size_t k = events->at[t]; k < events->at[t + 1]; k++) {
            const float *row = w + events->row[k] * stride + column;
#pragma GCC unroll 16
            for (size_t b = 0; b < blocks * PER_BLOCK; b++)
                sum[b] = v_add(sum[b], v_load(row + b * V));
        }
        if (!rule) {
            for (size_t b = 0; b < blocks * PER_BLOCK; b++)
                v_store(input + t * stride + column + b * V, sum[b]);
            continue;
        }
#pragma GCC unroll 16
        for (size_t block = 0; block < blocks; block++) {
            unsigned bits = 0;
#pragma GCC unroll 16
            for (size_t part = 0; part < PER_BLOCK; part++) {
                size_t b = block * PER_BLOCK + part;
                vm spikes = fire_lanes(&current[b], &v[b], &hold[b], sum[b], rule);
                bits |= m_bits(spikes) << (part * V);
            }
            spiked[t * words + column / KERNEL_LANES + block] = (uint16_t)bits;
        }
    }
}

static void steps_sum(const float *w, size_t stride, const Events *events, float *input,
                      Span span) {
#define TILE(column, blocks) steps_tile(w, stride, events, NULL, input, NULL, column, blocks)
    FOR_TILES(STEP_BLOCKS, span, TILE);
#undef TILE
}

static void steps_fire(const float *w, size_t stride, const Events *events, const NeuronRule *rule,
                       uint16_t *spiked, Span span) {
    NeuronRule r = *rule;
#define TILE(column, blocks) steps_tile(w, stride, events, &r, NULL, spiked, column, blocks)
    FOR_TILES(STEP_BLOCKS, span, TILE);
#undef TILE
}

/* ---- random numbers ---- */

/* Philox4x32-10 (Salmon et al. 2011). A 64-bit lane holds one 32-bit word in its low half; what is
 * above is never read. Several counters side by side, since each waits for its own last round. */
enum { HALF = V / 2, HALVES = KERNEL_LANES / HALF };

INLINE void philox(vq c[][4], const uint32_t key[2]) {
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
#pragma GCC unroll 16
        for (size_t h = 0; h < HALVES; h++) {
            vq p0 = q_mul(c[h][0], q_set(0xD2511F53)), p1 = q_mul(c[h][2], q_set(0xCD9E8D57));
            c[h][0] = q_xor3(q_high(p1), c[h][1], q_set(k0));
            c[h][1] = p1;
            c[h][2] = q_xor3(q_high(p0), c[h][3], q_set(k1));
            c[h][3] = p0;
        }
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
}

static void draw(const uint32_t key[2], uint64_t sample, const uint32_t *index,
                 const uint32_t *limit, uint16_t *spiked, size_t words, size_t n_steps) {
    for (size_t step = 0; step < n_steps; step += 4) {
        vq c[HALVES][4];
        for (size_t h = 0; h < HALVES; h++) {
            c[h][0] = q_load(index + h * HALF);
            c[h][1] = q_set(step / 4);
            c[h][2] = q_set((uint32_t)sample);
            c[h][3] = q_set((uint32_t)(sample >> 32));
        }
        philox(c, key);
        for (size_t k = 0; k < 4 && step + k < n_steps; k++) {
            unsigned bits = 0;
            for (size_t h = 0; h < HALVES; h++)
                bits |= q_le_bits(c[h][k], q_load(limit + h * HALF)) << (h * HALF);
            spiked[(step + k) * words] = (uint16_t)bits;
        }
    }
}

/* ---- lists ---- */

static size_t collect(uint32_t *list, const uint16_t *mask, size_t n_words,
                      const uint32_t *column) {
    size_t n = 0;
    for (size_t k = 0; k < n_words; k++)
        n += collect_word(list + n, mask[k], column + k * KERNEL_LANES);
    return n;
}

#include "kernel/settle.h"

#define KERNEL_SYMBOL_(name) kernel_##name
#define KERNEL_SYMBOL(name)  KERNEL_SYMBOL_(name)
#define KERNEL_TEXT_(name)   #name
#define KERNEL_TEXT(name)    KERNEL_TEXT_(name)

const Kernel KERNEL_SYMBOL(NAME) = {
    .name = KERNEL_TEXT(NAME), .runs_here = runs_here, .match = match, KERNEL_LOOPS};
