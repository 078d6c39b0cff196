/* api.c - tacos.h, the only face of the library: check what callers give, then hand on. */
#include "tacos.h"

#include "base/nearest.h"
#include "data/catalog.h"
#include "data/encode.h"
#include "bench/bench.h"
#include "plan/halving.h"
#include "lab/model.h"
#include "lab/paper.h"
#include "plan/reproduction.h"
#include "plan/run.h"
#include "store/survey.h"
#include "net/learner.h"
#include "rivals/rival.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tacos_version(void) {
    return TACOS_VERSION_STRING;
}

const char *tacos_nearest(const char *word, const char *const *names) {
    return nearest(word, names);
}

/* ---- keys and configuration ---- */

int tacos_key(size_t i, tacos_key_info *out) {
    const Key *key = experiment_key_at(i);
    if (!key)
        return 0;
    *out = (tacos_key_info){
        .name = key->name,
        .symbol = key->symbol,
        .unit = key->unit,
        .type = key_type_names[key->type],
        .default_value = key->default_value,
        .min = key->min,
        .max = key->max,
        .doc = key->doc,
        .of_experiment = keys_find(params_table, key->name) == NULL,
        .of_rival = keys_find(rival_table, key->name) == key,
        .derived = experiment_derives(key->name),
    };
    key_choices(key, out->choices, sizeof out->choices);
    return 1;
}

int tacos_model(size_t i, tacos_model_info *out) {
    if (i >= model_count())
        return 0;
    int model = (int)i;
    bool rival = model_is_rival(model);
    *out = (tacos_model_info){
        .name = model_name(model),
        .about = model_about(model),
        .spiking = !rival,
        .told_tasks = rival && rival_info(model_method(model))->told_tasks,
    };
    return 1;
}

struct tacos_config {
    Params params;
};

static const KeyTable *const config_tables[] = {&params_table};

tacos_status tacos_config_new(tacos_config **out, tacos_error *err) {
    tacos_config *config = malloc(sizeof *config);
    *out = NULL;
    if (!config)
        return failure(err, TACOS_MEMORY, "no memory for a configuration");
    params_defaults(&config->params);
    *out = config;
    return TACOS_OK;
}

