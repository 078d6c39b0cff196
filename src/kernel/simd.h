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
 *   m_gt m_ge m_signs_differ m_or m_any m_bits, m_of_bits (the low V bits)
 *   i_load i_store i_set i_add i_select i_less (x - 1, but not below 0), m_positive
 *   q_set q_load, q_store_low (V / 2 uint32_t) q_mul (low halves) q_high q_xor3 q_le_bits (low
 *                      halves)
 *   v_keep             load it now, once: not again as an operand of each instruction that needs it
 *   collect_word       list the columns whose bits are set, return how many; may write
 *                      KERNEL_LANES in all
 *   VISIT_BLOCKS       blocks of KERNEL_LANES columns that rows_visit takes at a time
 * and NAME, the kernel's name, with its function runs_here. */
#include "kernel/lane.h"

#define INLINE static inline __attribute__((always_inline))

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

/* ---- rows of synapses ---- */

/* Where the parts of column i lie in a row awake. */
INLINE size_t lanes_at(size_t i, size_t parts) {
    return i / KERNEL_LANES * KERNEL_LANES * parts + i % KERNEL_LANES;
}

INLINE void add_tile(const AwakeRow *rows, size_t n_rows, float *current, size_t column,
                     size_t blocks) {
    vf sum[STEP_BLOCKS * PER_BLOCK];
    for (size_t b = 0; b < blocks * PER_BLOCK; b++)
        sum[b] = v_load(current + column + b * V);
    for (size_t k = 0; k < n_rows; k++)
        for (size_t b = 0; b < blocks * PER_BLOCK; b++)
            sum[b] = v_add(sum[b], v_load(rows[k].w_ref + column + b * V));
    for (size_t b = 0; b < blocks * PER_BLOCK; b++)
        v_store(current + column + b * V, sum[b]);
}

static void rows_add(const AwakeRow *rows, size_t n_rows, float *current, Span span) {
#define TILE(column, blocks) add_tile(rows, n_rows, current, column, blocks)
    FOR_TILES(STEP_BLOCKS, span, TILE);
#undef TILE
}

INLINE vf exp_neg(vf x) {
    x = v_min(x, v_set(LANE_EXP_MAX));
    vf rounded = v_fma(x, v_set(LANE_LOG2E), v_set(LANE_ROUND));
    vf k = v_sub(rounded, v_set(LANE_ROUND));
    vf r = v_fma(k, v_set(LANE_LN2_LO), v_fms(k, v_set(LANE_LN2_HI), x));
    vf p = v_fma(v_set(LANE_C5), r, v_set(LANE_C4));
    p = v_fma(p, r, v_set(LANE_C3));
    p = v_fma(p, r, v_set(LANE_C2));
    p = v_fma(p, r, v_set(1.0f));
    p = v_fma(p, r, v_set(1.0f));
    return v_scaled(p, rounded);
}

/* f anew where `lanes`; M gets the sign of w. */
INLINE void refresh(vm lanes, vf *f, vf *M, vf w) {
    *f = v_select(lanes, exp_neg(v_abs(v_mul(*M, w))), *f);
    *M = v_select(lanes, v_signed(*M, w), *M);
}

/* f exp(M fall) to third order; z2 bounds the error. */
INLINE vf turned(vf f, vf M, vf fall, vf *z2) {
    vf z = v_mul(M, fall);
    *z2 = v_mul(z, z);
    vf q = v_fma(v_fma(z, v_set(1.0f / 6.0f), v_set(0.5f)), *z2, z);
    return v_fma(f, q, f);
}

/* Too far, or across 0, where f would rise above 1. */
INLINE vm too_far(vf z2, vf f) {
    return m_or(m_gt(z2, v_set(KERNEL_TURN_MAX)), m_gt(f, v_set(1.0f)));
}

/* The columns of one tile. Whether any synapse must be refreshed is checked once per tile and row.
 */
