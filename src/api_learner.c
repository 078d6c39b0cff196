/* api_learner.c - the part of tacos.h that a device needs: configuration and learner. It rests on
 * base, kernel, net and the encoding alone. */
#include "tacos.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/plain.h"
#include "net/encode.h"
#include "net/learner.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *tacos_version(void) {
    return TACOS_VERSION_STRING;
}

const char *tacos_nearest(const char *word, const char *const *names) {
    return nearest(word, names);
}

size_t tacos_text_plain(const char *text, char *buf, size_t size) {
    return plain_text(text, buf, size);
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

static tacos_status get_param(const Params *params, const char *name, char *buf, size_t size,
                              tacos_error *err) {
    char value[KEY_VALUE_SIZE];
    const Key *key = keys_find(params_table, name);
    if (size > 0)
        buf[0] = '\0';
    if (!key)
        return keys_fail_unknown(config_tables, 1, NULL, name, err);
    key_get(key, params, value);
    return text_give(value, buf, size, err);
}

tacos_status tacos_config_get(const tacos_config *config, const char *key, char *buf, size_t size,
                              tacos_error *err) {
    return get_param(&config->params, key, buf, size, err);
}

const char *tacos_config_key(size_t i) {
    return i < params_table.n ? params_table.keys[i].name : NULL;
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
    return (tacos_shape){
        .n_inputs = p->n_inputs,
        .n_outputs = p->n_outputs,
        .n_layers = learner->net.n_layers,
        .n_steps = params_input_steps(p),
        .n_steps_all = network_first_step(&learner->net) + p->n_steps,
    };
}

uint32_t tacos_learner_seed(const tacos_learner *learner) {
    return learner->net.seed;
}

tacos_status tacos_learner_get(const tacos_learner *learner, const char *key, char *buf,
                               size_t size, tacos_error *err) {
    return get_param(&learner->net.params, key, buf, size, err);
}

uint64_t tacos_learner_learned(const tacos_learner *learner) {
    return learner->net.n_learned;
}

uint32_t tacos_learner_digest(tacos_learner *learner) {
    return learner_digest(learner);
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
    out->counts = learner->predictor.counts;
}

tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err) {
    TRY(take_intensities(learner, intensity, n_inputs, RNG_PREDICT, draw,
                         &learner->predictor.raster, err));
    predict(learner, out);
    return TACOS_OK;
}

tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err) {
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, &learner->predictor.raster, err));
    predict(learner, out);
    return TACOS_OK;
}

static tacos_status check_layer(const Learner *learner, size_t index, tacos_error *err) {
    if (index >= learner->net.n_layers)
        return failure(err, TACOS_RANGE, "layer %zu is out of range: the layers are 0 to %zu",
                       index, learner->net.n_layers - 1);
    return TACOS_OK;
}

tacos_status tacos_learner_layer(tacos_learner *learner, size_t index, tacos_layer_view *out,
                                 tacos_error *err) {
    TRY(check_layer(learner, index, err));
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
        .uses = layer->uses,
    };
    return TACOS_OK;
}

static tacos_status check_values(const Layer *layer, const tacos_layer_values *values,
                                 tacos_error *err) {
    const float *const reals[] = {values->w, values->w_ref};
    const struct {
        bool given, there;
        const char *name;
    } parts[] = {
        {values->w_ref, layer->w_ref, "reference weights"},
        {values->m_steps, layer->m_steps, "metaplastic states"},
        {values->uses, layer->uses, "counts of uses"},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k].given && !parts[k].there)
            return failure(err, TACOS_INVALID, "a network of this model has no %s", parts[k].name);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; reals[k] && i < layer->n_pre * layer->n_post; i++)
            if (!isfinite(reals[k][i]))
                return failure(err, TACOS_RANGE, "value %zu is not finite", i);
    return TACOS_OK;
}

tacos_status tacos_learner_set_layer(tacos_learner *learner, size_t index,
                                     const tacos_layer_values *values, tacos_error *err) {
    TRY(check_layer(learner, index, err));
    Layer *layer = &learner->net.layers[index];
    TRY(check_values(layer, values, err));
    learner_settle(learner);
    if (values->uses)
        memcpy(layer->uses, values->uses, layer->n_pre * sizeof *layer->uses);
    for (size_t j = 0; j < layer->n_pre; j++) {
        Row row = layer_row(layer, j);
        size_t from = j * layer->n_post, n = layer->n_post;
        if (values->w)
            memcpy(row.w, values->w + from, n * sizeof *row.w);
        if (values->w_ref && row.w_ref)
            memcpy(row.w_ref, values->w_ref + from, n * sizeof *row.w_ref);
        if (values->m_steps && row.m_steps)
            memcpy(row.m_steps, values->m_steps + from, n * sizeof *row.m_steps);
    }
    scratch_start(&learner->scratch, &learner->net);
    return TACOS_OK;
}

void tacos_learner_watch(tacos_learner *learner, tacos_watcher *watcher, void *user) {
    learner->scratch.watch = learner->predictor.watch = (Watch){watcher, user};
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

typedef struct Street {
    tacos_write *write;
    tacos_read *read;
    void *user;
} Street;

static bool go_out(void *user, void *bytes, size_t n) {
    const Street *street = user;
    return street->write(street->user, bytes, n) == 0;
}

static bool come_in(void *user, void *bytes, size_t n) {
    const Street *street = user;
    return street->read(street->user, bytes, n) == 0;
}

tacos_status tacos_learner_save_to(tacos_learner *learner, tacos_write *write, void *user,
                                   tacos_error *err) {
    Street street = {.write = write, .user = user};
    return learner_write(learner, &(Pack){.writing = true, .move = go_out, .user = &street}, err);
}

tacos_status tacos_learner_load_from(tacos_learner **out, tacos_read *read, void *user,
                                     const tacos_allocator *allocator, tacos_error *err) {
    Street street = {.read = read, .user = user};
    *out = NULL;
    return learner_read(out, &(Pack){.move = come_in, .user = &street}, NULL, "what was read",
                        allocator, err);
}
