/* simd_rows.h - the loops over rows of synapses, with the vectors that simd.h describes. Included
 * only by simd.h. */
#ifndef KERNEL_SIMD_ROWS_H
#define KERNEL_SIMD_ROWS_H

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
        vf w = decay_stepwise(m_bits(far), v_add(v, w_ref), w_ref, v_abs(M), owed, rule->alpha);
        after = v_select(far, v_sub(w, w_ref), after);
        if (plastic) {
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

/* V synapses through one sample, of plasticity exp(-|m w|), or 1 if they are not plastic. */
INLINE void rest_lanes(float *w_at, float *w_ref_at, vf m, vf k_alpha, const SynapseRule *rule,
                       bool plastic) {
    vm far;
    vf w = v_load(w_at), w_ref = v_load(w_ref_at), d = v_sub(w, w_ref);
    vf f = plastic ? exp_neg(v_abs(v_mul(m, w))) : v_set(1.0f);
    vf a = plastic ? v_mul(v_signed(m, w), d) : v_set(0.0f), x = v_mul(k_alpha, f);
    vf fraction = decay_at_once(x, f, a, v_set(rule->alpha), &far);
    vf next = v_fnma(d, fraction, w);
    far = m_or(far, m_signs_differ(next, w));
    if (__builtin_expect(m_any(far), 0)) {
        vf slow = decay_stepwise(m_bits(far), w, w_ref, plastic ? m : a, k_alpha, rule->alpha);
        next = v_select(far, slow, next);
    }
    v_store(w_at, next);
    v_store(w_ref_at, v_fma(v_set(rule->cons_rate), v_sub(next, w_ref), w_ref));
}

/* Sample by sample over a piece of the row that stays in the first cache: a synapse waits for its
 * own last sample, but its neighbours do not. */
INLINE void rest_piece(Row row, const float *owed, size_t stride, size_t n_samples,
                       const SynapseRule *rule, Span piece, bool plastic) {
    float m[REST_COLUMNS];
    for (size_t i = piece.from; i < piece.to; i += V)
        v_store(m + i - piece.from, m_lanes(row.m_steps, i, rule));
    for (size_t s = 0; s < n_samples; s++)
        for (size_t i = piece.from; i < piece.to; i += V)
            rest_lanes(row.w + i, row.w_ref + i, v_load(m + i - piece.from),
                       v_load(owed + s * stride + i), rule, plastic);
}

static void row_rest(const Row *given, const float *owed, size_t stride, size_t n_samples,
                     const SynapseRule *rule, Span span) {
    SynapseRule r = *rule; /* a copy: nothing that is written can be part of it */
    for (size_t from = span.from; from < span.to; from += REST_COLUMNS) {
        Span piece = {from, from + REST_COLUMNS < span.to ? from + REST_COLUMNS : span.to};
        if (r.plastic)
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
        if (rule->plastic) {
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

#endif
