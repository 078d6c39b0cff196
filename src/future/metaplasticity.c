/* metaplasticity.c - m beyond the paper: it grows by the size of the error and falls again,
 * everywhere with time and where errors persist.
 *
 * m counts whole steps. So growth becomes rarer instead of smaller: eligible synapses onto a neuron
 * grow with a probability given by the errors it received during the sample. A loss of steps has an
 * integer part and a fraction; the fraction is lost with that probability, so that the mean is
 * right however few the steps are. Steps are integers, and random numbers are addressed by name:
 * the same bits on every machine. */
#include "future/mechanisms.h"

/* The errors of a sample as a fraction of those of a silent target: one per spike of its label. */
static double error_part(const Params *p, float heard_hz) {
    double part = p->label_rate_hz > 0 ? (double)heard_hz / p->label_rate_hz : heard_hz > 0;
    return part < 1 ? part : 1;
}

/* 1 without error and 1 - scale at full error; for scale below 0 the other way round. */
static double chance(double scale, double part) {
    return scale > 0 ? 1 - scale * part : 1 + scale * (1 - part);
}

void growth_draw(const Network *net, size_t l, Scratch *scratch) {
    const Params *p = &net->params;
    const Layer *layer = &net->layers[l];
    const FutureScratch *s = &scratch->future;
    uint32_t index = s->rehearsing ? 1 + (uint32_t)*net->future.memory.rehearsed : 0;
    for (size_t i = 0; i < layer->stride; i += 4) {
        uint32_t block = (uint32_t)l << 24 | (uint32_t)(i / 4);
        RngBlock draw = rng_block(net->seed, RNG_GROWTH, net->n_learned, block, index);
        for (size_t k = 0; k < 4; k++) {
            float heard = i + k < layer->n_post ? s->heard[l][i + k] : 0.0f;
            double odds = chance(p->future.m_growth_error, error_part(p, heard));
            s->grows[l][i + k] = draw.word[k] < rng_odds(odds);
        }
    }
}

static uint16_t release(uint16_t steps, uint64_t share, uint32_t word) {
    uint64_t lost = steps * share; /* in units of 2^-32 steps */
    return (uint16_t)(steps - (lost >> 32) - (word < (uint32_t)lost));
}

/* Four synapses share one draw. */
static void release_four(uint16_t *steps, const uint64_t *shares, const RngBlock *draw) {
    for (size_t k = 0; k < 4; k++)
        steps[k] = release(steps[k], shares[k], draw->word[k]);
}

void release_steps(Network *net, size_t l, uint32_t reason, const uint64_t *shares) {
    Layer *layer = &net->layers[l];
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

void release_follow(Network *net, const Scratch *scratch) {
    const Params *p = &net->params;
    double rate = (double)p->n_steps * p->dt_ms / p->future.tau_release_error_ms;
    float step = (float)(rate < 1 ? rate : 1);
    for (size_t l = 0; l < net->n_layers; l++) {
        const float *heard = scratch->future.heard[l];
        float *error_hz = net->future.error_hz[l];
        for (size_t i = 0; i < net->layers[l].n_post; i++)
            error_hz[i] += step * (heard[i] - error_hz[i]);
    }
}

/* m decays toward 0 with its time constant; neurons with persistent errors lose more. */
void release_run(Network *net, Scratch *scratch) {
    const Params *p = &net->params;
    const FutureParams *b = &p->future;
    double slow = b->tau_release_ms > 0
                      ? (double)b->tend_every * (double)p->n_steps * p->dt_ms / b->tau_release_ms
                      : 0;
    uint64_t share = rng_odds(slow), more = rng_odds(slow + b->release_share);
    uint64_t *shares = scratch->future.shares;
    if (slow == 0 && !future_releases_errors(p))
        return;
    for (size_t l = 0; l < net->n_layers; l++) {
        const float *error_hz = net->future.error_hz[l];
        for (size_t i = 0; i < net->layers[l].stride; i++) {
            bool persists =
                error_hz && i < net->layers[l].n_post && error_hz[i] > (float)b->release_error_hz;
            shares[i] = persists ? more : share;
        }
        release_steps(net, l, 0, shares);
    }
}