void tacos_config_free(tacos_config *config) {
    free(config);
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

/* ---- data ---- */

tacos_status tacos_data_dir(const char *dir, char *buf, size_t size, tacos_error *err) {
    return catalog_dir(dir, buf, size, err);
}

const tacos_data_info *tacos_data_set(size_t i) {
    const Catalog *catalog = catalog_builtin();
    return i < catalog->n_sets ? &catalog->sets[i] : NULL;
}

const char *tacos_data_file(const tacos_data_info *set, size_t i) {
    return set ? catalog_file(catalog_builtin(), set, i) : NULL;
}

tacos_status tacos_data_verify(const char *name, const char *dir, const char **edition,
                               tacos_error *err) {
    return catalog_verify(catalog_builtin(), name, dir, edition, err);
}

tacos_status tacos_data_install(const char *name, const char *from, const char *dir,
                                tacos_error *err) {
    return catalog_install(catalog_builtin(), name, from, dir, err);
}

/* ---- experiments ---- */

int tacos_experiment_builtin(size_t i, tacos_experiment_info *out) {
    return experiment_builtin(i, out);
}

tacos_status tacos_experiment_open(tacos_experiment **out, const char *name_or_path,
                                   tacos_error *err) {
    *out = NULL;
    return experiment_open(out, name_or_path, err);
}

void tacos_experiment_free(tacos_experiment *experiment) {
    free(experiment);
}

const char *tacos_experiment_name(const tacos_experiment *experiment) {
    return experiment->name;
}

tacos_status tacos_experiment_set(tacos_experiment *experiment, const char *key, const char *value,
                                  tacos_error *err) {
    return experiment_set(experiment, key, value, err);
}

tacos_status tacos_experiment_get(const tacos_experiment *experiment, const char *key, char *buf,
                                  size_t size, tacos_error *err) {
    return experiment_get(experiment, key, buf, size, err);
}

tacos_status tacos_experiment_run(const tacos_experiment *experiment,
                                  const tacos_run_options *options, tacos_results **out,
                                  tacos_error *err) {
    return run_experiment(experiment, options, out, err);
}

tacos_paper_row tacos_experiment_paper(const tacos_experiment *experiment) {
    return paper_row(experiment);
}

size_t tacos_results_count(const tacos_results *results) {
    return results ? results->n : 0;
}

const tacos_run *tacos_results_run(const tacos_results *results, size_t i) {
    return i < tacos_results_count(results) ? &results->runs[i] : NULL;
}

tacos_status tacos_results_summary(const tacos_results *results, const char *metric,
                                   tacos_summary *out, tacos_error *err) {
    return results_summary(results, metric, out, err);
}

const char *tacos_measure_name(tacos_measure_kind kind) {
    return measure_name(kind);
}

void tacos_results_free(tacos_results *results) {
    results_free(results);
}

/* ---- plans ---- */

int tacos_plan_builtin(size_t i, tacos_experiment_info *out) {
    return plan_builtin(i, out);
}

tacos_status tacos_plan_open(tacos_plan **out, const char *name_or_path, tacos_error *err) {
    *out = NULL;
    return plan_open(out, name_or_path, err);
}

void tacos_plan_free(tacos_plan *plan) {
    plan_free(plan);
}

tacos_plan_info tacos_plan_info_get(const tacos_plan *plan) {
    tacos_plan_info info = {plan->name, plan->n_configs, plan->n_seeds, halving_stages(plan), 0};
    for (size_t s = 0; s < info.n_stages; s++)
        info.n_runs += (uint64_t)halving_survivors(plan, s) * plan->n_seeds;
    return info;
}

tacos_status tacos_plan_run(const tacos_plan *plan, const tacos_plan_options *options,
                            tacos_plan_outcome *out, tacos_error *err) {
    return run_plan(plan, options, out, err);
}

tacos_status tacos_plan_set_seeds(tacos_plan *plan, uint32_t n, tacos_error *err) {
    return plan_set_seeds(plan, n, err);
}

void tacos_plan_set_quick(tacos_plan *plan) {
    plan->quick = true;
}

/* ---- the paper ---- */

int tacos_paper_part_get(size_t i, tacos_paper_part *out) {
    PaperPart part;
    if (!paper_part(i, &part))
        return 0;
    *out = (tacos_paper_part){0};
    strcpy(out->name, part.name);
    strcpy(out->about, part.about);
    strcpy(out->plan, part.plan);
    return 1;
}

tacos_status tacos_reproduction_open(tacos_reproduction **out, const char *part,
                                     const tacos_plan *plan, const char *store, tacos_error *err) {
    *out = NULL;
    return reproduction_open(out, part, plan, store, err);
}

void tacos_reproduction_free(tacos_reproduction *reproduction) {
    reproduction_free(reproduction);
}

const tacos_cell *tacos_reproduction_cell(const tacos_reproduction *reproduction, size_t i) {
    return reproduction_cell(reproduction, i);
}

const tacos_run *tacos_reproduction_run(const tacos_reproduction *reproduction, size_t i,
                                        const char **section) {
    return reproduction_run(reproduction, i, section);
}

/* ---- what a store says ---- */

tacos_status tacos_survey_open(tacos_survey **out, const char *store, tacos_error *err) {
    *out = NULL;
    return survey_open(out, store, err);
}

void tacos_survey_free(tacos_survey *survey) {
    survey_free(survey);
}

const tacos_survey_row *tacos_survey_row_get(const tacos_survey *survey, size_t i) {
    return survey_row(survey, i);
}

const char *tacos_survey_key(const tacos_survey *survey, size_t k) {
    return survey_key(survey, k);
}

const char *tacos_survey_value(const tacos_survey *survey, size_t i, size_t k) {
    return survey_value(survey, i, k);
}

int tacos_survey_level_get(const tacos_survey *survey, size_t k, size_t l,
                           tacos_survey_level *out) {
    return survey_level(survey, k, l, out);
}

double tacos_survey_share(const tacos_survey *survey, size_t k) {
    return survey_share(survey, k);
}

size_t tacos_survey_planned(const tacos_survey *survey) {
    return survey_planned(survey);
}

const char *tacos_survey_failure(const tacos_survey *survey, size_t i) {
    return survey_failure(survey, i);
}

/* ---- speed ---- */

const char *tacos_bench_name(size_t i) {
    return bench_name(i);
}

tacos_status tacos_bench_wanted(const tacos_bench_options *options, const char *name,
                                size_t n_threads, int *out, tacos_error *err) {
    return bench_wanted(options, name, n_threads, out, err);
}

tacos_status tacos_bench_run(const tacos_bench_options *options,
                             int (*report)(void *user, const tacos_bench_case *result), void *user,
                             tacos_error *err) {
    return bench_run(options, report, user, err);
}
