/* runs.c - configuration, metrics and measures of the runs in a folder. */
#include "report/input/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *runs_config(const RunFolder *runs, const char *key) {
    for (size_t i = 0; i < runs->n_config; i++)
        if (strcmp(runs->config[i].key, key) == 0)
            return runs->config[i].value;
    return NULL;
}

bool runs_is_spiking(const RunFolder *runs) {
    const char *name = runs_config(runs, "model");
    tacos_model_info model;
    for (size_t i = 0; name && tacos_model(i, &model); i++)
        if (strcmp(model.name, name) == 0)
            return model.kind == TACOS_MODEL_SPIKING;
    return false;
}

double runs_number(const RunFolder *runs, const char *key) {
    const char *value = runs_config(runs, key);
    return value ? strtod(value, NULL) : 0;
}

/* "200,100", or "none" */
size_t runs_hidden(const RunFolder *runs) {
    const char *at = runs_config(runs, "hidden");
    size_t n = 0;
    for (; at && *at; at += *at == ',') {
        n += strtoul(at, NULL, 10);
        at += strcspn(at, ",");
    }
    return n;
}

tacos_summary runs_metric(const RunFolder *runs, const char *metric, size_t k, size_t part) {
    Moments moments = {0};
    for (size_t i = 0; k <= runs->n_tasks && i < runs->n_runs; i++)
        moments_add(&moments, tacos_run_value(&runs->runs[i], metric, k, part));
    return moments_summary(&moments);
}

/* ---- streams ---- */

/* Keys of an experiment that change neither the samples nor how they are scored. */
static bool is_of_stream(const tacos_key_info *key) {
    return key->group == TACOS_KEY_EXPERIMENT && !key->derived && strcmp(key->name, "model") != 0 &&
           strcmp(key->name, "measure") != 0 && strcmp(key->name, "curve_points") != 0;
}

bool runs_same_stream(const RunFolder *a, const RunFolder *b, const char **key) {
    tacos_key_info info;
    for (size_t i = 0; tacos_key(i, &info); i++) {
        const char *one = runs_config(a, info.name), *other = runs_config(b, info.name);
        *key = info.name;
        if (is_of_stream(&info) &&
            strcmp(one ? one : info.default_value, other ? other : info.default_value) != 0)
            return false;
    }
    *key = "number of tasks";
    return a->n_tasks == b->n_tasks;
}

/* ---- the paper ---- */

tacos_paper_number runs_paper(const RunFolder *runs, const char *metric, size_t after_task,
                              size_t part) {
    for (size_t i = 0; i < runs->n_paper; i++) {
        const tacos_paper_number *number = &runs->paper[i];
        if (strcmp(number->metric, metric) == 0 && number->after_task == after_task &&
            number->part == part)
            return *number;
    }
    return (tacos_paper_number){.value = NAN, .sd = NAN};
}

/* ---- accuracies and measures ---- */

double run_accuracy(const tacos_run *run, size_t k, size_t t) {
    return k == 0 ? run->b[t - 1] : run->R[(k - 1) * run->n_tasks + t - 1];
}

tacos_summary runs_accuracy(const RunFolder *runs, size_t k, size_t t) {
    Moments sum = {0};
    for (size_t i = 0; i < runs->n_runs; i++)
        moments_add(&sum, run_accuracy(&runs->runs[i], k, t));
    return moments_summary(&sum);
}

double runs_silent_percent(const RunFolder *runs) {
    tacos_summary silent = runs_metric(runs, "silent", 0, 0);
    return silent.n > 0 ? silent.mean : 0;
}

bool runs_are_silent(const RunFolder *runs) {
    return runs_silent_percent(runs) > TACOS_SILENT_PERCENT;
}

double runs_chance(const RunFolder *runs) {
    return tacos_experiment_chance(runs->experiment);
}

bool runs_are_chance(const RunFolder *runs) {
    tacos_summary ma = runs_metric(runs, "MA", 0, 0);
    return ma.n > 0 && tacos_is_chance(ma.mean, runs_chance(runs));
}

size_t runs_parts(const RunFolder *runs, const char *measure) {
    size_t n = 0;
    for (size_t i = 0; i < runs->n_runs; i++)
        for (size_t m = 0; m < runs->runs[i].n_measures; m++) {
            const tacos_measure *found = &runs->runs[i].measures[m];
            if (strcmp(tacos_measure_name(found->kind), measure) == 0 && found->part + 1 > n)
                n = found->part + 1;
        }
    return n;
}

void runs_seeds(const RunFolder *runs, char *out, size_t size) {
    uint32_t first = runs->runs[0].seed, last = runs->runs[runs->n_runs - 1].seed;
    size_t used = 0;
    if (runs->n_runs > 2 && last - first == runs->n_runs - 1) {
        (void)snprintf(out, size, "%u to %u", first, last);
        return;
    }
    out[0] = '\0';
    for (size_t i = 0; i < runs->n_runs && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%u", i > 0 ? ", " : "",
                                 runs->runs[i].seed);
}
