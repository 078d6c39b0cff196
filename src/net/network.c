/* network.c - the network's memory, derived constants and initial state. */
#include "net/network.h"

#include <math.h>
#include <string.h>

static NeuronRule neuron_rule(const Params *p, size_t layer, bool output) {
    double v_th = output ? p->threshold_output : p->threshold_hidden;
    return (NeuronRule){
        .syn = (float)(p->dt_ms / (layer == 0 ? p->tau_syn_input_ms : p->tau_syn_later_ms)),
        .mem = (float)(p->dt_ms / (output ? p->tau_m_output_ms : p->tau_m_hidden_ms)),
        .r = (float)(output ? p->r_output : p->r_hidden),
        .v_th = (float)v_th,
        .v_min = (float)(-v_th / 10),
        /* Whole steps within the period; a period of whole steps must not lose one to rounding. */
        .hold = (int32_t)floor(p->refractory_ms / p->dt_ms + 1e-9),
        .u = (float)(p->dt_ms / p->tau_u_ms),
        .r_u = (float)p->r_u,
        .eta = (float)p->learning_rate,
        .i_min = (float)p->i_min,
        .i_max = (float)p->i_max,
        .alpha = (float)p->alpha,
    };
}

/* The longest span in which no neuron can spike too often for its decays to be merged. */
static size_t merged_steps(const Params *p, int32_t hold) {
    double spikes = p->alpha > 0 ? floor(KERNEL_MERGED_MAX / p->alpha) : (double)p->n_steps;
    double steps = spikes * (hold + 1);
    return steps < 1 ? 1 : steps < (double)p->n_steps ? (size_t)steps : p->n_steps;
}

/* A synapse counts its metaplastic steps in 16 bits. Where m_max is more steps away than that, they
 * are made larger by this factor, and come in one of as many samples: at most one of 2^53, more
 * than anybody learns. */
static uint64_t m_every(double m_max, double delta_m) {
    double steps = delta_m > 0 && isfinite(m_max) ? ceil(m_max / delta_m) : 0;
    return steps > UINT16_MAX ? (uint64_t)fmin(ceil(steps / UINT16_MAX), 0x1p53) : 1;
}

/* The metaplastic steps at which m reaches m_max, or the largest count, in a layer whose m grows;
 * else 0. */
static uint16_t m_ceiling(const Model *model, double m_max, double delta_m) {
    bool grows = model->metaplasticity == M_DYNAMIC && delta_m > 0;
    return (uint16_t)(grows ? fmin(ceil(m_max / delta_m), UINT16_MAX) : 0);
}

static SynapseRule synapse_rule(const Params *p, double m_max, double delta_m) {
    const Model *model = params_model(p);
    return (SynapseRule){
        .plastic = model->metaplasticity != M_NONE,
        .decays = model->consolidation,
        .alpha = (float)p->alpha,
        .delta_m = (float)delta_m,
        .m_max = (float)m_max,
        .m_all = model->metaplasticity == M_FIXED ? (float)p->m_max : 0.0f,
        .m_ceiling = m_ceiling(model, m_max, delta_m),
        .cons_rate = (float)p->w_ref_rate,
    };
}

static void shape_layer(Layer *layer, const Params *p, size_t index, bool output) {
    double delta_m = output ? p->delta_m_output : p->delta_m_hidden;
    double m_max = output ? p->m_max_output : p->m_max;
    layer->n_pre = index == 0 ? p->n_inputs : p->hidden.value[index - 1];
    layer->n_post = output ? p->n_outputs : p->hidden.value[index];
    layer->stride = kernel_padded(layer->n_post);
    layer->neuron = neuron_rule(p, index, output);
    layer->merged_steps = merged_steps(p, layer->neuron.hold);
    layer->m_every = m_every(m_max, delta_m);
    layer->synapse = synapse_rule(p, m_max, delta_m * (double)layer->m_every);
    layer->x_pre_min = (float)(index == 0 ? p->m_threshold_input : p->m_threshold_hidden);
    layer->x_post_min = (float)(output ? p->m_threshold_output : p->m_threshold_hidden);
}

