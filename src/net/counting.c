/* counting.c - learning without error: a weight onto an output is the log-odds of that output's
 * label, among the samples in which the weight's presynaptic neuron spiked.
 *
 *   w = log((n_label + a) / (n - n_label + a))
 *
 * A synapse needs no counter of its own: w and the neuron's n tell n_label, since n_label + a =
 * (n + 2 a) / (1 + exp(-w)). In double precision and back the weight loses so little that its
 * counts stay right to a twentieth over ten thousand samples (test_counting). Sums do not know
 * their order, so nothing depends on the order of tasks. */
#include "net/network.h"

#include "base/exact.h"

#include "base/exp_log.h"

void counting_learn(const Network *net, const Scratch *scratch) {
    const Layer *layer = &net->layers[net->n_layers - 1];
    const LayerScratch *s = &scratch->layers[net->n_layers - 1];
    double prior = net->params.count_prior;
    for (size_t k = 0; k < s->n_awake; k++) {
        uint32_t pre = s->awake_rows[k];
        float *w = layer->w + pre * layer->stride;
        double all = layer->uses[pre] + 2 * prior;
        for (size_t o = 0; o < layer->n_post; o++) {
            bool label = o == scratch->target;
            double with = all / (1 + exact_exp(-(double)w[o])) + label;
            w[o] = (float)exact_log(with / (all + 1 - with));
        }
    }
}
