/* ref.c - the meaning of every inner loop, in plain C.
 *
 * Loops are written so that a compiler may vectorise them without changing a bit: no reductions of
 * floats, no branches on data, no libm. */
#include "kernel/kernel.h"

#include <float.h>
#include <string.h>

/* Specialised where it is called, so that loops have no tests in them. */
#define TEMPLATE static inline __attribute__((always_inline))

/* The hottest loops are compiled for wider vectors too, where the toolchain can choose at load
 * time. The arithmetic is the same, so the bits are. */
#ifdef KERNEL_CLONES
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif

_Static_assert(FLT_EVAL_METHOD == 0, "single precision must mean single precision");

/* exp(-x) = 2^-k exp(r), k = round(x / ln 2), r = k ln 2 - x in [-ln2/2, ln2/2].
 * exp(r) = 1 + r + r^2 (c2 + c3 r + c4 r^2 + c5 r^3), minimax relative error 1.05e-7. */
TEMPLATE float exp_neg(float x) {
    x = x < 64.0f ? x : 64.0f;
    float k = (x * 1.44269504f + 12582912.0f) - 12582912.0f; /* rounds to a whole number */
    float r = (k * 0.693359375f - x) - k * 2.12194440e-4f;   /* ln 2 in two parts */
    float p = 0.00831252019f;
    p = p * r + 0.0418901569f;
    p = p * r + 0.166671146f;
    p = p * r + 0.499992315f;
    p = (p * r) * r + r + 1.0f;
    int32_t bits = (127 - (int32_t)k) * (1 << 23);
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

float kernel_exp_neg(float x) {
    return exp_neg(x);
}

static inline float magnitude(float x) {
    return x < 0 ? -x : x;
}

/* How m comes to a synapse. Each gets loops of its own, without a test in them. */
typedef enum MSource {
    M_ZERO,    /* m = 0: the plasticity exp(-|m w|) is exactly 1 and is not computed */
    M_SAME,    /* the same m for all */
    M_STEPWISE /* counted in steps by each synapse */
} MSource;

/* m of synapse i of a row. */
TEMPLATE float m_of(MSource source, const uint16_t *m_steps, size_t i, SynapseRule rule) {
    if (source != M_STEPWISE)
        return rule.m_all;
    float m = (float)m_steps[i] * rule.delta_m;
    return m < rule.m_max ? m : rule.m_max;
}

/* The plasticity exp(-|m w|). */
TEMPLATE float plasticity(MSource source, float m, float w) {
    return source == M_ZERO ? 1.0f : exp_neg(magnitude(m * w));
}

/* The error that a presynaptic spike still owes, without and with the decay of the same step. */
TEMPLATE void owe_error(MSource source, Row row, const RowPast *past, SynapseRule rule, size_t n) {
    float *restrict w = row.w;
    const float *restrict drive = past->drive;
    const uint16_t *restrict m_steps = row.m_steps;
    for (size_t i = 0; i < n; i++)
        w[i] -= plasticity(source, m_of(source, m_steps, i, rule), w[i]) * drive[i];
}

TEMPLATE void owe_error_and_decay(MSource source, Row row, const RowPast *past, SynapseRule rule,
                                  size_t n) {
    float *restrict w = row.w;
    const float *restrict w_ref = row.w_ref, *restrict drive = past->drive;
    const uint16_t *restrict m_steps = row.m_steps;
    const uint16_t *restrict before = past->count_before, *restrict after = past->count_after;
    for (size_t i = 0; i < n; i++) {
        float spike = (float)(after[i] - before[i]);
        float pull = rule.alpha * (w[i] - w_ref[i]) * spike;
        float f = plasticity(source, m_of(source, m_steps, i, rule), w[i]);
        w[i] -= f * (drive[i] + pull);
    }
}

/* k decays one after the other, each changing the plasticity of the next. */
TEMPLATE float decay_stepwise(MSource source, float w, float w_ref, float m, int k, float alpha) {
    for (; k > 0; k--)
        w -= plasticity(source, m, w) * (alpha * (w - w_ref));
    return w;
}

/* k decays at once. With d = w - w_ref, g = alpha exp(-|m w|) and a = sign(w) m d, what is left of
 * d after k decays is, to third order in k g, 1 - k g + C(k,2) (1 - a) g^2 - (C(k,3) (1 - a)^2 +
 * S(k) (a^2 / 2 - a)) g^3, S(k) = sum_{j<k} j^2. */
typedef struct Decay {
    float w;     /* after */
    int crooked; /* the series does not hold here */
} Decay;

TEMPLATE Decay decay_at_once(MSource source, float w, float w_ref, float m, float k, float alpha) {
    float d = w - w_ref;
    float g = alpha * plasticity(source, m, w);
    float a = (w < 0 ? -m : m) * d;
    float pairs = 0.5f * k * (k - 1.0f);
    float second = (1.0f - a) * pairs;
    float third = (0.5f * a - 1.0f) * a * pairs * (2.0f * k - 1.0f) * (1.0f / 3.0f) +
                  (1.0f - a) * second * (k - 2.0f) * (1.0f / 3.0f);
    float after = w - d * (g * (k - g * (second - g * third)));
    int far = k * g * (1.0f + magnitude(a)) > KERNEL_DECAY_AT_ONCE;
    return (Decay){after, far | ((after < 0) != (w < 0))};
}

/* The pure decays of the steps since: each synapse as many as its postsynaptic neuron had spikes.
 * Where the series does not hold they are taken one by one: where they are large, and where w
 * crosses 0, because exp(-|m w|) has a corner there. */
TEMPLATE void owe_decay(MSource source, Row row, const RowPast *past, SynapseRule rule, size_t n) {
    const uint16_t *restrict since = past->count_after, *restrict now = past->count_now;
    const uint16_t *restrict m_steps = row.m_steps;
    for (size_t block = 0; block < n; block += KERNEL_LANES) {
        float *restrict w = row.w + block, next[KERNEL_LANES];
        const float *restrict w_ref = row.w_ref + block;
        int32_t owed[KERNEL_LANES], crooked[KERNEL_LANES], any = 0, any_crooked = 0;
        for (size_t i = 0; i < KERNEL_LANES; i++) {
            owed[i] = now[block + i] - since[block + i];
            any |= owed[i];
        }
        if (!any)
            continue;
        for (size_t i = 0; i < KERNEL_LANES; i++) {
            float m = m_of(source, m_steps, block + i, rule);
            Decay decay = decay_at_once(source, w[i], w_ref[i], m, (float)owed[i], rule.alpha);
            next[i] = decay.w;
            crooked[i] = decay.crooked;
            any_crooked |= decay.crooked;
        }
        for (size_t i = 0; any_crooked && i < KERNEL_LANES; i++) {
            float m = m_of(source, m_steps, block + i, rule);
            if (crooked[i])
                next[i] = decay_stepwise(source, w[i], w_ref[i], m, owed[i], rule.alpha);
        }
        memcpy(w, next, sizeof next);
    }
}

TEMPLATE void catch_up(MSource source, Row row, const RowPast *past, SynapseRule rule, size_t n) {
    if (past->drive && row.w_ref)
        owe_error_and_decay(source, row, past, rule, n);
    else if (past->drive)
        owe_error(source, row, past, rule, n);
    if (row.w_ref)
        owe_decay(source, row, past, rule, n);
}

CLONED static void catch_up_row(Row row, const RowPast *past, const SynapseRule *rule, size_t n) {
    if (row.m_steps)
        catch_up(M_STEPWISE, row, past, *rule, n);
    else if (rule->m_all == 0.0f)
        catch_up(M_ZERO, row, past, *rule, n);
    else
        catch_up(M_SAME, row, past, *rule, n);
}

void kernel_row_catch_up(Row row, const RowPast *past, const SynapseRule *rule, size_t n) {
    catch_up_row(row, past, rule, n);
}

CLONED static void add_row(float *restrict current, const float *restrict w, size_t n) {
    for (size_t i = 0; i < n; i++)
        current[i] += w[i];
}

void kernel_row_add(float *restrict current, const float *restrict w, size_t n) {
    add_row(current, w, n);
}

void kernel_row_consolidate(Row row, float rate, size_t n) {
    const float *restrict w = row.w;
    float *restrict w_ref = row.w_ref;
    for (size_t i = 0; i < n; i++)
        w_ref[i] += rate * (w[i] - w_ref[i]);
}

void kernel_row_strengthen(uint16_t *restrict m_steps, const uint16_t *restrict ready,
                           uint16_t ceiling, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint16_t room = (uint16_t)(m_steps[i] < ceiling);
        m_steps[i] = (uint16_t)(m_steps[i] + (ready[i] & room));
    }
}

