/* ref.c - defines every inner loop, in plain C.
 *
 * Columns are taken in blocks of KERNEL_LANES. A loop over the lanes of a block does one thing to
 * each and has no branches: compilers vectorise it, and processors find other lanes ready while one
 * waits for its last result. The few lanes that need more get it afterwards, one by one. So it is
 * fast enough where no other kernel runs, and the bits are those of one lane after another. */
#include "kernel/kernel.h"
#include "kernel/lane.h"

#include "base/rng.h"

typedef float Lanes[KERNEL_LANES];
typedef uint32_t Masks[KERNEL_LANES]; /* all bits or none */

/* gcc may unroll short loops whole before it looks for vectors, unless told how much. */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH_LANE _Pragma("GCC unroll 4") for (size_t l = 0; l < KERNEL_LANES; l++)
#else
#define EACH_LANE for (size_t l = 0; l < KERNEL_LANES; l++)
#endif

static bool any(const Masks masks) {
    uint32_t bits = 0;
    EACH_LANE bits |= masks[l];
    return bits != 0;
}

/* y[l] = a b + c with one rounding, for each lane l. The others are expressions of l, but not of y:
 * where there is doubt, they are evaluated again. */
#define FMA(y, a, b, c)                                                                            \
    do {                                                                                           \
        Masks doubt_;                                                                              \
        EACH_LANE y[l] = lane_fma_or_doubt(a, b, c, &doubt_[l]);                                   \
        if (any(doubt_))                                                                           \
            EACH_LANE y[l] = lane_fma(a, b, c);                                                    \
    } while (0)

static void add(float *restrict sum, const float *restrict x, size_t n) {
    for (size_t i = 0; i < n; i++)
        sum[i] += x[i];
}

/* ---- rows of synapses ---- */

static void rows_add(const AwakeRow *rows, size_t n_rows, float *current, Span span) {
    for (size_t k = 0; k < n_rows; k++)
        add(current + span.from, rows[k].w_ref + span.from, span.to - span.from);
}

/* f = exp(-|m w|), as in lane_exp_neg. */
static void plasticity(float *restrict f, const float *restrict m, const float *restrict w) {
    Lanes x, rounded, k, r_hi, r, p4, p3, p2, p1, p;
    EACH_LANE x[l] = lane_magnitude(m[l] * w[l]);
    EACH_LANE x[l] = x[l] < LANE_EXP_MAX ? x[l] : LANE_EXP_MAX;
    FMA(rounded, x[l], LANE_LOG2E, LANE_ROUND);
    EACH_LANE k[l] = rounded[l] - LANE_ROUND;
    FMA(r_hi, k[l], LANE_LN2_HI, -x[l]);
    FMA(r, k[l], LANE_LN2_LO, r_hi[l]);
    FMA(p4, LANE_C5, r[l], LANE_C4);
    FMA(p3, p4[l], r[l], LANE_C3);
    FMA(p2, p3[l], r[l], LANE_C2);
    FMA(p1, p2[l], r[l], 1.0f);
    FMA(p, p1[l], r[l], 1.0f);
    EACH_LANE f[l] = lane_float(lane_bits(p[l]) - (lane_bits(rounded[l]) << 23));
}

/* f and M of one lane from w itself. */
static void refresh(float *f, float *M, float w, float m) {
    *f = lane_exp_neg(lane_magnitude(m * w));
    *M = lane_signed(m, w);
}

/* w has fallen by `fall`: next = f exp(M fall) to third order. Far where that does not hold: a long
 * way, or across 0, where f would rise above 1. */
