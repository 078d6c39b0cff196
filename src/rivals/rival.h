/* rival.h - rate-based learners that TACOS is compared with: one interface, several methods.
 *
 * The caller splits the stream into batches. Methods that need task boundaries are called when a
 * task begins and ends. On one machine, results are a function of parameters, seed and batches;
 * BLAS libraries sum in different orders, so other machines may differ by rounding. */
#ifndef RIVALS_RIVAL_H
#define RIVALS_RIVAL_H

#include "rivals/params.h"

#include <stdbool.h>
#include <stdint.h>

/* The methods: Method in method.h, name, whether it needs task boundaries, whether it keeps the
 * data, and a description. */
#define RIVAL_MAP(X)                                                                               \
    X(naive, "naive", false, false, "plain sequential training, no protection")                    \
    X(joint, "joint", false, true, "retrained from scratch on all tasks so far")                   \
    X(l2, "l2", true, false, "penalises changes of all parameters since the last task")            \
    X(ewc, "ewc", true, false, "penalises changes by Fisher information, one penalty per task")    \
    X(online_ewc, "online-ewc", true, false,                                                       \
      "penalises changes by Fisher information, added up over tasks")                              \
    X(si, "si", true, false,                                                                       \
      "penalises changes by each parameter's contribution to reducing the loss")                   \
    X(mas, "mas", true, false,                                                                     \
      "penalises changes by how much the outputs depend on each parameter")                        \
    X(lwf, "lwf", true, false, "learns to answer as before it learned the task")                   \
    X(bgd, "bgd", false, false,                                                                    \
      "learns less where it is more certain (Bayesian gradient descent)")                          \
    X(ss, "ss", false, false,                                                                      \
      "learns less where transmission is more certain (stochastic synapses)")                      \
    X(rls, "rls", false, false, "least squares on fixed features, all samples so far at once")     \
    X(slda, "slda", false, false,                                                                  \
      "nearest mean, in the metric of a covariance that all outputs share (streaming LDA)")        \
    X(randumb, "randumb", false, false, "as slda, on random Fourier features")                     \
    X(ncm, "ncm", false, false, "nearest mean of the samples of an output")                        \
    X(knn, "knn", false, false, "nearest neighbours in a random sample of the stream")             \
    X(fly, "fly", false, false, "associates outputs with a few of many random sums, as a fruit fly")

/* A row of RIVAL_MAP. */
typedef struct RivalInfo {
    const char *name, *about;
    bool told_tasks; /* needs rival_begin_task and rival_end_task */
    bool keeps_data; /* is shown all samples of all tasks so far, from a fresh start (joint) */
} RivalInfo;

/* The i-th method, or NULL past the end; a method's number by its name, or -1. */
const RivalInfo *rival_info(size_t i);
int rival_find(const char *name);

typedef struct RivalShape {
    size_t n_inputs, n_outputs;
    Counts hidden;
} RivalShape;

typedef struct Rival Rival;

tacos_status rival_new(Rival **out, size_t method, const RivalParams *params,
                       const RivalShape *shape, uint32_t seed, tacos_error *err);
void rival_free(Rival *rival);

/* One batch: x is [n][n_inputs], target[n] < n_outputs, 0 < n <= params.batch. */
void rival_learn(Rival *rival, const float *x, const uint16_t *target, size_t n);

/* The samples of the task that just ended, batch by batch, as often as needed: fills x
 * [batch][n_inputs] and target with batch `at` and returns its number of samples, 0 past the
 * end. */
typedef size_t RivalBatches(void *user, size_t at, float *x, uint16_t *target);

void rival_begin_task(Rival *rival);
void rival_end_task(Rival *rival, RivalBatches *batches, void *user);

/* scores [n][n_outputs], larger is likelier; 0 < n <= params.batch. Does not change what was
 * learned. */
void rival_predict(Rival *rival, const float *x, size_t n, float *scores);

typedef struct RivalStats {
    uint64_t learn_macs, predict_macs; /* multiplications with a weight so far */
    size_t model_bytes;     /* kept between batches: weights and what the method adds; without the
                               moments of an optimiser, as the paper counts */
    size_t baseline_bytes;  /* of the plain network of this shape */
    size_t workspace_bytes; /* gradients, moments, activities of a batch */
} RivalStats;

RivalStats rival_stats(const Rival *rival);
uint32_t rival_digest(const Rival *rival); /* CRC-32 of everything learned */

/* False if it diverged, that is, something learned is infinite or NaN. The scores need not show it,
 * since a ReLU does not propagate NaN. */
bool rival_is_finite(const Rival *rival);

#endif
