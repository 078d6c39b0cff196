/* errors.c - from the outputs' mistakes to what moves every neuron's synapses. */
#include "net/network.h"

#include <math.h>
#include <string.h>

void errors_begin(const Network *net, Scratch *scratch) {
    size_t n = net->params.n_outputs;
    memset(scratch->v_fp, 0, n * sizeof *scratch->v_fp);
    memset(scratch->v_fn, 0, n * sizeof *scratch->v_fn);
    memset(scratch->s_fp, 0, n * sizeof *scratch->s_fp);
    memset(scratch->s_fn, 0, n * sizeof *scratch->s_fn);
    if (scratch->n_errors)
        memset(scratch->n_errors, 0, 2 * n * sizeof *scratch->n_errors);
}

/* SPEC step 4: does the target's label spike? */
static bool label_spikes(const Network *net, Scratch *scratch) {
    uint32_t block = (uint32_t)(scratch->step / 4);
    if (scratch->step % 4 == 0)
        scratch->label =
            scratch->rehearsing
                ? rng_block(net->seed, RNG_REHEARSAL, *net->memory.rehearsed, block, UINT32_MAX)
                : rng_block(net->seed, RNG_LABEL, net->n_learned, block, 0);
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

/* For those who ask how much error there was. */
static void count_errors(Scratch *scratch, size_t n_outputs) {
    for (size_t o = 0; o < n_outputs; o++) {
        scratch->n_errors[o] += scratch->s_fp[o] != 0;
        scratch->n_errors[n_outputs + o] += scratch->s_fn[o] != 0;
    }
}

/* SPEC step 5. Returns whether any error neuron spikes. */
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
    if (n_spikes > 0 && scratch->n_errors)
        count_errors(scratch, net->params.n_outputs);
    return n_spikes > 0;
}

/* E += e B for one error neuron; hidden layers hear it directly, through B. */
static void hear(float *restrict error, const float *restrict feedback, float e, size_t n) {
    for (size_t i = 0; i < n; i++)
        error[i] += e * feedback[i];
}

/* B of the false negatives: that of the false positives, or the rows after it. */
static const float *feedback_fn(const Network *net, const Layer *layer) {
    size_t before = params_feedback_rows(&net->params) - net->params.n_outputs;
    return layer->feedback ? layer->feedback + before * layer->stride : NULL;
}

/* SPEC step 6. */
static void broadcast(const Network *net, Scratch *scratch, size_t l) {
    const Layer *layer = &net->layers[l];
    float *error = scratch->layers[l].error;
    const float *b_fp = layer->feedback, *b_fn = feedback_fn(net, layer);
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

/* An output hears its own error neurons, a hidden neuron those of all outputs, each as loud as its
 * feedback: the mean of their rates, weighted by |B|. */
void errors_heard(const Network *net, size_t l, Scratch *scratch) {
    const Params *p = &net->params;
    const Layer *layer = &net->layers[l];
    float *heard = scratch->layers[l].heard;
    const float *b_fn = feedback_fn(net, layer);
    const uint32_t *n_fp = scratch->n_errors, *n_fn = n_fp + p->n_outputs;
    float to_hz = (float)(1000 / ((double)p->n_steps * p->dt_ms));
    for (size_t i = 0; i < layer->n_post; i++) {
        float sum = 0, weight = 0;
        for (size_t o = 0; layer->feedback && o < p->n_outputs; o++) {
            float fp = fabsf(layer->feedback[o * layer->stride + i]);
            float fn = fabsf(b_fn[o * layer->stride + i]);
            sum += fp * (float)n_fp[o] + fn * (float)n_fn[o];
            weight += 0.5f * (fp + fn);
        }
        if (!layer->feedback)
            heard[i] = to_hz * (float)(n_fp[i] + n_fn[i]);
        else
            heard[i] = weight > 0 ? to_hz * (sum / weight) : 0.0f;
    }
}