static void turn(float *restrict next, uint32_t *restrict far, const float *restrict f,
                 const float *restrict M, const float *restrict fall) {
    Lanes z, z2, q_hi, q;
    EACH_LANE z[l] = M[l] * fall[l];
    EACH_LANE z2[l] = z[l] * z[l];
    FMA(q_hi, z[l], 1.0f / 6.0f, 0.5f);
    FMA(q, q_hi[l], z2[l], z[l]);
    FMA(next, f[l], q[l], f[l]);
    EACH_LANE far[l] = lane_mask(z2[l] > KERNEL_TURN_MAX) | lane_mask(next[l] > 1.0f);
}

/* f and M after v has fallen by `fall`; w = v + w_ref, or v if w_ref is NULL. */
static void turn_or_refresh(float *f, float *M, const float *fall, const float *v,
                            const float *w_ref) {
    Lanes next;
    Masks far;
    turn(next, far, f, M, fall);
    if (any(far))
        for (size_t l = 0; l < KERNEL_LANES; l++)
            if (far[l])
                refresh(&next[l], &M[l], w_ref ? v[l] + w_ref[l] : v[l], lane_magnitude(M[l]));
    memcpy(f, next, sizeof next);
}

static void visit_block(const AwakeRow *row, size_t i, const float *now, const SynapseRule *rule,
                        float *current) {
    const float *drive = row->drive + i, *before = row->before + i;
    float *v = row->awake + i * kernel_parts(rule), *f = v + KERNEL_LANES;
    Lanes fall, next_v;
    if (rule->decays)
        FMA(fall, now[i + l] - before[l], v[l], drive[l]);
    else
        memcpy(fall, drive, sizeof fall);
    if (rule->plastic)
        EACH_LANE fall[l] *= f[l];
    EACH_LANE next_v[l] = v[l] - fall[l];
    if (rule->plastic)
        turn_or_refresh(f, f + KERNEL_LANES, fall, next_v, row->w_ref ? row->w_ref + i : NULL);
    memcpy(v, next_v, sizeof next_v);
    add(current + i, next_v, KERNEL_LANES);
}

static void rows_visit(const AwakeRow *rows, size_t n_rows, const float *now,
                       const SynapseRule *rule, float *current, Span span) {
    for (size_t k = 0; k < n_rows; k++)
        for (size_t i = span.from; i < span.to; i += KERNEL_LANES)
            visit_block(&rows[k], i, now, rule, current);
}

/* What k decays take of d = w - w_ref, as a fraction of d. With x = k alpha f and a = M d it is, to
 * second order, x - (1 - a) x (x - alpha f) / 2. Far where the series does not hold. */
static void decay_at_once(float *restrict fraction, uint32_t *restrict far, const float *restrict x,
                          const float *restrict f, const float *restrict a, float alpha) {
    Lanes twice, series, reach;
    FMA(twice, -alpha, f[l], x[l]);
    FMA(series, -(twice[l] * 0.5f), 1.0f - a[l], 1.0f);
    EACH_LANE fraction[l] = x[l] * series[l];
    FMA(reach, lane_magnitude(a[l]), x[l], x[l]);
    EACH_LANE far[l] = lane_mask(reach[l] > KERNEL_DECAY_MAX);
}

static void decay_block(const AwakeRow *row, size_t i, const float *now, const SynapseRule *rule) {
    const float *before = row->before + i, *w_ref = row->w_ref + i;
    float *v = row->awake + i * kernel_parts(rule);
    Lanes f, M, owed, x, a, fall, next_v, next_f;
    Masks far, beyond = {0};
    EACH_LANE f[l] = 1.0f;
    EACH_LANE M[l] = 0.0f;
    if (rule->plastic) {
        memcpy(f, v + KERNEL_LANES, sizeof f);
        memcpy(M, v + 2 * KERNEL_LANES, sizeof M);
    }
    EACH_LANE owed[l] = now[i + l] - before[l];
    EACH_LANE x[l] = owed[l] * f[l];
    EACH_LANE a[l] = M[l] * v[l];
    decay_at_once(fall, far, x, f, a, rule->alpha);
    EACH_LANE fall[l] *= v[l];
    EACH_LANE next_v[l] = v[l] - fall[l];
    if (rule->plastic)
        turn(next_f, beyond, f, M, fall);
    EACH_LANE far[l] |= beyond[l];
    if (any(far))
        for (size_t l = 0; l < KERNEL_LANES; l++)
            if (far[l]) {
                float m = lane_magnitude(M[l]);
                float w = lane_decay_stepwise(v[l] + w_ref[l], w_ref[l], m, owed[l], rule->alpha);
                next_v[l] = w - w_ref[l];
                refresh(&next_f[l], &M[l], w, m);
            }
    memcpy(v, next_v, sizeof next_v);
    if (rule->plastic) {
        memcpy(v + KERNEL_LANES, next_f, sizeof next_f);
        memcpy(v + 2 * KERNEL_LANES, M, sizeof M);
    }
}

