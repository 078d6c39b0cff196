/* test_rivals.h - what the tests of the rivals share: small rivals, small problems, and the network
 * once more, in double precision and without a library, to compare with. */
#ifndef TESTS_TEST_RIVALS_H
#define TESTS_TEST_RIVALS_H

#include "rivals/loss.h"
#include "rivals/method.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { TOY_IN = 5, TOY_OUT = 3, TOY_BATCH = 8, TOY_THETA_MAX = 200 };

static const Counts toy_hidden[] = {{0, {0}}, {1, {6}}, {2, {6, 4}}};
enum { N_HIDDEN = 3 };

#define assert_close(got, wanted, tolerance)                                                       \
    do {                                                                                           \
        double got_ = (double)(got), wanted_ = (double)(wanted);                                   \
        if (!(fabs(got_ - wanted_) <= (tolerance)))                                                \
            fail_msg("%s is %.9g instead of %.9g", #got, got_, wanted_);                           \
    } while (0)

/* Text "key value key value ..." over the defaults. */
static inline RivalParams toy_params(const char *text) {
    RivalParams params;
    tacos_error err;
    char copy[512], *rest = copy, *key;
    keys_defaults(rival_table, &params);
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    while ((key = strtok_r(rest, " ", &rest)))
        assert_succeeds(
            key_set(keys_find(rival_table, key), &params, strtok_r(rest, " ", &rest), &err));
    return params;
}

static inline Rival *toy_rival(const char *method, const char *text, RivalShape shape,
                               uint32_t seed) {
    RivalParams params = toy_params(text);
    Rival *rival;
    tacos_error err;
    assert_succeeds(rival_new(&rival, (size_t)rival_find(method), &params, &shape, seed, &err));
    return rival;
}

/* ---- Data ---- */

typedef struct ToyBatch {
    float x[TOY_BATCH * TOY_IN];
    uint16_t target[TOY_BATCH];
} ToyBatch;

static inline ToyBatch toy_batch(uint32_t game) {
    ToyBatch batch;
    Dice dice = {.game = game};
    for (size_t i = 0; i < TOY_BATCH * TOY_IN; i++)
        batch.x[i] = (float)roll(&dice, -1, 1);
    for (size_t i = 0; i < TOY_BATCH; i++)
        batch.target[i] = (uint16_t)(roll_word(&dice) % TOY_OUT);
    return batch;
}

/* A task of two batches and a half: RivalBatches, with the first game as user. */
enum { TOY_TASK_BATCHES = 3 };

static inline size_t toy_task_size(size_t at) {
    return at + 1 < TOY_TASK_BATCHES ? TOY_BATCH : at < TOY_TASK_BATCHES ? TOY_BATCH / 2 : 0;
}

static inline size_t toy_task(void *user, size_t at, float *x, uint16_t *target) {
    ToyBatch batch = toy_batch(*(uint32_t *)user + (uint32_t)at);
    size_t n = toy_task_size(at);
    memcpy(x, batch.x, n * TOY_IN * sizeof *x);
    memcpy(target, batch.target, n * sizeof *target);
    return n;
}

static inline void toy_learn_task(Rival *rival, uint32_t game) {
    rival_begin_task(rival);
    for (size_t at = 0; at < TOY_TASK_BATCHES; at++) {
        ToyBatch batch = toy_batch(game + (uint32_t)at);
        rival_learn(rival, batch.x, batch.target, toy_task_size(at));
    }
    rival_end_task(rival, toy_task, &game);
}

/* ---- The network in double precision ---- */

static inline void ref_logits(const Mlp *mlp, const double *theta, const float *x, double *z) {
    double in[16], out[16];
    for (size_t j = 0; j < mlp->n_inputs; j++)
        in[j] = (double)x[j];
    for (size_t l = 0; l < mlp->n_layers; l++) {
        const MlpLayer *layer = &mlp->layers[l];
        for (size_t o = 0; o < layer->n_out; o++) {
            out[o] = theta[layer->biases + o];
            for (size_t j = 0; j < layer->n_in; j++)
                out[o] += theta[layer->weights + o * layer->n_in + j] * in[j];
            if (l + 1 < mlp->n_layers && out[o] < 0)
                out[o] = 0;
        }
        memcpy(in, out, sizeof in);
    }
    memcpy(z, in, mlp->n_outputs * sizeof *z);
}

static inline void ref_softmax(const double *z, size_t n, double temperature, double *p) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += exp(z[k] / temperature);
    for (size_t k = 0; k < n; k++)
        p[k] = exp(z[k] / temperature) / sum;
}

