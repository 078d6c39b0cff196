/* predict.c - a sample to answer: layer by layer through all steps, since nothing flows back. */
#include "net/network.h"

#include <string.h>

static void count_spikes(uint32_t *counts, const Events *events) {
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        counts[events->row[k]]++;
}

/* What steps_fire does, with every step's inputs changed on the way. */
static void fire_inhibited(const Network *net, const Layer *layer, const Events *heard,
                           Gaze *gaze) {
    size_t n = layer->stride, words = n / KERNEL_LANES;
    Span all = {0, n};
    memset(gaze->outputs.i, 0, n * sizeof *gaze->outputs.i);
    memset(gaze->outputs.v, 0, n * sizeof *gaze->outputs.v);
    memset(gaze->outputs.hold, 0, n * sizeof *gaze->outputs.hold);
    memset(gaze->no_count, 0, n * sizeof *gaze->no_count);
    net->kernel->steps_sum(layer->w, n, heard, gaze->input, all);
    for (size_t t = 0; t < heard->n_steps; t++) {
        float *input = gaze->input + t * n;
        outputs_inhibit(net, input);
        net->kernel->neurons_fire(&gaze->outputs, input, &layer->neuron, gaze->spiked + t * words,
                                  gaze->no_count, gaze->no_count, 0.0f, all);
    }
}

int sample_predict(const Network *net, Gaze *gaze, tacos_counters *tally) {
    const Events *heard = network_hear(net, &gaze->raster, &gaze->burst, tally);
    size_t n_spikes = heard->at[heard->n_steps];
    tally->samples++;
    watch_group(&gaze->watch, 0, 0, &gaze->raster.events);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        Events *said = &gaze->events[l % 2];
        if (l + 1 == net->n_layers && net->params.output_inhibition > 0)
            fire_inhibited(net, layer, heard, gaze);
        else
            net->kernel->steps_fire(layer->w, layer->stride, heard, &layer->neuron, gaze->spiked,
                                    (Span){0, layer->stride});
        kernel_collect_steps(net->kernel, said, gaze->spiked, layer->stride / KERNEL_LANES,
                             gaze->column);
        tally->synaptic_events += n_spikes * layer->n_post;
        heard = said;
        watch_group(&gaze->watch, l + 1, network_first_step(net), heard);
        n_spikes = heard->at[heard->n_steps];
        if (l + 1 < net->n_layers)
            tally->hidden_spikes += n_spikes;
    }
    tally->output_spikes += n_spikes;
    memset(gaze->counts, 0, net->params.n_outputs * sizeof *gaze->counts);
    count_spikes(gaze->counts, heard);
    int best = -1;
    uint32_t most = 0;
    for (size_t o = 0; o < net->params.n_outputs; o++)
        if (gaze->counts[o] > most) {
            most = gaze->counts[o];
            best = (int)o;
        }
    return best;
}