static void row_decay(const AwakeRow *row, const float *now, const SynapseRule *rule, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES)
        decay_block(row, i, now, rule);
}

/* m of the block from column i on. */
static void m_block(Lanes m, const uint16_t *m_steps, size_t i, const SynapseRule *rule) {
    float delta_m = rule->delta_m, m_max = rule->m_max;
    EACH_LANE m[l] = rule->m_all;
    if (m_steps)
        EACH_LANE m[l] = lane_m(m_steps[i + l], delta_m, m_max);
}

/* A block through one sample, of plasticity exp(-|m w|), or 1 if m is NULL. */
static void rest_block(float *restrict w, float *restrict w_ref, const float *restrict m,
                       const float *restrict k_alpha, const SynapseRule *rule) {
    Lanes f, d, x, a, fraction, next, next_ref;
    Masks far;
    EACH_LANE f[l] = 1.0f;
    if (m)
        plasticity(f, m, w);
    EACH_LANE d[l] = w[l] - w_ref[l];
    EACH_LANE x[l] = k_alpha[l] * f[l];
    EACH_LANE a[l] = m ? lane_signed(m[l], w[l]) * d[l] : 0.0f;
    decay_at_once(fraction, far, x, f, a, rule->alpha);
    FMA(next, -d[l], fraction[l], w[l]);
    /* exp(-|m w|) has a corner at 0 */
    EACH_LANE far[l] |= lane_mask((int32_t)(lane_bits(next[l]) ^ lane_bits(w[l])) < 0);
    if (any(far))
        for (size_t l = 0; l < KERNEL_LANES; l++)
            if (far[l])
                next[l] =
                    lane_decay_stepwise(w[l], w_ref[l], m ? m[l] : 0.0f, k_alpha[l], rule->alpha);
    FMA(next_ref, rule->cons_rate, next[l] - w_ref[l], w_ref[l]);
    memcpy(w, next, sizeof next);
    memcpy(w_ref, next_ref, sizeof next_ref);
}

static void row_rest(const Row *row, const float *owed, size_t stride, size_t n_samples,
                     const SynapseRule *rule, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        Lanes w, w_ref, m;
        memcpy(w, row->w + i, sizeof w);
        memcpy(w_ref, row->w_ref + i, sizeof w_ref);
        m_block(m, row->m_steps, i, rule);
        for (size_t s = 0; s < n_samples; s++)
            rest_block(w, w_ref, rule->plastic ? m : NULL, owed + s * stride + i, rule);
        memcpy(row->w + i, w, sizeof w);
        memcpy(row->w_ref + i, w_ref, sizeof w_ref);
    }
}

static void row_wake(const Row *row, float *awake, const SynapseRule *rule, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        const float *w = row->w + i;
        float *block = awake + i * kernel_parts(rule);
        Lanes v, f, M, m;
        memcpy(v, w, sizeof v);
        if (row->w_ref)
            EACH_LANE v[l] -= row->w_ref[i + l];
        memcpy(block, v, sizeof v);
        if (!rule->plastic)
            continue;
        m_block(m, row->m_steps, i, rule);
        plasticity(f, m, w);
        EACH_LANE M[l] = lane_signed(m[l], w[l]);
        memcpy(block + KERNEL_LANES, f, sizeof f);
        memcpy(block + 2 * KERNEL_LANES, M, sizeof M);
    }
}

