/* follow.h - examples/reference.c beside the engine: with its first weights and random numbers.
 *
 * Where a value is within rounding of a threshold the reference follows the engine's decision, and
 * counts it. What the engine has beyond the paper's rules is added here: larger, rarer steps of m
 * where 16 bits cannot count them. */
#ifndef TESTS_FOLLOW_H
#define TESTS_FOLLOW_H

#include "net/sample.h"

#include <math.h>

typedef struct Follower {
    const Scratch *engine; /* after the same step */
    double near;           /* how far the engine may stray from a threshold */
    uint32_t seed;         /* of the engine's random numbers */
    uint64_t sample;       /* from 0 */
    size_t n_decisions, n_followed;
} Follower;

static Follower follower; /* of the network that is compared now */

static bool engine_spiked(const Scratch *engine, size_t l, size_t i) {
    return engine->layers[l].spiked[i / KERNEL_LANES] >> i % KERNEL_LANES & 1;
}

/* The engine's decisions, by quantity. */
#define ENGINE_SPIKE(l, i, is, threshold)          engine_spiked(follower.engine, (size_t)(l), (size_t)(i))
#define ENGINE_FALSE_POSITIVE(l, o, is, threshold) follower.engine->s_fp[o]
#define ENGINE_FALSE_NEGATIVE(l, o, is, threshold) follower.engine->s_fn[o]
#define ENGINE_CURRENT(l, i, is, threshold)                                                        \
    ((double)follower.engine->layers[l].neurons.i[i] is(threshold))
#define ENGINE_TRACE(l, i, is, threshold)                                                          \
    ((double)((l) < 0 ? follower.engine->input_x : follower.engine->layers[l].x)[i] is(threshold))

static bool follow(double value, double threshold, bool decision, bool of_engine) {
    follower.n_decisions++;
    if (fabs(value - threshold) > follower.near * (1 + fabs(threshold)))
        return decision;
    follower.n_followed += decision != of_engine;
    return of_engine;
}

#define DECIDE(quantity, l, i, value, is, threshold)                                               \
    follow(value, threshold, (value)is(threshold), ENGINE_##quantity(l, i, is, threshold))

#define REFERENCE_WITHOUT_MAIN
#include "../../examples/reference.c"

_Static_assert((int)CLEARED == (int)TARGET_FP_CLEARED && (int)KEPT == (int)TARGET_FP_KEPT &&
                   (int)SILENT == (int)TARGET_FP_SILENT,
               "target_fp has the engine's values");

/* 12: a model is a choice of parameters. */
static ReferenceParams follow_params(const Params *p) {
    const Model *model = params_model(p);
    bool grows = model->metaplasticity == M_DYNAMIC, fixed = model->metaplasticity == M_FIXED;
    ReferenceParams to = {
        .n_layers = (int)p->hidden.n + 1,
        .n_steps = (int)p->n_steps,
        .dt_ms = p->dt_ms,
        .input_rate_hz = p->input_rate_hz,
        .label_rate_hz = p->label_rate_hz,
        .tau_syn_input_ms = p->tau_syn_input_ms,
        .tau_syn_later_ms = p->tau_syn_later_ms,
        .tau_m_hidden_ms = p->tau_m_hidden_ms,
        .tau_m_output_ms = p->tau_m_output_ms,
        .r_hidden = p->r_hidden,
        .r_output = p->r_output,
        .threshold_hidden = p->threshold_hidden,
        .threshold_output = p->threshold_output,
        .refractory_ms = p->refractory_ms,
        .tau_e_ms = p->tau_e_ms,
        .r_e = p->r_e,
        .threshold_error = p->threshold_error,
        .target_fp = p->target_fp,
        .tau_u_ms = p->tau_u_ms,
        .r_u = p->r_u,
        .i_min = p->i_min,
        .i_max = p->i_max,
        .learning_rate = p->learning_rate,
        .alpha = model->consolidation ? p->alpha : 0,
        .tau_trace_ms = p->tau_trace_ms,
        .m_threshold_input = p->m_threshold_input,
        .m_threshold_hidden = p->m_threshold_hidden,
        .m_threshold_output = p->m_threshold_output,
        .delta_m_hidden = grows ? p->delta_m_hidden : 0,
        .delta_m_output = grows ? p->delta_m_output : 0,
        .m_first = fixed ? p->m_max : 0,
        .m_max = p->m_max,
        .m_max_output = p->m_max_output,
        .w_ref_rate = p->w_ref_rate,
    };
    to.n_neurons[0] = (int)p->n_inputs;
    for (size_t l = 0; l < p->hidden.n; l++)
        to.n_neurons[l + 1] = (int)p->hidden.value[l];
    to.n_neurons[to.n_layers] = (int)p->n_outputs;
    return to;
}

static void follow_init(Reference *ref, const Network *net) {
    const Params *p = &net->params;
    ReferenceParams params = follow_params(p);
    reference_shape(ref, &params);
    follower = (Follower){.seed = net->seed};
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *from = &net->layers[l];
        ReferenceLayer *to = &ref->layers[l];
        for (size_t i = 0; i < from->n_post; i++) {
            for (size_t j = 0; j < from->n_pre; j++)
                to->w[i][j] = to->w_ref[i][j] = (double)from->w[j * from->stride + i];
            for (size_t o = 0; o < p->n_outputs && l + 1 < net->n_layers; o++) {
                size_t fn = p->feedback == FEEDBACK_SHARED ? o : p->n_outputs + o;
                to->b_fp[i][o] = (double)from->feedback[o * from->stride + i];
                to->b_fn[i][o] = (double)from->feedback[fn * from->stride + i];
            }
        }
    }
}

