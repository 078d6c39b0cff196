/* mechanisms.h - the four of src/future, as future.c calls them. */
#ifndef FUTURE_MECHANISMS_H
#define FUTURE_MECHANISMS_H

#include "net/sample.h"

/* Each is of models in which m grows. */
static inline bool future_grows(const Params *params) {
    return params_model(params)->metaplasticity == M_DYNAMIC;
}

static inline bool future_releases_errors(const Params *params) {
    return future_grows(params) && params->future.release_error_hz > 0;
}

static inline bool future_rehearses(const Params *params) {
    return future_grows(params) && params->future.rehearsal_every > 0;
}

/* ---- metaplasticity.c: m grows by error, and falls ---- */

/* Who may grow m, by the errors of the sample that ends. */
void growth_draw(const Network *net, size_t l, Scratch *scratch);

/* The errors of the last sample join the mean. */
void release_follow(Network *net, const Scratch *scratch);
/* m falls. The network has settled. */
void release_run(Network *net, Scratch *scratch);
/* Synapses onto neuron i lose shares[i] of 2^32 of their steps. What falls at the same time for
 * another reason has another `reason`, 0 or 1. */
void release_steps(Network *net, size_t l, uint32_t reason, const uint64_t *shares);

/* ---- neurogenesis.c: neurons begin anew; the network has settled ---- */

void neurogenesis_run(Network *net, Scratch *scratch);

/* ---- rehearsal.c: means of samples are learned again ---- */

/* The sample that was learned joins the means. */
void rehearsal_remember(Network *net, Scratch *scratch, size_t target);
void rehearsal_run(Network *net, Scratch *scratch, tacos_counters *tally);

#endif