static void strengthen(uint16_t *restrict m_steps, const uint16_t *restrict ready, uint16_t ceiling,
                       size_t n) {
    for (size_t i = 0; i < n; i++)
        m_steps[i] = (uint16_t)(m_steps[i] + (m_steps[i] < ceiling ? ready[i] : 0));
}

static void row_sleep(const Row *row, const float *awake, const uint16_t *ready,
                      const SynapseRule *rule, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        const float *v = awake + i * kernel_parts(rule);
        Lanes w, w_ref;
        memcpy(w, v, sizeof w);
        if (row->w_ref) {
            EACH_LANE w[l] += row->w_ref[i + l];
            FMA(w_ref, rule->cons_rate, v[l], row->w_ref[i + l]);
            memcpy(row->w_ref + i, w_ref, sizeof w_ref);
        }
        memcpy(row->w + i, w, sizeof w);
    }
    if (ready)
        strengthen(row->m_steps + span.from, ready + span.from, rule->m_ceiling,
                   span.to - span.from);
}

/* ---- neurons ---- */

/* A block of neurons receives `input`; reports which ones spike. */
static void fire_block(uint32_t *restrict spikes, float *restrict i, float *restrict v,
                       int32_t *restrict hold, const float *restrict input,
                       const NeuronRule *restrict rule) {
    Lanes current, pull, potential;
    FMA(current, rule->syn, input[l] - i[l], i[l]);
    FMA(pull, rule->r, current[l], -v[l]);
    FMA(potential, rule->mem, pull[l], v[l]);
    EACH_LANE potential[l] = potential[l] > rule->v_min ? potential[l] : rule->v_min;
    EACH_LANE potential[l] = hold[l] > 0 ? 0.0f : potential[l];
    EACH_LANE spikes[l] = lane_mask(potential[l] >= rule->v_th);
    EACH_LANE i[l] = current[l];
    EACH_LANE v[l] = spikes[l] ? 0.0f : potential[l];
    EACH_LANE hold[l] = spikes[l] ? rule->hold : hold[l] - (hold[l] > 0);
}

/* A bit for each lane. */
static uint16_t packed(const Masks masks) {
    uint32_t bits = 0;
    EACH_LANE bits |= masks[l] & 1u << l;
    return (uint16_t)bits;
}

static void neurons_fire(const Neurons *neurons, const float *input, const NeuronRule *rule,
                         uint16_t *spiked, const float *before, float *after, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        Masks spikes;
        fire_block(spikes, neurons->i + i, neurons->v + i, neurons->hold + i, input + i, rule);
        spiked[i / KERNEL_LANES] = packed(spikes);
        EACH_LANE after[i + l] = before[i + l] + (spikes[l] ? rule->alpha : 0.0f);
    }
}

static size_t neurons_feel(const Neurons *neurons, const float *error, float *drive,
                           const NeuronRule *rule, Span span) {
    size_t moved = 0;
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        const float *current = neurons->i + i;
        float *u = neurons->u + i;
        Lanes e = {0}, pull, next, d;
        if (error)
            memcpy(e, error + i, sizeof e);
        FMA(pull, rule->r_u, e[l], -u[l]);
        FMA(next, rule->u, pull[l], u[l]);
        memcpy(u, next, sizeof next);
        EACH_LANE {
            bool open = (current[l] > rule->i_min) & (current[l] < rule->i_max);
            d[l] = open ? rule->eta * next[l] : 0.0f;
        }
        EACH_LANE moved += d[l] != 0.0f;
        memcpy(drive + i, d, sizeof d);
    }
    return moved;
}

