/* lif.c - leaky integrate-and-fire neurons. */
#include "net/network.h"

#include <string.h>

void neurons_begin(const Layer *layer, LayerScratch *scratch) {
    size_t n = layer->stride;
    memset(scratch->neurons.i, 0, n * sizeof *scratch->neurons.i);
    memset(scratch->neurons.v, 0, n * sizeof *scratch->neurons.v);
    memset(scratch->neurons.u, 0, n * sizeof *scratch->neurons.u);
    memset(scratch->neurons.hold, 0, n * sizeof *scratch->neurons.hold);
    memset(scratch->x, 0, n * sizeof *scratch->x);
    memset(scratch->waste, 0, n * sizeof *scratch->waste);
}

/* SPEC step 2, once the spikes of the layer before have been delivered. */
void neurons_fire(const Network *net, size_t l, Scratch *scratch, Span span) {
    const Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    const float *before = s->count + (scratch->step + 1) * layer->stride;
    float *after = s->count + (scratch->step + 2) * layer->stride;
    net->kernel->neurons_fire(&s->neurons, s->input, &layer->neuron, s->spiked, before, after,
                              layer->synapse.alpha, span);
}

void outputs_inhibit(const Network *net, float *input) {
    size_t n = net->params.n_outputs;
    float sum = 0, part = (float)(net->params.output_inhibition / (double)n);
    for (size_t o = 0; o < n; o++)
        sum += input[o];
    for (size_t o = 0; o < n; o++)
        input[o] -= part * sum;
}

/* Padding never spikes: its input is 0, and thresholds are above 0. */
void neurons_collect(const Network *net, size_t l, Scratch *scratch) {
    LayerScratch *s = &scratch->layers[l];
    s->n_spikes =
        net->kernel->collect(s->spikes, s->spiked, net->layers[l].stride / KERNEL_LANES, s->column);
}
