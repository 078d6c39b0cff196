/* mechanisms.h - the four mechanisms of src/future, as future.c calls them. */
#ifndef FUTURE_MECHANISMS_H
#define FUTURE_MECHANISMS_H

#include "net/sample.h"

/* All four need a model in which m grows. */
static inline bool future_grows(const Params *params) {
    return params_model(params)->metaplasticity == M_DYNAMIC;
}

static inline bool future_releases_errors(const Params *params) {
    return future_grows(params) && params->future.release_error_hz > 0;
}

static inline bool future_rehearses(const Params *params) {
    return future_grows(params) && params->future.rehearsal_every > 0;
}

/* ---- metaplasticity.c: m grows by error, and falls again ---- */

/* Draw which neurons may grow m, by the errors of the sample that just ended. */
void growth_draw(const Network *net, size_t l, Scratch *scratch);

/* Add the errors of the last sample to the running mean. */
void release_follow(Network *net, const Scratch *scratch);
/* Let m fall. The network must have settled. */
void release_run(Network *net, Scratch *scratch);
/* Synapses onto neuron i lose shares[i] / 2^32 of their steps. Two releases at the same sample need
 * different values of `reason`, 0 or 1. */
void release_steps(Network *net, size_t l, uint32_t reason, const uint64_t *shares);

/* ---- neurogenesis.c: neurons are replaced; the network must have settled ---- */

void neurogenesis_run(Network *net, Scratch *scratch);

/* ---- rehearsal.c: mean samples are learned again ---- */

/* Add the sample just learned to the means. */
void rehearsal_remember(Network *net, Scratch *scratch, size_t target);
void rehearsal_run(Network *net, Scratch *scratch, tacos_counters *tally);

#endif
