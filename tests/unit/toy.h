/* toy.h - small learners made from a few lines of text, and samples for them. */
#ifndef TESTS_TOY_H
#define TESTS_TOY_H

#include "check.h"

#include <stdlib.h>

/* Networks, and columns. */
static const char *const toy_models[] = {
    "tacos", "snn", "snn+metaplasticity", "snn+consolidation", "fixed", "columns"};
enum { TOY_MODELS = 5, TOY_ALL_MODELS = 6, TOY_INPUTS = 40 };

/* 40-20-2, lively enough that every mechanism works within a few samples. */
#define TOY_SHAPE "inputs = 40\nhidden = 20\noutputs = 2\nsteps = 60\n"
#define TOY_LIVELY                                                                                 \
    "init_w = 2\nm_threshold_input = 3\nm_threshold_hidden = 1\nm_threshold_output = 0.1\n"        \
    "w_ref_rate = 0.12\nalpha = 0.01\nm_max = 5\nm_max_output = 5\n"                               \
    "delta_m_hidden = 0.04\ndelta_m_output = 0.004\n"                                              \
    "threshold_hidden = 0.4\nthreshold_output = 0.5\n"
#define TOY TOY_SHAPE TOY_LIVELY

static inline tacos_config *toy_config(const char *text, const char *model) {
    tacos_config *config;
    tacos_error err;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(config, text, "toy", &err));
    assert_succeeds(tacos_config_set(config, "model", model, &err));
    return config;
}

static inline tacos_learner *toy_learner(const char *text, const char *model, uint32_t seed,
                                         const tacos_allocator *allocator) {
    tacos_config *config = toy_config(text, model);
    tacos_learner *learner;
    tacos_error err;
    assert_succeeds(tacos_learner_new(&learner, config, seed, allocator, &err));
    tacos_config_free(config); /* a learner needs it no more */
    return learner;
}

/* Sample k is of class k % 2: one half of the inputs is bright, the other dark, both a bit noisy.
 */
typedef struct ToySample {
    float intensity[TOY_INPUTS];
    size_t target;
} ToySample;

static inline ToySample toy_sample(uint32_t k) {
    ToySample sample = {.target = k % 2};
    Dice dice = {.game = k};
    for (size_t j = 0; j < TOY_INPUTS; j++) {
        bool bright = (j < TOY_INPUTS / 2) == (sample.target == 0);
        sample.intensity[j] = bright ? (float)roll(&dice, 0.6, 1) : 0;
    }
    return sample;
}

static inline void toy_learn(tacos_learner *learner, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++) {
        ToySample sample = toy_sample(k);
        tacos_error err;
        assert_succeeds(
            tacos_learner_learn(learner, sample.intensity, TOY_INPUTS, sample.target, &err));
    }
}

static inline tacos_prediction toy_predict(tacos_learner *learner, uint32_t k, uint64_t draw) {
    ToySample sample = toy_sample(k);
    tacos_prediction out;
    tacos_error err;
    assert_succeeds(tacos_learner_predict(learner, sample.intensity, TOY_INPUTS, draw, &out, &err));
    return out;
}

static inline tacos_layer_view toy_layer(tacos_learner *learner, size_t l) {
    tacos_layer_view view;
    tacos_error err;
    assert_succeeds(tacos_learner_layer(learner, l, &view, &err));
    return view;
}

static inline bool same_bytes(const void *a, const void *b, size_t n) {
    return (!a && !b) || (a && b && memcmp(a, b, n) == 0);
}

/* Everything that learning changes is the same to the last bit. */
static inline bool same_learner(tacos_learner *a, tacos_learner *b) {
    size_t n_layers = tacos_learner_shape(a).n_layers;
    if (tacos_learner_shape(b).n_layers != n_layers)
        return false;
    for (size_t l = 0; l < n_layers; l++) {
        tacos_layer_view x = toy_layer(a, l), y = toy_layer(b, l);
        size_t n = x.n_pre * x.stride;
        if (x.n_pre != y.n_pre || x.n_post != y.n_post || x.m_all != y.m_all ||
            !same_bytes(x.w, y.w, n * sizeof *x.w) ||
            !same_bytes(x.w_ref, y.w_ref, n * sizeof *x.w) ||
            !same_bytes(x.m_steps, y.m_steps, n * sizeof *x.m_steps))
            return false;
    }
    return true;
}

/* Two learners that began alike. */
typedef struct Twins {
    tacos_learner *a, *b;
} Twins;

static inline Twins toy_twins(const char *model, uint32_t seed) {
    return (Twins){toy_learner(TOY, model, seed, NULL), toy_learner(TOY, model, seed, NULL)};
}

/* Both learn the same; then they must still be alike. */
static inline void twins_learn(Twins twins, uint32_t from, uint32_t to) {
    toy_learn(twins.a, from, to);
    toy_learn(twins.b, from, to);
    assert_true(same_learner(twins.a, twins.b));
}

static inline void twins_free(Twins twins) {
    tacos_learner_free(twins.a);
    tacos_learner_free(twins.b);
}

#endif
