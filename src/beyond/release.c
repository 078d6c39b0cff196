/* release.c - m falls again, beyond the paper: everywhere with time, and where errors persist.
 *
 * m counts whole steps. A part of them is a whole number and a rest; the rest is lost with its own
 * probability, so that on average the part is right however few the steps are. Only whole numbers
 * are computed with, and the random ones have names: the same bits on every machine. */
#include "net/network.h"

static uint16_t release(uint16_t steps, uint64_t share, uint32_t word) {
    uint64_t lost = steps * share; /* of 2^32 */
    return (uint16_t)(steps - (lost >> 32) - (word < (uint32_t)lost));
}

/* Four synapses draw together. */
static void release_four(uint16_t *steps, const uint64_t *shares, const RngBlock *draw) {
    for (size_t k = 0; k < 4; k++)
        steps[k] = release(steps[k], shares[k], draw->word[k]);
}

void release_steps(const Network *net, size_t l, uint32_t reason, const uint64_t *shares) {
    const Layer *layer = &net->layers[l];
    for (size_t j = 0; j < layer->n_pre; j++)
        for (size_t i = 0; i < layer->stride; i += 4) {
            uint16_t *steps = layer->m_steps + j * layer->stride + i;
            uint32_t block = reason << 31 | (uint32_t)l << 24 | (uint32_t)(i / 4);
            if (!(steps[0] | steps[1] | steps[2] | steps[3])) /* nothing to lose */
                continue;
            RngBlock draw = rng_block(net->seed, RNG_RELEASE, net->n_learned, block, (uint32_t)j);
            release_four(steps, shares + i, &draw);
        }
}

void release_watch(const Network *net, const Scratch *scratch) {
    const Params *p = &net->params;
    double rate = (double)p->n_steps * p->dt_ms / p->tau_release_error_ms;
    float step = (float)(rate < 1 ? rate : 1);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        const float *heard = scratch->layers[l].heard;
        for (size_t i = 0; i < layer->n_post; i++)
            layer->error_hz[i] += step * (heard[i] - layer->error_hz[i]);
    }
}

/* Toward 0 with its time constant; a neuron that hears errors for long loses more. */
void release_tend(const Network *net, Scratch *scratch) {
    const Params *p = &net->params;
    double slow = p->tau_release_ms > 0
                      ? (double)p->tend_every * (double)p->n_steps * p->dt_ms / p->tau_release_ms
                      : 0;
    uint64_t share = rng_odds(slow), more = rng_odds(slow + p->release_share);
    if (slow == 0 && !params_release_errors(p))
        return;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        for (size_t i = 0; i < layer->stride; i++) {
            bool persists = layer->error_hz && i < layer->n_post &&
                            layer->error_hz[i] > (float)p->release_error_hz;
            scratch->shares[i] = persists ? more : share;
        }
        release_steps(net, l, 0, scratch->shares);
    }
}
