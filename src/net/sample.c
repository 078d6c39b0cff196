/* sample.c - one sample through the network, step by step in the order of the paper. */
#include "net/network.h"

void sample_begin(const Network *net, Scratch *scratch, tacos_counters *tally) {
    scratch->step = 0;
    scratch->tally = tally;
    tally->samples++;
    for (size_t l = 0; l < net->n_layers; l++) {
        synapses_begin(&net->layers[l], &scratch->layers[l]);
        neurons_begin(&net->layers[l], &scratch->layers[l]);
    }
    memset(scratch->input_x, 0, kernel_padded(net->params.n_inputs) * sizeof *scratch->input_x);
    memset(scratch->counts, 0, net->params.n_outputs * sizeof *scratch->counts);
    errors_begin(net, scratch);
}

/* The spikes of a layer reach the next one within the same step. */
static void forward(const Network *net, Scratch *scratch, bool learning) {
    const uint32_t *spikes = scratch->input_spikes;
    size_t n_spikes = scratch->n_input_spikes;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        synapses_deliver(layer, s, spikes, n_spikes, scratch->step, learning);
        neurons_fire(layer, s, scratch->step);
        scratch->tally->synaptic_events += n_spikes * layer->n_post;
        spikes = s->spikes;
        n_spikes = s->n_spikes;
        if (l + 1 < net->n_layers)
            scratch->tally->hidden_spikes += n_spikes;
    }
    for (size_t k = 0; k < n_spikes; k++)
        scratch->counts[spikes[k]]++;
    scratch->tally->output_spikes += n_spikes;
}

void sample_step(const Network *net, Scratch *scratch, size_t target, bool learning) {
    scratch->n_input_spikes = raster_spikes(&scratch->raster, scratch->step, scratch->input_spikes);
    scratch->tally->input_spikes += scratch->n_input_spikes;
    forward(net, scratch, learning);
    if (learning) {
        traces_step(net, scratch);
        errors_step(net, scratch, target);
    }
    scratch->step++;
}

void sample_end(Network *net, Scratch *scratch) {
    plasticity_end_sample(net, scratch);
    net->n_learned++;
}

void sample_learn(Network *net, Scratch *scratch, size_t target, tacos_counters *tally) {
    sample_begin(net, scratch, tally);
    while (scratch->step < net->params.n_steps)
        sample_step(net, scratch, target, true);
    sample_end(net, scratch);
}

int sample_predict(const Network *net, Scratch *scratch, tacos_counters *tally) {
    int best = -1;
    uint32_t most = 0;
    sample_begin(net, scratch, tally);
    while (scratch->step < net->params.n_steps)
        sample_step(net, scratch, 0, false);
    for (size_t o = 0; o < net->params.n_outputs; o++)
        if (scratch->counts[o] > most) {
            most = scratch->counts[o];
            best = (int)o;
        }
    return best;
}
