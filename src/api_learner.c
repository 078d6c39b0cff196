/* api_learner.c - the part of tacos.h that a device needs: configuration and learner. It rests on
 * base, kernel, net and the encoding alone. */
#include "tacos.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "data/encode.h"
#include "net/learner.h"

#include <stddef.h>

const char *tacos_version(void) {
    return TACOS_VERSION_STRING;
}

const char *tacos_nearest(const char *word, const char *const *names) {
    return nearest(word, names);
}

/* ---- configuration ---- */

struct tacos_config {
    tacos_allocator allocator;
    Params params;
};

static const KeyTable *const config_tables[] = {&params_table};

tacos_status tacos_config_new_from(tacos_config **out, const tacos_allocator *allocator,
                                   tacos_error *err) {
    tacos_allocator from = memory_allocator(allocator);
    tacos_config *config = from.alloc(from.user, sizeof *config, _Alignof(max_align_t));
    *out = NULL;
    if (!config)
        return failure(err, TACOS_MEMORY, "no memory for a configuration");
    config->allocator = from;
    params_defaults(&config->params);
    *out = config;
    return TACOS_OK;
}

tacos_status tacos_config_new(tacos_config **out, tacos_error *err) {
    return tacos_config_new_from(out, NULL, err);
}

void tacos_config_free(tacos_config *config) {
    if (!config)
        return;
    tacos_allocator from = config->allocator;
    if (from.free)
        from.free(from.user, config, sizeof *config);
}

static tacos_status set_param(void *user, const char *name, const char *value, tacos_error *err) {
    const Key *key = keys_find(params_table, name);
    return key ? key_set(key, user, value, err)
               : keys_fail_unknown(config_tables, 1, NULL, name, err);
}

tacos_status tacos_config_set(tacos_config *config, const char *key, const char *value,
                              tacos_error *err) {
    return set_param(&config->params, key, value, err);
}

tacos_status tacos_config_parse(tacos_config *config, const char *text, const char *name,
                                tacos_error *err) {
    Params copy = config->params;
    TRY(keys_parse(text, name, set_param, &copy, err));
    config->params = copy;
    return TACOS_OK;
}

tacos_status tacos_config_get(const tacos_config *config, const char *name, char *buf, size_t size,
                              tacos_error *err) {
    char value[KEY_VALUE_SIZE];
    const Key *key = keys_find(params_table, name);
    if (size > 0)
        buf[0] = '\0';
    if (!key)
        return keys_fail_unknown(config_tables, 1, NULL, name, err);
    key_get(key, &config->params, value);
    return text_give(value, buf, size, err);
}

/* ---- learner ---- */

tacos_status tacos_learner_new(tacos_learner **out, const tacos_config *config, uint32_t seed,
                               const tacos_allocator *allocator, tacos_error *err) {
    *out = NULL;
    return learner_new(out, &config->params, seed, allocator, err);
}

void tacos_learner_free(tacos_learner *learner) {
    learner_free(learner);
}

void tacos_learner_set_threads(tacos_learner *learner, size_t n) {
    learner_set_threads(learner, n);
}

tacos_shape tacos_learner_shape(const tacos_learner *learner) {
    const Params *p = &learner->net.params;
    return (tacos_shape){p->n_inputs, p->n_outputs, learner->net.n_layers, p->n_steps};
}

static tacos_status check_inputs(const Learner *learner, size_t n_inputs, tacos_error *err) {
    size_t wanted = learner->net.params.n_inputs;
    if (n_inputs != wanted)
        return failure(err, TACOS_INVALID, "%zu inputs were given; the network has %zu", n_inputs,
                       wanted);
    return TACOS_OK;
}

static tacos_status check_target(const Learner *learner, size_t target, tacos_error *err) {
    size_t n = learner->net.params.n_outputs;
    if (target >= n)
        return failure(err, TACOS_RANGE, "target %zu is out of range: the outputs are 0 to %zu",
                       target, n - 1);
    return TACOS_OK;
}

static tacos_status take_intensities(const Learner *learner, const float *intensity,
                                     size_t n_inputs, RngPurpose purpose, uint64_t number,
                                     Raster *raster, tacos_error *err) {
    const Network *net = &learner->net;
    PoissonCode code = {net->kernel, net->seed, purpose, net->params.input_rate_hz,
                        net->params.dt_ms};
    TRY(check_inputs(learner, n_inputs, err));
    return encode_intensities(&code, number, intensity, raster, err);
}

static tacos_status take_spikes(const Learner *learner, const uint8_t *spikes, size_t n_steps,
                                size_t n_inputs, Raster *raster, tacos_error *err) {
    TRY(check_inputs(learner, n_inputs, err));
    if (n_steps > raster->events.n_steps)
        return failure(err, TACOS_RANGE, "%zu steps were given; a sample has at most %zu", n_steps,
                       raster->events.n_steps);
    encode_spikes(spikes, n_steps, raster);
    return TACOS_OK;
}

tacos_status tacos_learner_learn(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                 size_t target, tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_intensities(learner, intensity, n_inputs, RNG_INPUT, learner->net.n_learned,
                         &learner->scratch.raster, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

tacos_status tacos_learner_learn_spikes(tacos_learner *learner, const uint8_t *spikes,
                                        size_t n_steps, size_t n_inputs, size_t target,
                                        tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, &learner->scratch.raster, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

static void predict(Learner *learner, tacos_prediction *out) {
    out->output = learner_predict(learner);
    out->counts = learner->gaze.counts;
}

tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err) {
    TRY(take_intensities(learner, intensity, n_inputs, RNG_PREDICT, draw, &learner->gaze.raster,
                         err));
    predict(learner, out);
    return TACOS_OK;
}

tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err) {
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, &learner->gaze.raster, err));
    predict(learner, out);
    return TACOS_OK;
}

tacos_status tacos_learner_layer(tacos_learner *learner, size_t index, tacos_layer_view *out,
                                 tacos_error *err) {
    if (index >= learner->net.n_layers)
        return failure(err, TACOS_RANGE, "layer %zu is out of range: the layers are 0 to %zu",
                       index, learner->net.n_layers - 1);
    const Layer *layer = &learner->net.layers[index];
    learner_settle(learner);
    *out = (tacos_layer_view){
        .n_pre = layer->n_pre,
        .n_post = layer->n_post,
        .stride = layer->stride,
        .w = layer->w,
        .w_ref = layer->w_ref,
        .m_steps = layer->m_steps,
        .delta_m = layer->synapse.delta_m,
        .m_max = layer->synapse.m_max,
        .m_all = layer->synapse.m_all,
    };
    return TACOS_OK;
}

void tacos_learner_watch(tacos_learner *learner, tacos_watcher *watcher, void *user) {
    learner->scratch.watch = learner->gaze.watch = (Watch){watcher, user};
}

tacos_learner_stats tacos_learner_stats_get(const tacos_learner *learner) {
    return learner_stats(learner);
}

tacos_status tacos_learner_save(tacos_learner *learner, const char *path, tacos_error *err) {
    return learner_save(learner, path, err);
}

tacos_status tacos_learner_load(tacos_learner **out, const char *path,
                                const tacos_allocator *allocator, tacos_error *err) {
    *out = NULL;
    return learner_load(out, path, allocator, err);
}