/* With m_every above 1, m grows by so many steps at once, in one of so many samples. */
static void follow_begin_sample(Reference *ref) {
    reference_begin_sample(ref);
    for (int l = 0; l < ref->p.n_layers; l++) {
        ReferenceLayer *y = &ref->layers[l];
        bool output = l == ref->p.n_layers - 1;
        double delta_m = output ? ref->p.delta_m_output : ref->p.delta_m_hidden;
        double every =
            isfinite(y->m_max) && delta_m > 0 ? ceil(ceil(y->m_max / delta_m) / 65535) : 1;
        y->delta_m = follower.sample % (uint64_t)every == 0 ? every * delta_m : 0;
    }
}

static bool draw(RngPurpose purpose, size_t t, size_t index, double chance) {
    RngBlock block =
        rng_block(follower.seed, purpose, follower.sample, (uint32_t)(t / 4), (uint32_t)index);
    return block.word[t % 4] / 0x1p32 < chance;
}

static void draw_inputs(Reference *ref, const float *intensity, size_t t) { /* 1 */
    for (size_t j = 0; j < (size_t)ref->p.n_neurons[0]; j++) {
        double rate_hz = (double)intensity[j] * ref->p.input_rate_hz;
        ref->input_s[j] = draw(RNG_INPUT, t, j, reference_chance(ref, rate_hz));
    }
}

/* One step, after the engine's. */
static void follow_step(Reference *ref, const float *intensity, size_t target, size_t t) {
    bool label_spike = draw(RNG_LABEL, t, 0, reference_chance(ref, ref->p.label_rate_hz)); /* 4 */
    draw_inputs(ref, intensity, t);
    reference_step(ref, (int)target, label_spike, (int)t);
}

static void follow_end_sample(Reference *ref) {
    reference_end_sample(ref);
    follower.sample++;
}

/* 11: the prediction for a sample of this number, or -1; here the engine is not followed. */
static int follow_predict(Reference *ref, const float *intensity, uint64_t sample) {
    const ReferenceLayer *outputs = &ref->layers[ref->p.n_layers - 1];
    int n_spikes[NEURONS] = {0}, best = 0;
    Follower before = follower;
    follower.near = -1;
    follower.sample = sample;
    reference_begin_sample(ref);
    for (int t = 0; t < ref->p.n_steps; t++) {
        draw_inputs(ref, intensity, (size_t)t);
        for (int l = 0; l < ref->p.n_layers; l++)
            step2_fire(ref, l, t);
        for (int o = 0; o < outputs->n_post; o++)
            n_spikes[o] += outputs->s[o];
    }
    for (int o = 1; o < outputs->n_post; o++)
        best = n_spikes[o] > n_spikes[best] ? o : best;
    follower = before;
    return n_spikes[best] > 0 ? best : -1;
}

#endif