INLINE void visit_tile(const AwakeRow *rows, size_t n_rows, const float *now, float *current,
                       size_t column, size_t blocks, bool plastic, bool decays) {
    enum { MOST = VISIT_BLOCKS * PER_BLOCK };
    const size_t parts = plastic ? 3 : 1, n = blocks * PER_BLOCK;
    vf sum[MOST], here[MOST];
    for (size_t b = 0; b < n; b++) {
        sum[b] = v_load(current + column + b * V);
        here[b] = decays ? v_load(now + column + b * V) : v_set(0.0f);
    }
    for (size_t k = 0; k < n_rows; k++) {
        const AwakeRow *row = &rows[k];
        float *awake = row->awake + column * parts;
        const float *drive = row->drive + column, *before = row->before + column;
        vf v[MOST], f[MOST], M[MOST], z2[MOST], farthest = v_set(0.0f), highest = v_set(0.0f);
#define LANES(b) (awake + lanes_at((b)*V, parts))
#pragma GCC unroll 16
        for (size_t b = 0; b < n; b++) {
            vf e = v_load(drive + b * V);
            v[b] = v_load(LANES(b));
            v_keep(v[b]);
            if (decays)
                e = v_fma(v_sub(here[b], v_load(before + b * V)), v[b], e);
            if (!plastic) {
                v[b] = v_sub(v[b], e);
                continue;
            }
            f[b] = v_load(LANES(b) + KERNEL_LANES);
            v_keep(f[b]);
            M[b] = v_load(LANES(b) + 2 * KERNEL_LANES);
            vf fall = v_mul(f[b], e);
            v[b] = v_sub(v[b], fall);
            f[b] = turned(f[b], M[b], fall, &z2[b]);
            farthest = v_max(z2[b], farthest); /* in this order a NaN does not hide the others */
            highest = v_max(f[b], highest);
        }
        if (plastic && __builtin_expect(m_any(too_far(farthest, highest)), 0)) {
            for (size_t b = 0; b < n; b++) {
                vf w = decays ? v_add(v[b], v_load(row->w_ref + column + b * V)) : v[b];
                refresh(too_far(z2[b], f[b]), &f[b], &M[b], w);
                v_store(LANES(b) + 2 * KERNEL_LANES, M[b]);
            }
        }
#pragma GCC unroll 16
        for (size_t b = 0; b < n; b++) {
            v_store(LANES(b), v[b]);
            if (plastic)
                v_store(LANES(b) + KERNEL_LANES, f[b]);
            sum[b] = v_add(sum[b], v[b]);
        }
#undef LANES
    }
    for (size_t b = 0; b < n; b++)
        v_store(current + column + b * V, sum[b]);
}

INLINE void visit_all(const AwakeRow *rows, size_t n_rows, const float *now, float *current,
                      Span span, bool plastic, bool decays) {
#define TILE(column, blocks) visit_tile(rows, n_rows, now, current, column, blocks, plastic, decays)
    FOR_TILES(VISIT_BLOCKS, span, TILE);
#undef TILE
}

static void rows_visit(const AwakeRow *rows, size_t n_rows, const float *now,
                       const SynapseRule *rule, float *current, Span span) {
    if (rule->plastic && rule->decays)
        visit_all(rows, n_rows, now, current, span, true, true);
    else if (rule->plastic)
        visit_all(rows, n_rows, now, current, span, true, false);
    else if (rule->decays)
        visit_all(rows, n_rows, now, current, span, false, true);
    else
        visit_all(rows, n_rows, now, current, span, false, false);
}

/* What k decays take of d; x = k alpha f, a = M d. */
INLINE vf decay_at_once(vf x, vf f, vf a, vf alpha, vm *far) {
    vf half = v_mul(v_fnma(alpha, f, x), v_set(0.5f));
    *far = m_gt(v_fma(v_abs(a), x, x), v_set(KERNEL_DECAY_MAX));
    return v_mul(x, v_fnma(half, v_sub(v_set(1.0f), a), v_set(1.0f)));
}

/* Some of V synapses one decay after the other. */
static __attribute__((noinline)) vf decay_stepwise(unsigned lanes, vf w, vf w_ref, vf m, vf owed,
                                                   float alpha) {
    float w_[V], w_ref_[V], m_[V], owed_[V];
    v_store(w_, w);
    v_store(w_ref_, w_ref);
    v_store(m_, m);
    v_store(owed_, owed);
    for (size_t i = 0; i < V; i++)
        if (lanes >> i & 1)
            w_[i] = lane_decay_stepwise(w_[i], w_ref_[i], m_[i], owed_[i], alpha);
    return v_load(w_);
}

