/* oracle.h - SPEC section 2 transcribed: dense, step by step, in double precision.
 *
 * It shares nothing with the engine but the parameters, the random numbers and the initial weights
 * and feedback. It is written to be read beside the specification, not to be fast. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "net/network.h"

enum { ORACLE_NEURONS = 96, ORACLE_LAYERS = 5 };

typedef struct OracleLayer {
    size_t n_pre, n_post;
    bool output;
    double w[ORACLE_NEURONS][ORACLE_NEURONS]; /* [post][pre] */
    double w_ref[ORACLE_NEURONS][ORACLE_NEURONS];
    double m[ORACLE_NEURONS][ORACLE_NEURONS];
    double n[ORACLE_NEURONS];                    /* [pre]: samples in which it spiked */
    bool used[ORACLE_NEURONS];                   /* [pre]: in this one */
    double b_fp[ORACLE_NEURONS][ORACLE_NEURONS]; /* [hidden neuron][output] */
    double b_fn[ORACLE_NEURONS][ORACLE_NEURONS];
    double i[ORACLE_NEURONS], v[ORACLE_NEURONS], u[ORACLE_NEURONS], x[ORACLE_NEURONS];
    double e[ORACLE_NEURONS];
    long last_spike[ORACLE_NEURONS]; /* step, or far in the past */
    bool s[ORACLE_NEURONS];
} OracleLayer;

typedef struct Oracle {
    Params p;
    uint32_t seed;
    uint64_t sample;
    size_t n_layers;
    OracleLayer layers[ORACLE_LAYERS];
    bool input_s[ORACLE_NEURONS];
    double input_x[ORACLE_NEURONS];
    double v_fp[ORACLE_NEURONS], v_fn[ORACLE_NEURONS];
    bool s_fp[ORACLE_NEURONS], s_fn[ORACLE_NEURONS];
    /* Decisions that rounding could turn: there the oracle takes the engine's side. */
    double near; /* how far the engine may stray from a threshold */
    size_t n_decisions, n_followed;
} Oracle;

static inline bool oracle_engine_spiked(const LayerScratch *engine, size_t i) {
    return engine->spiked[i / KERNEL_LANES] >> i % KERNEL_LANES & 1;
}

void oracle_init(Oracle *oracle, const Network *net);
void oracle_begin_sample(Oracle *oracle);
/* One step; `engine` is the engine's scratch after the same step, for followed decisions. */
void oracle_step(Oracle *oracle, const float *intensity, size_t target, long step,
                 const Scratch *engine);
void oracle_end_sample(Oracle *oracle, const Scratch *engine);

#endif