/* A loss is a function of parameters; what else it needs is in `user`. */
typedef double RefLoss(const double *theta, const void *user);

typedef struct RefBatch {
    const Mlp *mlp;
    const float *x;
    const uint16_t *target;
    size_t n;
} RefBatch;

/* The mean cross-entropy of a RefBatch. */
static inline double ref_cross_entropy(const double *theta, const void *user) {
    const RefBatch *batch = user;
    double z[16] = {0}, p[16] = {0}, loss = 0;
    for (size_t i = 0; i < batch->n; i++) {
        ref_logits(batch->mlp, theta, batch->x + i * batch->mlp->n_inputs, z);
        ref_softmax(z, batch->mlp->n_outputs, 1, p);
        loss -= log(p[batch->target[i]]) / (double)batch->n;
    }
    return loss;
}

/* The slope of a loss by differences. */
static inline void ref_slope(RefLoss *loss, const void *user, const float *at, size_t n,
                             double *slope) {
    double theta[TOY_THETA_MAX] = {0};
    const double h = 1e-6;
    assert_true(n <= TOY_THETA_MAX);
    for (size_t i = 0; i < n; i++)
        theta[i] = (double)at[i];
    for (size_t i = 0; i < n; i++) {
        theta[i] = (double)at[i] + h;
        double above = loss(theta, user);
        theta[i] = (double)at[i] - h;
        slope[i] = (above - loss(theta, user)) / (2 * h);
        theta[i] = (double)at[i];
    }
}

/* A network of one input and two outputs, theta = (w0, w1, b0, b1): the slope of the cross-entropy
 * of one sample. */
static inline void slope_by_hand(const double *theta, double x, size_t target, double *grad) {
    double z[2] = {theta[0] * x + theta[2], theta[1] * x + theta[3]}, p[2];
    ref_softmax(z, 2, 1, p);
    for (size_t k = 0; k < 2; k++) {
        grad[2 + k] = p[k] - (k == target);
        grad[k] = grad[2 + k] * x;
    }
}

/* ---- Linear methods ---- */

/* Solve a x = b, n equations, by Gauss with pivots. */
static inline void solve_by_hand(double *a, double *b, size_t n) {
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < n; r++)
            best = fabs(a[r * n + c]) > fabs(a[best * n + c]) ? r : best;
        for (size_t j = 0; j < n; j++) {
            double other = a[c * n + j];
            a[c * n + j] = a[best * n + j];
            a[best * n + j] = other;
        }
        double other = b[c];
        b[c] = b[best];
        b[best] = other;
        for (size_t r = 0; r < n; r++) {
            double factor = r == c ? 0 : a[r * n + c] / a[c * n + c];
            for (size_t j = 0; j < n; j++)
                a[r * n + j] -= factor * a[c * n + j];
            b[r] -= factor * b[c];
        }
    }
    for (size_t c = 0; c < n; c++)
        b[c] /= a[c * n + c];
}

/* The features of rivals/frozen.h that a rival of toys reads of a sample; their number. */
static inline size_t features_by_hand(const Rival *rival, const float *x, double *f) {
    FrozenKind kind = rival->frozen.kind;
    size_t n = kind == FROZEN_NONE ? TOY_IN : rival->shape.hidden.value[0];
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; kind != FROZEN_NONE && j < TOY_IN; j++)
            sum += (double)rival->theta[i * TOY_IN + j] * (double)x[j];
        sum += kind == FROZEN_NONE ? (double)x[i] : (double)rival->theta[n * TOY_IN + i];
        f[i] = kind == FROZEN_FOURIER           ? sqrt(2 / (double)n) * cos(sum)
               : kind == FROZEN_RELU && sum < 0 ? 0
                                                : sum;
    }
    return n;
}

static inline void assert_all_close(const float *got, const double *wanted, size_t n,
                                    double tolerance) {
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        assert_close(got[i], wanted[i], tolerance);
        largest = fmax(largest, fabs(wanted[i]));
    }
    assert_true(largest > 100 * tolerance); /* so that zeros would not do */
}

#endif
