/* api.c - the functions of tacos_lab.h that are not defined where their substance is: check what
 * callers give, then hand on. */
#include "tacos_lab.h"

#include "data/catalog/catalog.h"
#include "bench/bench.h"
#include "plan/halving.h"
#include "lab/model.h"
#include "plan/run.h"
#include "store/survey.h"
#include "rivals/rival.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys and models ---- */

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

/* ---- data ---- */

tacos_status tacos_data_dir(const char *dir, char *buf, size_t size, tacos_error *err) {
    return catalog_dir(dir, buf, size, err);
}

const tacos_data_info *tacos_data_set(size_t i) {
    const Catalog *catalog = catalog_builtin();
    return i < catalog->n_sets ? &catalog->sets[i].info : NULL;
}

const char *tacos_data_file(const tacos_data_info *set, size_t i) {
    return set ? catalog_file(catalog_builtin(), set, i) : NULL;
}

tacos_status tacos_data_verify(const char *name, const char *dir, const char **edition,
                               tacos_error *err) {
    return catalog_verify(catalog_builtin(), name, dir, edition, err);
}

tacos_status tacos_data_describe(const char *name, const char *dir, tacos_data_content *out,
                                 tacos_error *err) {
    Dataset set;
    *out = (tacos_data_content){0};
    TRY(dataset_load(&set, name, dir, err));
    *out = (tacos_data_content){
        .n_train = set.train.n,
        .n_test = set.test.n,
        .height = set.train.height,
        .width = set.train.width,
        .n_classes = set.n_classes,
        .train_names_line = set.train.names_line,
        .test_names_line = set.test.names_line,
    };
    dataset_free(&set);
    return TACOS_OK;
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

tacos_status tacos_plan_set(tacos_plan *plan, const char *key, const char *value,
                            tacos_error *err) {
    return plan_set(plan, key, value, err);
}

tacos_status tacos_plan_keep(tacos_plan *plan, const char *const *sections, size_t n,
                             tacos_error *err) {
    return plan_keep(plan, sections, n, err);
}

void tacos_plan_set_quick(tacos_plan *plan) {
    plan->quick = true;
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

double tacos_survey_silent(const tacos_survey *survey, size_t i) {
    return survey_silent(survey, i);
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