/* The rule is a copy: nothing that is written can then be part of it, and the loops vectorise. */
CLONED static void fire(const Neurons *neurons, const float *restrict input, NeuronRule rule,
                        size_t n) {
    float *restrict current = neurons->i, *restrict v = neurons->v;
    int32_t *restrict hold = neurons->hold;
    uint8_t *restrict spiked = neurons->spiked;
    for (size_t i = 0; i < n; i++) {
        current[i] += rule.syn * (input[i] - current[i]);
        float potential = v[i] + rule.mem * (rule.r * current[i] - v[i]);
        potential = potential > rule.v_min ? potential : rule.v_min;
        v[i] = hold[i] > 0 ? 0.0f : potential;
    }
    for (size_t i = 0; i < n; i++)
        spiked[i] = v[i] >= rule.v_th;
    for (size_t i = 0; i < n; i++) {
        int32_t less = hold[i] > 0 ? hold[i] - 1 : 0;
        hold[i] = v[i] >= rule.v_th ? rule.hold : less;
    }
    for (size_t i = 0; i < n; i++)
        v[i] = v[i] >= rule.v_th ? 0.0f : v[i];
}

void kernel_neurons_fire(Neurons *neurons, const float *restrict input, const NeuronRule *rule,
                         size_t n) {
    fire(neurons, input, *rule, n);
}

size_t kernel_neurons_feel(Neurons *neurons, const float *restrict error, float *restrict drive,
                           const NeuronRule *rule, size_t n) {
    const float *restrict current = neurons->i;
    float *restrict u = neurons->u;
    int32_t moved = 0;
    for (size_t i = 0; i < n; i++) {
        u[i] += rule->u * (rule->r_u * error[i] - u[i]);
        int open = (current[i] > rule->i_min) & (current[i] < rule->i_max);
        drive[i] = open ? rule->eta * u[i] : 0.0f;
        moved += drive[i] != 0.0f;
    }
    return (size_t)moved;
}

void kernel_trace_fade(float *x, float decay, size_t n) {
    for (size_t i = 0; i < n; i++)
        x[i] -= x[i] * decay;
}

void kernel_count(uint16_t *restrict after, const uint16_t *restrict before,
                  const uint8_t *restrict spiked, size_t n) {
    for (size_t i = 0; i < n; i++)
        after[i] = (uint16_t)(before[i] + spiked[i]);
}
