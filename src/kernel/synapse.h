/* synapse.h - what happens to one synapse or neuron, as ref.c defines it for blocks of them: the
 * same operations in the same order, so the same bits. For the kernels of src/cuda and the devices
 * of src/small. */
#ifndef KERNEL_SYNAPSE_H
#define KERNEL_SYNAPSE_H

#include "kernel/lane.h"
#include "kernel/rules.h"

/* A synapse of a row awake; see kernel_parts. */
typedef struct AwakeSynapse {
    float v, f, M;
} AwakeSynapse;

/* ---- synapses ---- */

HOST_DEVICE void synapse_refresh(AwakeSynapse *s, float w, float m) {
    s->f = lane_exp_neg(lane_magnitude(m * w));
    s->M = lane_signed(m, w);
}

HOST_DEVICE AwakeSynapse synapse_wake(float w, float w_ref, float m, bool plastic, bool decays) {
    AwakeSynapse s = {decays ? w - w_ref : w, 1, 0};
    if (plastic)
        synapse_refresh(&s, w, m);
    return s;
}

/* w has fallen by `fall`: f, or false where it must be computed anew. */
HOST_DEVICE bool synapse_turn(float *next, float f, float M, float fall) {
    float z = M * fall, z2 = z * z;
    float q = lane_fma(lane_fma(z, 1.0f / 6.0f, 0.5f), z2, z);
    *next = lane_fma(f, q, f);
    return !((z2 > KERNEL_TURN_MAX) | (*next > 1.0f));
}

/* As rows_visit: the error `drive`, with what is owed of decays. False if f and M are not those of
 * the new w; then synapse_refresh. */
HOST_DEVICE bool synapse_visit(AwakeSynapse *s, float drive, float owed, bool plastic,
                               bool decays) {
    float fall = decays ? lane_fma(owed, s->v, drive) : drive, next = s->f;
    if (plastic)
        fall *= s->f;
    s->v -= fall;
    bool holds = !plastic || synapse_turn(&next, s->f, s->M, fall);
    s->f = next;
    return holds;
}

/* What k decays take of d = w - w_ref. False where the series does not hold. */
HOST_DEVICE bool synapse_decay_at_once(float *fraction, float x, float f, float a, float alpha) {
    float twice = lane_fma(-alpha, f, x);
    float series = lane_fma(-(twice * 0.5f), 1.0f - a, 1.0f);
    *fraction = x * series;
    return !(lane_fma(lane_magnitude(a), x, x) > KERNEL_DECAY_MAX);
}

/* As row_decay. */
HOST_DEVICE void synapse_decay(AwakeSynapse *s, float owed, float w_ref, const SynapseRule *rule,
                               bool plastic) {
    float f = plastic ? s->f : 1.0f, M = plastic ? s->M : 0.0f, fraction, next = f;
    bool holds = synapse_decay_at_once(&fraction, owed * f, f, M * s->v, rule->alpha);
    float fall = fraction * s->v;
    if (plastic)
        holds &= synapse_turn(&next, f, M, fall);
    if (holds) {
        s->v -= fall;
        s->f = next;
        return;
    }
    float m = lane_magnitude(M);
    float w = lane_decay_stepwise(s->v + w_ref, w_ref, m, owed, rule->alpha);
    s->v = w - w_ref;
    synapse_refresh(s, w, m);
}

/* As row_rest, one sample. */
HOST_DEVICE void synapse_rest(float *w, float *w_ref, float m, float owed, const SynapseRule *rule,
                              bool plastic) {
    float f = plastic ? lane_exp_neg(lane_magnitude(m * *w)) : 1.0f;
    float d = *w - *w_ref, fraction;
    float a = plastic ? lane_signed(m, *w) * d : 0.0f;
    bool holds = synapse_decay_at_once(&fraction, owed * f, f, a, rule->alpha);
    float next = lane_fma(-d, fraction, *w);
    holds &= (int32_t)(lane_bits(next) ^ lane_bits(*w)) >= 0; /* exp(-|m w|) has a corner at 0 */
    if (!holds)
        next = lane_decay_stepwise(*w, *w_ref, plastic ? m : 0.0f, owed, rule->alpha);
    *w_ref = lane_fma(rule->cons_rate, next - *w_ref, *w_ref);
    *w = next;
}

/* ---- neurons ---- */

typedef struct Membrane {
    float i, v;
    int32_t hold;
} Membrane;

/* As neurons_fire: does it spike? */
HOST_DEVICE bool neuron_fire(Membrane *n, float input, const NeuronRule *rule) {
    float current = lane_fma(rule->syn, input - n->i, n->i);
    float pull = lane_fma(rule->r, current, -n->v);
    float potential = lane_fma(rule->mem, pull, n->v);
    potential = potential > rule->v_min ? potential : rule->v_min;
    potential = n->hold > 0 ? 0.0f : potential;
    bool spikes = potential >= rule->v_th;
    n->i = current;
    n->v = spikes ? 0.0f : potential;
    n->hold = spikes ? rule->hold : n->hold - (n->hold > 0);
    return spikes;
}

/* As neurons_feel: the drive. */
HOST_DEVICE float neuron_feel(float *u, float error, float current, const NeuronRule *rule) {
    float pull = lane_fma(rule->r_u, error, -*u);
    *u = lane_fma(rule->u, pull, *u);
    bool open = (current > rule->i_min) & (current < rule->i_max);
    return open ? rule->eta * *u : 0.0f;
}

#endif
