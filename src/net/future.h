/* future.h - the engine's interface to src/future, which the paper only suggests as future work: m
 * that grows by error, m that falls again, replacement of neurons, rehearsal. For models in which m
 * grows; all off by default.
 *
 * The engine stores their state and calls them at the moments below. They are defined in
 * src/future, which builds on the engine; the engine includes nothing from there. */
#ifndef NET_FUTURE_H
#define NET_FUTURE_H

#include "base/arena.h"
#include "base/keys.h"

#include <stdint.h>

enum { LAYERS_MAX = KEY_LIST_MAX };

typedef struct Network Network;
typedef struct Scratch Scratch;
typedef struct Section Section;

/* ---- Parameters: a block of the key table in params.c ---- */

typedef struct FutureParams {
    double m_growth_error;                         /* growth by error */
    size_t tend_every;                             /* release and neurogenesis */
    double tau_release_ms;                         /* release: m falls ... */
    double release_error_hz, tau_release_error_ms; /* ... where errors persist ... */
    double release_share;                          /* ... by this much */
    double neurogenesis_m;
    size_t neurogenesis_neurons;
    size_t rehearsal_every, rehearsal_means, rehearsal_rounds;
    double rehearsal_release;
} FutureParams;

/* ---- What lasts, and what a sample needs; NULL where it is not asked for ---- */

/* The mean inputs that are rehearsed: of each output, those of several times. An input is how
 * likely it spikes in a step. */
typedef struct Memory {
    float *means;        /* [n_outputs][rehearsal_means][n_inputs] */
    uint64_t *n;         /* [n_outputs][rehearsal_means]: samples in each, 0 if unused */
    uint64_t *open;      /* [n_outputs]: the one that takes samples */
    uint64_t *rehearsed; /* one number: samples rehearsed, which numbers their random draws */
} Memory;

typedef struct FutureState {
    float *error_hz[LAYERS_MAX]; /* [stride]: mean rate of errors received over many samples */
    Memory memory;
} FutureState;

typedef struct FutureScratch {
    uint32_t *n_errors;          /* [2][n_outputs]: false positives, negatives in this sample */
    float *heard[LAYERS_MAX];    /* [stride]: rate of errors in this sample, Hz */
    uint16_t *grows[LAYERS_MAX]; /* [stride]: whose synapses may grow m; NULL if all may */
    uint64_t *shares;            /* [widest layer]: of 2^32, what m loses */
    uint64_t *sums;              /* [widest layer]: steps of all synapses onto a neuron */
    float *worth;                /* [widest layer]: what a neuron means to the next layer */
    float *shown;                /* [n_inputs]: how often inputs spiked */
    bool rehearsing;             /* the sample is not part of the stream */
} FutureScratch;

/* ---- The moments ---- */

/* Carve the arrays (twice, see arena.h). */
void future_carve(Network *net, Arena *arena);
void future_carve_scratch(Scratch *scratch, const Network *net, Arena *arena);
/* The initial state. */
void future_reset(Network *net);

/* The error neurons have done a step; called only if n_errors is not NULL. */
void future_count_errors(const Network *net, Scratch *scratch);
/* The last step is over, and m has not grown yet. */
void future_end_sample(const Network *net, Scratch *scratch);
/* A sample of the stream has been learned. */
void future_learned(Network *net, Scratch *scratch, size_t target, tacos_counters *tally);

/* What a file holds after layer l, or after all layers if l is n_layers; returns how many. */
size_t future_sections(Network *net, size_t l, Section *list);
/* Whether what was read is a state that a learner can reach. */
bool future_holds(const Network *net);

#endif
