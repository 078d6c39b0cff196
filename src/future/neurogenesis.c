/* neurogenesis.c - new neurons within fixed memory, beyond the paper.
 *
 * When the synapses of a hidden layer have become metaplastic on average, some of its neurons are
 * replaced: new random weights from the layer before, none to the layer after (so that the other
 * neurons' effect is unchanged), m = 0. Those that matter least to the layer after are chosen, by
 * their outgoing |w| m: |w| is a neuron's influence there, m the number of samples it was needed
 * in. Activity would show which neurons spike, not which ones matter, and would have to be stored.
 * A neuron whose own m is below the threshold is young or idle, and is left alone; so no neuron is
 * replaced twice in a row, and replacement ends once enough neurons are young. */
#include "future/mechanisms.h"

#include <math.h>
#include <string.h>

/* Sum the steps of all synapses onto each neuron; returns the total. */
static uint64_t sum_steps(const Layer *layer, uint64_t *sums) {
    uint64_t all = 0;
    memset(sums, 0, layer->stride * sizeof *sums);
    for (size_t j = 0; j < layer->n_pre; j++)
        for (size_t i = 0; i < layer->n_post; i++) {
            uint16_t steps = layer->m_steps[j * layer->stride + i];
            sums[i] += steps < layer->synapse.m_ceiling ? steps : layer->synapse.m_ceiling;
        }
    for (size_t i = 0; i < layer->n_post; i++)
        all += sums[i];
    return all;
}

static bool is_above(const Network *net, const Layer *layer, uint64_t steps, size_t n_synapses) {
    return (double)steps * (double)layer->synapse.delta_m >
           net->params.future.neurogenesis_m * (double)n_synapses;
}

/* How much neuron i matters to the layer that it feeds. */
static float worth(const Layer *next, size_t i) {
    const SynapseRule *rule = &next->synapse;
    size_t at = i * next->stride;
    float sum = 0;
    for (size_t o = 0; o < next->n_post; o++) {
        float m = (float)next->m_steps[at + o] * rule->delta_m;
        sum += fabsf(next->w[at + o]) * (m < rule->m_max ? m : rule->m_max);
    }
    return sum;
}

/* The index of the smallest non-negative value; n if there is none. */
static size_t least(const float *values, size_t n) {
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (values[i] >= 0 && (best == n || values[i] < values[best]))
            best = i;
    return best;
}

static void begin_anew(Network *net, size_t l, size_t i) {
    Layer *layer = &net->layers[l], *next = &net->layers[l + 1];
    float range = (float)reals_at(&net->params.init_w, l);
    uint32_t block = (uint32_t)l << 24 | (uint32_t)(i / 4);
    for (size_t j = 0; j < layer->n_pre; j++) {
        size_t at = j * layer->stride + i;
        RngBlock draw = rng_block(net->seed, RNG_REBIRTH, net->n_learned, block, (uint32_t)j);
        layer->w[at] = rng_within(draw.word[i % 4], range);
        layer->m_steps[at] = 0;
        if (layer->w_ref)
            layer->w_ref[at] = layer->w[at];
    }
    size_t out = i * next->stride;
    memset(next->w + out, 0, next->stride * sizeof *next->w);
    memset(next->m_steps + out, 0, next->stride * sizeof *next->m_steps);
    if (next->w_ref)
        memset(next->w_ref + out, 0, next->stride * sizeof *next->w_ref);
    if (net->future.error_hz[l])
        net->future.error_hz[l][i] = 0;
}

static void renew_layer(Network *net, size_t l, FutureScratch *scratch) {
    const Layer *layer = &net->layers[l];
    size_t n = layer->n_post;
    uint64_t *sums = scratch->sums;
    if (!is_above(net, layer, sum_steps(layer, sums), layer->n_pre * n))
        return;
    for (size_t i = 0; i < n; i++)
        scratch->worth[i] =
            is_above(net, layer, sums[i], layer->n_pre) ? worth(&net->layers[l + 1], i) : -1.0f;
    for (size_t k = 0; k < net->params.future.neurogenesis_neurons; k++) {
        size_t i = least(scratch->worth, n);
        if (i == n)
            return;
        begin_anew(net, l, i);
        scratch->worth[i] = -1.0f;
    }
}

void neurogenesis_run(Network *net, Scratch *scratch) {
    for (size_t l = 0; l + 1 < net->n_layers && net->params.future.neurogenesis_m > 0; l++)
        renew_layer(net, l, &scratch->future);
}