/* ---- all steps at once ---- */

/* sum = the rows that spike at step t, of n columns. */
static void step_sum(float *sum, const float *w, size_t stride, const Events *events, size_t t,
                     size_t n) {
    for (size_t i = 0; i < n; i++)
        sum[i] = 0.0f;
    for (size_t k = events->at[t]; k < events->at[t + 1]; k++)
        add(sum, w + events->row[k] * stride, n);
}

static void steps_sum(const float *w, size_t stride, const Events *events, float *input,
                      Span span) {
    for (size_t t = 0; t < events->n_steps; t++)
        step_sum(input + t * stride + span.from, w + span.from, stride, events, t,
                 span.to - span.from);
}

static void steps_fire(const float *w, size_t stride, const Events *events, const NeuronRule *rule,
                       uint16_t *spiked, Span span) {
    for (size_t i = span.from; i < span.to; i += KERNEL_LANES) {
        Lanes current = {0}, v = {0}, input;
        int32_t hold[KERNEL_LANES] = {0};
        for (size_t t = 0; t < events->n_steps; t++) {
            Masks spikes;
            step_sum(input, w + i, stride, events, t, KERNEL_LANES);
            fire_block(spikes, current, v, hold, input, rule);
            spiked[(t * stride + i) / KERNEL_LANES] = packed(spikes);
        }
    }
}

/* ---- random numbers ---- */

static void draw(const uint32_t key[2], uint64_t sample, const uint32_t *index,
                 const uint32_t *limit, uint16_t *spiked, size_t words, size_t n_steps) {
    for (size_t t = 0; t < n_steps; t++)
        spiked[t * words] = 0;
    for (size_t i = 0; i < KERNEL_LANES; i++)
        for (size_t step = 0; step < n_steps; step += 4) {
            RngBlock numbers =
                rng_block(key[0], (RngPurpose)key[1], sample, (uint32_t)(step / 4), index[i]);
            for (size_t k = 0; k < 4 && step + k < n_steps; k++)
                spiked[(step + k) * words] |= (uint16_t)((numbers.word[k] <= limit[i]) << i);
        }
}

static size_t collect(uint32_t *list, const uint16_t *mask, size_t n_words,
                      const uint32_t *column) {
    size_t n = 0;
    for (size_t k = 0; k < n_words; k++)
        n += lane_collect(list + n, mask[k], column + k * KERNEL_LANES);
    return n;
}

/* ---- columns ---- */

#include "kernel/settle.h"

static bool match_block(const Matching *m, size_t block, int32_t best, int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    const int32_t *inverse = m->inverse + block * KERNEL_UNITS;
    int32_t dot[KERNEL_UNITS] = {0};
    bool above = false;
    for (size_t k = 0; k < m->n_words; k++) {
        const int8_t *x = m->x + 4 * k, *row = t + k * KERNEL_UNITS * 4;
        for (size_t i = 0; i < KERNEL_UNITS; i++)
            dot[i] += x[0] * row[4 * i] + x[1] * row[4 * i + 1] + x[2] * row[4 * i + 2] +
                      x[3] * row[4 * i + 3];
    }
    for (size_t i = 0; i < KERNEL_UNITS; i++) {
        matches[i] = dot[i] * inverse[i];
        above |= matches[i] > best;
    }
    return above;
}

#define MATCH_BEST  match
#define MATCH_BLOCK match_block
#include "kernel/match.h"

static bool anywhere(void) {
    return true;
}

const Kernel kernel_ref = {.name = "ref", .runs_here = anywhere, .match = match, KERNEL_LOOPS};

#ifdef KERNEL_WASM
/* Compilers turn the loops above into its vectors, but not a sum of products of bytes. */
const Kernel kernel_wasm = {
    .name = "wasm", .runs_here = anywhere, .match = kernel_match_wasm, KERNEL_LOOPS};
#endif
