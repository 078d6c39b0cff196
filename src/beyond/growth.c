/* growth.c - metaplastic steps scaled by the size of the error, beyond the paper.
 *
 * m counts whole steps, so a step is not made smaller but rarer: the synapses onto a neuron that
 * are ready to grow do so with a probability that follows from the errors it heard in the sample.
 */
#include "net/network.h"

/* The errors of a sample as a part of those that a silent target makes: one for every spike of its
 * label. */
static double error_part(const Params *p, float heard_hz) {
    double part = p->label_rate_hz > 0 ? (double)heard_hz / p->label_rate_hz : heard_hz > 0;
    return part < 1 ? part : 1;
}

/* 1 without error and 1 - scale with all of it; or with scale below 0 the other way round. */
static double chance(double scale, double part) {
    return scale > 0 ? 1 - scale * part : 1 + scale * (1 - part);
}

void growth_draw(const Network *net, size_t l, Scratch *scratch) {
    const Params *p = &net->params;
    const Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    uint32_t index = scratch->rehearsing ? 1 + (uint32_t)*net->memory.rehearsed : 0;
    for (size_t i = 0; i < layer->stride; i += 4) {
        uint32_t block = (uint32_t)l << 24 | (uint32_t)(i / 4);
        RngBlock draw = rng_block(net->seed, RNG_GROWTH, net->n_learned, block, index);
        for (size_t k = 0; k < 4; k++) {
            float heard = i + k < layer->n_post ? s->heard[i + k] : 0.0f;
            double odds = chance(p->m_growth_error, error_part(p, heard));
            s->grows[i + k] = draw.word[k] < rng_odds(odds);
        }
    }
}
