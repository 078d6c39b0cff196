/* errors.c - turns the outputs' mistakes into the errors that drive every neuron's synapses. */
#include "net/errors.h"

#include <string.h>

void errors_begin(const Network *net, Scratch *scratch) {
    size_t n = net->params.n_outputs;
    memset(scratch->v_fp, 0, n * sizeof *scratch->v_fp);
    memset(scratch->v_fn, 0, n * sizeof *scratch->v_fn);
    memset(scratch->s_fp, 0, n * sizeof *scratch->s_fp);
    memset(scratch->s_fn, 0, n * sizeof *scratch->s_fn);
}

/* Step 4: does the target's label spike? */
static bool label_spikes(const Network *net, Scratch *scratch) {
    const LabelDraws *draws = &scratch->labels;
    uint32_t block = (uint32_t)(scratch->step / 4);
    if (scratch->step % 4 == 0)
        scratch->label = rng_block(net->seed, draws->purpose, draws->sample, block, draws->index);
    return scratch->label.word[scratch->step % 4] < net->label_odds;
}

/* One error neuron: integrate without leak, fire and subtract. */
static int8_t integrate(float *v, float input, const Network *net) {
    *v += net->error_step * input;
    *v = *v > net->error_min ? *v : net->error_min;
    if (*v < net->error_th)
        return 0;
    *v -= net->error_th;
    return 1;
}

/* Step 5. Returns whether any error neuron spikes. */
static bool fire_error_neurons(const Network *net, Scratch *scratch, size_t target) {
    const uint16_t *s_out = scratch->layers[net->n_layers - 1].spiked;
    bool label = label_spikes(net, scratch);
    size_t n_spikes = 0, silent = net->params.target_fp == TARGET_FP_SILENT ? target : SIZE_MAX;
    for (size_t o = 0; o < net->params.n_outputs; o++) {
        int spike = s_out[o / KERNEL_LANES] >> o % KERNEL_LANES & 1;
        float e = (float)(spike - (o == target && label));
        scratch->s_fp[o] = o == silent ? 0 : integrate(&scratch->v_fp[o], e, net);
        scratch->s_fn[o] = integrate(&scratch->v_fn[o], -e, net);
        n_spikes += (size_t)(scratch->s_fp[o] + scratch->s_fn[o]);
    }
    if (net->params.target_fp == TARGET_FP_CLEARED)
        scratch->v_fp[target] = 0;
    scratch->tally->error_spikes += n_spikes;
    if (scratch->future.n_errors)
        future_count_errors(net, scratch);
    return n_spikes > 0;
}

/* E += e B for one error neuron; hidden layers hear it directly, through B. */
static void hear(float *restrict error, const float *restrict feedback, float e, size_t n) {
    for (size_t i = 0; i < n; i++)
        error[i] += e * feedback[i];
}

const float *errors_feedback_fn(const Network *net, const Layer *layer) {
    size_t before = params_feedback_rows(&net->params) - net->params.n_outputs;
    return layer->feedback ? layer->feedback + before * layer->stride : NULL;
}

/* Step 6. */
static void broadcast(const Network *net, Scratch *scratch, size_t l) {
    const Layer *layer = &net->layers[l];
    float *error = scratch->layers[l].error;
    const float *b_fp = layer->feedback, *b_fn = errors_feedback_fn(net, layer);
    memset(error, 0, layer->stride * sizeof *error);
    for (size_t o = 0; o < net->params.n_outputs; o++) {
        if (!layer->feedback)
            error[o] = (float)(scratch->s_fp[o] - scratch->s_fn[o]);
        if (layer->feedback && scratch->s_fp[o])
            hear(error, b_fp + o * layer->stride, 1, layer->stride);
        if (layer->feedback && scratch->s_fn[o])
            hear(error, b_fn + o * layer->stride, -1, layer->stride);
    }
}

/* With step 7 in the kernel. */
void errors_step(const Network *net, Scratch *scratch, size_t target) {
    bool errors = fire_error_neurons(net, scratch, target);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        if (errors)
            broadcast(net, scratch, l);
        float *drive = s->drive + (scratch->step + 1) * layer->stride;
        size_t moved = net->kernel->neurons_feel(&s->neurons, errors ? s->error : NULL, drive,
                                                 &layer->neuron, (Span){0, layer->stride});
        scratch->tally->error_updates += moved * s->n_visits;
        if (layer->w_ref)
            scratch->tally->decay_updates += layer->n_pre * s->n_spikes;
    }
}
