/* errors.c - from the outputs' mistakes to what moves every neuron's synapses. */
#include "net/network.h"

void errors_begin(const Network *net, Scratch *scratch) {
    size_t n = net->params.n_outputs;
    memset(scratch->v_fp, 0, n * sizeof *scratch->v_fp);
    memset(scratch->v_fn, 0, n * sizeof *scratch->v_fn);
}

/* SPEC step 4: does the target's label spike? */
static bool label_spikes(const Network *net, size_t step) {
    RngBlock block = rng_block(net->seed, RNG_LABEL, net->n_learned, (uint32_t)(step / 4), 0);
    return block.word[step % 4] < net->label_odds;
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

/* SPEC step 5. */
static void fire_error_neurons(const Network *net, Scratch *scratch, size_t target) {
    const uint8_t *s_out = scratch->layers[net->n_layers - 1].neurons.spiked;
    bool label = label_spikes(net, scratch->step);
    for (size_t o = 0; o < net->params.n_outputs; o++) {
        float e = (float)s_out[o] - (o == target && label ? 1.0f : 0.0f);
        scratch->s_fp[o] = integrate(&scratch->v_fp[o], e, net);
        scratch->s_fn[o] = integrate(&scratch->v_fn[o], -e, net);
        scratch->tally->error_spikes += (uint64_t)(scratch->s_fp[o] + scratch->s_fn[o]);
    }
    scratch->v_fp[target] = 0;
}

/* SPEC step 6. Hidden layers hear the error neurons directly, through B. */
static void broadcast(const Network *net, Scratch *scratch, size_t l) {
    const Layer *layer = &net->layers[l];
    float *error = scratch->layers[l].error;
    memset(error, 0, layer->stride * sizeof *error);
    for (size_t o = 0; o < net->params.n_outputs; o++) {
        int e = scratch->s_fp[o] - scratch->s_fn[o];
        if (!layer->feedback) {
            error[o] = (float)e;
            continue;
        }
        for (size_t i = 0; e != 0 && i < layer->stride; i++)
            error[i] += (float)e * layer->feedback[o * layer->stride + i];
    }
}

void errors_step(const Network *net, Scratch *scratch, size_t target) {
    fire_error_neurons(net, scratch, target);
    size_t n_pre_spikes = scratch->n_input_spikes;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        broadcast(net, scratch, l);
        size_t moved =
            kernel_neurons_feel(&s->neurons, s->error, s->drive + scratch->step * layer->stride,
                                &layer->neuron, layer->stride);
        scratch->tally->error_updates += moved * n_pre_spikes;
        if (layer->w_ref)
            scratch->tally->decay_updates += layer->n_pre * s->n_spikes;
        n_pre_spikes = s->n_spikes;
    }
}
