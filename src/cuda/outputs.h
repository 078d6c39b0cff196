/* outputs.h - the output layer and the error neurons: few neurons, so a thread for each, and for
 * each hidden neuron that spikes. */
#ifndef CUDA_OUTPUTS_H
#define CUDA_OUTPUTS_H

#include "cuda/input.h"
#include "cuda/rows.h"

/* ---- synapses: awake[width][n_outputs] in global memory, which the caches hold ---- */

DEVICE GpuLayer *output_layer(const Block *b) {
    return &b->net->layers[b->at->n_layers - 1];
}

DEVICE float output_m(const GpuLayer *layer, uint32_t k) {
    return lane_m(layer->m_steps[k], layer->synapse.delta_m, layer->synapse.m_max);
}

DEVICE void output_wake(const Block *b, uint32_t pre) {
    const GpuLayer *layer = output_layer(b);
    for (uint32_t o = 0; o < layer->n_post; o++) {
        uint32_t k = pre * layer->n_post + o;
        float m = b->plastic ? output_m(layer, k) : 0;
        AwakeSynapse s =
            synapse_wake(layer->w[k], b->decays ? layer->w_ref[k] : 0, m, b->plastic, b->decays);
        layer->far_v[k] = s.v;
        layer->far_f[k] = s.f;
        layer->far_M[k] = s.M;
    }
}

/* Synapse `pre` to o pays what it owes from `line` to line `now`. */
DEVICE float output_pay(const Block *b, uint32_t pre, uint32_t o, uint32_t line, uint32_t now) {
    const GpuLayer *layer = output_layer(b);
    const float *drive = room_float(b, b->at->out_drive) + o;
    const float *count = room_float(b, b->at->out_count) + o;
    uint32_t n = layer->n_post, k = pre * n + o;
    float w_ref = b->decays ? layer->w_ref[k] : 0;
    AwakeSynapse s = {layer->far_v[k], layer->far_f[k], layer->far_M[k]};
    if (is_late(b->decays, layer->merged_steps, line, now)) {
        uint32_t merged = line > 0 ? line + layer->merged_steps : 0;
        synapse_catch_up(&s, drive[line * n], count[merged * n] - count[line * n],
                         count[now * n] - count[merged * n], w_ref, line > 0, &layer->synapse,
                         b->plastic);
    } else if (!synapse_visit(&s, drive[line * n], count[now * n] - count[line * n], b->plastic,
                              b->decays))
        synapse_refresh(&s, s.v + w_ref, lane_magnitude(s.M));
    layer->far_v[k] = s.v;
    layer->far_f[k] = s.f;
    layer->far_M[k] = s.M;
    return s.v;
}

/* A sample that a synapse slept through. */
DEVICE void output_rest(const Block *b, uint32_t pre, uint32_t o, float owed) {
    GpuLayer *layer = output_layer(b);
    uint32_t k = pre * layer->n_post + o;
    float m = b->plastic ? output_m(layer, k) : 0;
    synapse_rest(&layer->w[k], &layer->w_ref[k], m, owed, &layer->synapse, b->plastic);
}

/* The sample is over for the synapses of hidden neuron `pre`. */
DEVICE void output_end(const Block *b, uint32_t pre, uint32_t line, bool pre_is_ready) {
    GpuLayer *layer = output_layer(b);
    uint32_t now = b->at->n_steps + 1, n = layer->n_post;
    const float *count = room_float(b, b->at->out_count);
    bool grows = pre_is_ready && b->net->n_learned % layer->m_every == 0;
    for (uint32_t o = 0; o < n; o++)
        if (line > 0)
            row_sleep(b, b->at->n_layers - 1, pre, output_pay(b, pre, o, line, now),
                      grows && variables(b)->x[o] > layer->x_post_min, o);
        else if (b->decays && layer->moved[pre])
            output_rest(b, pre, o, count[now * n + o]);
    layer->moved[pre] |= line > 0;
}

/* ---- neurons ---- */

/* Step 2 of output o: what arrives of n hidden neurons that spike. */
DEVICE float output_sum(const Block *b, uint32_t o, uint32_t n) {
    const float *ref = room_float(b, b->at->out_ref) + o;
    const float *staged = room_float(b, b->at->out_staged) + o;
    uint32_t stride = b->at->n_outputs;
    float sum = 0;
    if (b->decays)
        for (uint32_t k = 0; k < n; k++)
            sum += ref[k * stride];
    for (uint32_t k = 0; k < n; k++)
        sum += staged[k * stride];
    return sum;
}

/* Step 5, one error neuron. */
DEVICE int8_t error_integrate(float *v, float input, const GpuNetwork *net) {
    *v += net->error_step * input;
    *v = *v > net->error_min ? *v : net->error_min;
    if (*v < net->error_th)
        return 0;
    *v -= net->error_th;
    return 1;
}

DEVICE void error_fire(const Block *b, uint32_t o, bool spikes, bool is_target, bool label) {
    Variables *vars = variables(b);
    float e = (float)((int)spikes - (int)(is_target && label));
    bool silent = is_target && b->net->target_fp_silent;
    vars->s_fp[o] = silent ? (int8_t)0 : error_integrate(&vars->v_fp[o], e, b->net);
    vars->s_fn[o] = error_integrate(&vars->v_fn[o], -e, b->net);
    if (is_target && b->net->target_fp_clears)
        vars->v_fp[o] = 0;
    vars->n_errors[o] += (uint32_t)(vars->s_fp[o] + vars->s_fn[o]);
}

/* Steps 2 to 7 of output o at step t. */
DEVICE void output_step(const Block *b, uint32_t o, uint32_t t, uint32_t target) {
    const GpuLayer *layer = output_layer(b);
    Variables *vars = variables(b);
    float *drive = room_float(b, b->at->out_drive), *count = room_float(b, b->at->out_count);
    uint32_t n = layer->n_post;
    Membrane membrane = {vars->i[o], vars->v[o], vars->hold[o]};
    bool spikes = neuron_fire(&membrane, output_sum(b, o, vars->n_spikes), &layer->neuron);
    vars->i[o] = membrane.i;
    vars->v[o] = membrane.v;
    vars->hold[o] = membrane.hold;
    if (spikes) {
        vars->x[o] += b->net->trace[t];
        vars->n_out_spikes[o]++;
    }
    count[(t + 2) * n + o] = count[(t + 1) * n + o] + (spikes ? layer->neuron.alpha : 0.0f);
    error_fire(b, o, spikes, o == target, room_u8(b, b->at->labels)[t]);
    float d = neuron_feel(&vars->u[o], (float)(vars->s_fp[o] - vars->s_fn[o]), vars->i[o],
                          &layer->neuron);
    drive[(t + 1) * n + o] = d;
    vars->n_moved[o] += d != 0 ? vars->n_spikes : 0;
}

#endif
