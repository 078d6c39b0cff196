/* predict.c - a sample to answer: layer by layer through all steps, since nothing flows back. */
#include "net/network.h"

#include <string.h>

static void count_spikes(uint32_t *counts, const Events *events) {
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        counts[events->row[k]]++;
}

int sample_predict(const Network *net, Gaze *gaze, tacos_counters *tally) {
    const Events *heard = &gaze->raster.events;
    size_t n_spikes = heard->at[heard->n_steps];
    tally->samples++;
    tally->input_spikes += n_spikes;
    watch_group(&gaze->watch, 0, heard);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        Events *said = &gaze->events[l % 2];
        net->kernel->steps_fire(layer->w, layer->stride, heard, &layer->neuron, gaze->spiked,
                                (Span){0, layer->stride});
        kernel_collect_steps(net->kernel, said, gaze->spiked, layer->stride / KERNEL_LANES,
                             gaze->column);
        tally->synaptic_events += n_spikes * layer->n_post;
        heard = said;
        watch_group(&gaze->watch, l + 1, heard);
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