INLINE void decay_lanes(float *restrict awake, vf w_ref, vf owed, const SynapseRule *rule,
                        bool plastic) {
    vf v = v_load(awake), alpha = v_set(rule->alpha), z2 = v_set(0.0f);
    vf f = plastic ? v_load(awake + KERNEL_LANES) : v_set(1.0f);
    vf M = plastic ? v_load(awake + 2 * KERNEL_LANES) : v_set(0.0f);
    vm far;
    vf fall = v_mul(v, decay_at_once(v_mul(owed, f), f, v_mul(M, v), alpha, &far));
    vf after = v_sub(v, fall), next = plastic ? turned(f, M, fall, &z2) : f;
    far = m_or(far, too_far(z2, next));
    if (__builtin_expect(m_any(far), 0)) {
        float pace = rule->by_use ? awake[KERNEL_LANES] : 1.0f; /* one for the whole row */
        vf w = decay_stepwise(m_bits(far), v_add(v, w_ref), w_ref, v_abs(M),
                              v_mul(owed, v_set(pace)), rule->alpha * pace);
        after = v_select(far, v_sub(w, w_ref), after);
        if (plastic && !rule->by_use) {
            refresh(far, &next, &M, w);
            v_store(awake + 2 * KERNEL_LANES, M);
        }
    }
    v_store(awake, after);
    if (plastic)
        v_store(awake + KERNEL_LANES, next);
}

static void row_decay(const AwakeRow *row, const float *now, const SynapseRule *rule, Span span) {
    size_t parts = kernel_parts(rule);
    for (size_t i = span.from; i < span.to; i += V) {
        float *awake = row->awake + lanes_at(i, parts);
        vf owed = v_sub(v_load(now + i), v_load(row->before + i));
        decay_lanes(awake, v_load(row->w_ref + i), owed, rule, rule->plastic);
    }
}

/* m of V synapses. */
INLINE vf m_lanes(const uint16_t *m_steps, size_t i, const SynapseRule *rule) {
    if (!m_steps)
        return v_set(rule->m_all);
    return v_min(v_mul(v_steps(m_steps + i), v_set(rule->delta_m)), v_set(rule->m_max));
}

/* V synapses through one sample, of plasticity exp(-|m w|) if by_m, else f_all. */
INLINE void rest_lanes(float *w_at, float *w_ref_at, vf m, float f_all, vf k_alpha,
                       const SynapseRule *rule, bool by_m) {
    vm far;
    vf w = v_load(w_at), w_ref = v_load(w_ref_at), d = v_sub(w, w_ref);
    vf f = by_m ? exp_neg(v_abs(v_mul(m, w))) : v_set(f_all);
    vf a = by_m ? v_mul(v_signed(m, w), d) : v_set(0.0f), x = v_mul(k_alpha, f);
    vf fraction = decay_at_once(x, f, a, v_set(rule->alpha), &far);
    vf next = v_fnma(d, fraction, w);
    far = m_or(far, m_signs_differ(next, w));
    if (__builtin_expect(m_any(far), 0)) {
        vf slow = by_m ? decay_stepwise(m_bits(far), w, w_ref, m, k_alpha, rule->alpha)
                       : decay_stepwise(m_bits(far), w, w_ref, a, x, rule->alpha * f_all);
        next = v_select(far, slow, next);
    }
    v_store(w_at, next);
    v_store(w_ref_at, v_fma(v_set(rule->cons_rate), v_sub(next, w_ref), w_ref));
}

/* Sample by sample over a piece of the row that stays in the first cache: a synapse waits for its
 * own last sample, but its neighbours do not. */
INLINE void rest_piece(Row row, const float *owed, size_t stride, size_t n_samples,
                       const SynapseRule *rule, Span piece, bool by_m) {
    float m[REST_COLUMNS], f_all = rule->by_use ? row.plasticity : 1.0f;
    for (size_t i = piece.from; i < piece.to; i += V)
        v_store(m + i - piece.from, m_lanes(row.m_steps, i, rule));
    for (size_t s = 0; s < n_samples; s++)
        for (size_t i = piece.from; i < piece.to; i += V)
            rest_lanes(row.w + i, row.w_ref + i, v_load(m + i - piece.from), f_all,
                       v_load(owed + s * stride + i), rule, by_m);
}

static void row_rest(const Row *given, const float *owed, size_t stride, size_t n_samples,
                     const SynapseRule *rule, Span span) {
    SynapseRule r = *rule; /* a copy: nothing that is written can be part of it */
    for (size_t from = span.from; from < span.to; from += REST_COLUMNS) {
        Span piece = {from, from + REST_COLUMNS < span.to ? from + REST_COLUMNS : span.to};
        if (r.plastic && !r.by_use)
            rest_piece(*given, owed, stride, n_samples, &r, piece, true);
        else
            rest_piece(*given, owed, stride, n_samples, &r, piece, false);
    }
}

