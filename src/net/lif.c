/* lif.c - leaky integrate-and-fire neurons. */
#include "net/network.h"

void neurons_begin(const Layer *layer, LayerScratch *scratch) {
    size_t n = layer->stride;
    memset(scratch->neurons.i, 0, n * sizeof *scratch->neurons.i);
    memset(scratch->neurons.v, 0, n * sizeof *scratch->neurons.v);
    memset(scratch->neurons.u, 0, n * sizeof *scratch->neurons.u);
    memset(scratch->neurons.hold, 0, n * sizeof *scratch->neurons.hold);
    memset(scratch->x, 0, n * sizeof *scratch->x);
}

/* SPEC step 2, once the spikes of the layer before have been delivered. */
void neurons_fire(const Layer *layer, LayerScratch *scratch, size_t step) {
    size_t n = layer->stride;
    kernel_neurons_fire(&scratch->neurons, scratch->input, &layer->neuron, n);
    kernel_count(scratch->count + (step + 1) * n, scratch->count + step * n,
                 scratch->neurons.spiked, n);
    scratch->n_spikes = 0;
    for (size_t i = 0; i < layer->n_post; i++)
        if (scratch->neurons.spiked[i])
            scratch->spikes[scratch->n_spikes++] = (uint32_t)i;
}