void network_shape(Network *net, const Params *params, uint32_t seed, const Kernel *kernel) {
    const Params *p = params;
    *net = (Network){.params = *p, .kernel = kernel, .seed = seed, .n_layers = p->hidden.n + 1};
    for (size_t l = 0; l < net->n_layers; l++)
        shape_layer(&net->layers[l], p, l, l + 1 == net->n_layers);
    /* In this order of operations the paper's values give 2.5 exactly: one spike of error makes
     * the error neuron fire. */
    net->error_step = (float)(p->dt_ms * p->r_e / p->tau_e_ms);
    net->error_th = (float)p->threshold_error;
    net->error_min = (float)(-p->threshold_error / 10);
    net->label_odds = rng_odds(p->label_rate_hz * p->dt_ms / 1000);
}

void network_carve(Network *net, Arena *arena) {
    const Model *model = params_model(&net->params);
    size_t start = arena->used;
    for (size_t l = 0; l < net->n_layers; l++) {
        Layer *layer = &net->layers[l];
        size_t n_pre = layer->n_pre, n = layer->stride;
        layer->w = arena_take_rows(arena, n_pre, n, sizeof *layer->w);
        layer->w_ref =
            model->consolidation ? arena_take_rows(arena, n_pre, n, sizeof *layer->w_ref) : NULL;
        layer->m_steps = model->metaplasticity == M_DYNAMIC
                             ? arena_take_rows(arena, n_pre, n, sizeof *layer->m_steps)
                             : NULL;
        layer->feedback = l + 1 < net->n_layers
                              ? arena_take_rows(arena, params_feedback_rows(&net->params), n,
                                                sizeof *layer->feedback)
                              : NULL;
    }
    future_carve(net, arena);
    net->n_bytes = arena->used - start;
}

size_t network_bytes(const Params *params, int model) {
    Network net;
    Params other = *params;
    Arena arena = {0};
    other.model = model;
    network_shape(&net, &other, 0, NULL);
    network_carve(&net, &arena);
    return net.n_bytes;
}

size_t network_widest(const Network *net) {
    size_t widest = 0;
    for (size_t l = 0; l < net->n_layers; l++)
        widest = net->layers[l].stride > widest ? net->layers[l].stride : widest;
    return widest;
}

/* values[n_rows][stride] of layer l uniform in [-range, range); the padding is 0. */
static void draw_rows(const Network *net, size_t l, float *values, size_t n_rows, float range,
                      RngPurpose purpose) {
    const Layer *layer = &net->layers[l];
    for (size_t j = 0; j < n_rows; j++, values += layer->stride)
        for (size_t i = 0; i < layer->stride; i += 4) {
            RngBlock block = rng_block(net->seed, purpose, l, (uint32_t)(i / 4), (uint32_t)j);
            for (size_t k = 0; k < 4; k++)
                values[i + k] = i + k < layer->n_post ? rng_within(block.word[k], range) : 0.0f;
        }
}

void network_draw(Network *net) {
    const Params *p = &net->params;
    net->n_learned = 0;
    future_reset(net);
    for (size_t l = 0; l < net->n_layers; l++) {
        Layer *layer = &net->layers[l];
        size_t n = layer->n_pre * layer->stride;
        draw_rows(net, l, layer->w, layer->n_pre, (float)reals_at(&p->init_w, l), RNG_WEIGHTS);
        if (layer->w_ref)
            memcpy(layer->w_ref, layer->w, n * sizeof *layer->w);
        if (layer->m_steps)
            memset(layer->m_steps, 0, n * sizeof *layer->m_steps);
        if (layer->feedback)
            draw_rows(net, l, layer->feedback, params_feedback_rows(p),
                      (float)reals_at(&p->init_b, l), RNG_FEEDBACK);
    }
}