static void row_wake(const Row *given, float *awake, const SynapseRule *rule, Span span) {
    Row row = *given; /* a copy: nothing that is written can be part of it */
    size_t parts = kernel_parts(rule);
    for (size_t i = span.from; i < span.to; i += V) {
        float *lanes = awake + lanes_at(i, parts);
        vf w = v_load(row.w + i);
        v_store(lanes, row.w_ref ? v_sub(w, v_load(row.w_ref + i)) : w);
        if (rule->by_use) {
            v_store(lanes + KERNEL_LANES, v_set(row.plasticity));
            v_store(lanes + 2 * KERNEL_LANES, v_set(0.0f));
        } else if (rule->plastic) {
            vf m = m_lanes(row.m_steps, i, rule);
            v_store(lanes + KERNEL_LANES, exp_neg(v_abs(v_mul(m, w))));
            v_store(lanes + 2 * KERNEL_LANES, v_signed(m, w));
        }
    }
}

static void strengthen(uint16_t *restrict m_steps, const uint16_t *restrict ready, uint16_t ceiling,
                       size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint16_t room = (uint16_t)(m_steps[i] < ceiling);
        m_steps[i] = (uint16_t)(m_steps[i] + (ready[i] & room));
    }
}

static void row_sleep(const Row *given, const float *awake, const uint16_t *ready,
                      const SynapseRule *rule, Span span) {
    Row row = *given; /* a copy: nothing that is written can be part of it */
    size_t parts = kernel_parts(rule);
    vf rate = v_set(rule->cons_rate);
    for (size_t i = span.from; i < span.to; i += V) {
        vf v = v_load(awake + lanes_at(i, parts));
        if (row.w_ref) {
            vf w_ref = v_load(row.w_ref + i);
            v_store(row.w_ref + i, v_fma(rate, v, w_ref));
            v = v_add(v, w_ref);
        }
        v_store(row.w + i, v);
    }
    if (ready)
        strengthen(row.m_steps + span.from, ready + span.from, rule->m_ceiling,
                   span.to - span.from);
}

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
                         uint16_t *spiked, const float *before, float *after, float alpha,
                         Span span) {
    NeuronRule r = *rule; /* a copy: nothing that is written can be part of it */
    for (size_t block = span.from / KERNEL_LANES; block < span.to / KERNEL_LANES; block++) {
        unsigned bits = 0;
        for (size_t part = 0; part < PER_BLOCK; part++) {
            size_t i = block * KERNEL_LANES + part * V;
            vf current = v_load(neurons->i + i), v = v_load(neurons->v + i);
            vi hold = i_load(neurons->hold + i);
            vm spikes = fire_lanes(&current, &v, &hold, v_load(input + i), &r);
            vf more = v_select(spikes, v_set(alpha), v_set(0.0f));
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

static void draw_words(const uint32_t key[2], uint64_t sample, uint32_t index, uint32_t block,
                       uint32_t *words) {
    uint32_t blocks[KERNEL_LANES];
    vq c[HALVES][4];
    for (uint32_t i = 0; i < KERNEL_LANES; i++)
        blocks[i] = block + i;
    for (size_t h = 0; h < HALVES; h++) {
        c[h][0] = q_set(index);
        c[h][1] = q_load(blocks + h * HALF);
        c[h][2] = q_set((uint32_t)sample);
        c[h][3] = q_set((uint32_t)(sample >> 32));
    }
    philox(c, key);
    for (size_t k = 0; k < 4; k++)
        for (size_t h = 0; h < HALVES; h++)
            q_store_low(words + k * KERNEL_LANES + h * HALF, c[h][k]);
}

static void drive_add(int32_t *drive, const uint32_t *mask, size_t n_words, int32_t amount) {
    vi more = i_set(amount);
    for (size_t k = 0; k < n_words; k++) {
#pragma GCC unroll 16
        for (size_t i = 0; i < 32; i += V) {
            vi at = i_load(drive + k * 32 + i);
            i_store(drive + k * 32 + i, i_select(m_of_bits(mask[k] >> i), i_add(at, more), at));
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

#define KERNEL_SYMBOL_(name) kernel_##name
#define KERNEL_SYMBOL(name)  KERNEL_SYMBOL_(name)
#define KERNEL_TEXT_(name)   #name
#define KERNEL_TEXT(name)    KERNEL_TEXT_(name)

const Kernel KERNEL_SYMBOL(NAME) = {
    .name = KERNEL_TEXT(NAME),
    .runs_here = runs_here,
    .rows_add = rows_add,
    .rows_visit = rows_visit,
    .row_decay = row_decay,
    .row_rest = row_rest,
    .row_wake = row_wake,
    .row_sleep = row_sleep,
    .neurons_fire = neurons_fire,
    .neurons_feel = neurons_feel,
    .steps_sum = steps_sum,
    .steps_fire = steps_fire,
    .draw = draw,
    .words = draw_words,
    .drive_add = drive_add,
    .collect = collect,
};
