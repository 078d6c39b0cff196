/* results.c - the numbers of a run, and summaries over seeds. */
#include "lab/results.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *tacos_measure_name(tacos_measure_kind kind) {
    static const char *const names[] = {
#define NAME(name, text) [TACOS_MEASURE_##name] = #name,
        TACOS_MEASURE_MAP(NAME)
#undef NAME
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

void saved_free(SavedModel *model) {
    free(model->bytes);
    *model = (SavedModel){0};
}

void run_free(tacos_run *run) {
    /* const only for readers */
    free((void *)run->R);
    free((void *)run->b);
    free((void *)run->after);
    free((void *)run->measures);
    free((void *)run->answers);
    *run = (tacos_run){0};
}

static bool are_finite(const double *values, size_t n) {
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(values[i]);
    return finite;
}

tacos_status run_check(const tacos_run *run, tacos_error *err) {
    bool finite = are_finite(run->R, run->n_tasks * run->n_tasks) &&
                  are_finite(run->b, run->n_tasks) && are_finite(&run->memory_overhead, 1);
    for (size_t i = 0; finite && i < run->n_measures; i++)
        finite = are_finite(&run->measures[i].value, 1);
    if (!finite)
        return failure(err, TACOS_DIVERGED, "a result of seed %u is not a finite number",
                       run->seed);
    return TACOS_OK;
}

tacos_status run_add_silent(tacos_run *run, double percent, tacos_error *err) {
    size_t n = run->n_measures;
    tacos_measure *measures = realloc((void *)run->measures, (n + 1) * sizeof *measures);
    if (!measures)
        return failure(err, TACOS_MEMORY, "no memory for the results of a run");
    measures[n] = (tacos_measure){TACOS_MEASURE_silent, (uint32_t)run->n_tasks, 0, percent};
    run->measures = measures;
    run->n_measures = n + 1;
    return TACOS_OK;
}

const double *run_silent(const tacos_run *run) {
    for (size_t i = 0; i < run->n_measures; i++)
        if (run->measures[i].kind == TACOS_MEASURE_silent)
            return &run->measures[i].value;
    return NULL;
}

/* ---- one number of a run ---- */

static double memory_overhead(const tacos_run *run) {
    return run->memory_overhead;
}

/* Thousands of operations per sample: synaptic events and updates, or multiplications. */
static double kops(const tacos_counters *c) {
    return c->samples ? (double)tacos_counters_operations(c) / (double)c->samples / 1000 : NAN;
}

static double kops_learn(const tacos_run *run) {
    return kops(&run->stats.learning);
}

static double kops_predict(const tacos_run *run) {
    return kops(&run->stats.predicting);
}

static double us_per_sample(double seconds, uint64_t n) {
    return n ? seconds / (double)n * 1e6 : NAN;
}

static double us_learn(const tacos_run *run) {
    return us_per_sample(run->train_seconds, run->stats.learning.samples);
}

static double us_predict(const tacos_run *run) {
    return us_per_sample(run->test_seconds, run->stats.predicting.samples);
}

static double seconds(const tacos_run *run) {
    return run->train_seconds + run->test_seconds;
}

/* The state that learning changes, in thousands of bytes. */
static double kilobytes(const tacos_run *run) {
    return (double)run->stats.model_bytes / 1000;
}

static const struct {
    const char *name;
    double (*get)(const tacos_run *run);
} whole_run[] = {
    {"MO", memory_overhead},  {"kops_learn", kops_learn}, {"kops_predict", kops_predict},
    {"us_learn", us_learn},   {"us_predict", us_predict}, {"seconds", seconds},
    {"kilobytes", kilobytes},
};

double tacos_run_value(const tacos_run *run, const char *name, size_t after_task, size_t part) {
    size_t k = after_task > 0 ? after_task : run->n_tasks;
    if (k == 0 || k > run->n_tasks)
        return NAN;
#define METRIC(metric, text)                                                                       \
    if (strcmp(name, #metric) == 0)                                                                \
        return run->after[k - 1].metric;
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
    if (strcmp(name, "first") == 0)
        return run->R[(k - 1) * run->n_tasks];
    for (size_t i = 0; i < sizeof whole_run / sizeof *whole_run; i++)
        if (strcmp(name, whole_run[i].name) == 0)
            return whole_run[i].get(run);
    for (size_t i = 0; i < run->n_measures; i++) {
        const tacos_measure *measure = &run->measures[i];
        if (measure->after_task == k && measure->part == part &&
            strcmp(tacos_measure_name(measure->kind), name) == 0)
            return measure->value;
    }
    return NAN;
}

/* ---- over seeds ---- */

/* NULL if no metric has this name, or the run lacks it. */
static const double *metric_of(const tacos_run *run, const char *metric) {
    const tacos_metrics *last = &run->after[run->n_tasks - 1];
#define FIELD(name, text)                                                                          \
    if (strcmp(metric, #name) == 0)                                                                \
        return &last->name;
    TACOS_METRIC_MAP(FIELD)
#undef FIELD
    if (strcmp(metric, "silent") == 0)
        return run_silent(run);
    return strcmp(metric, "MO") == 0 ? &run->memory_overhead : NULL;
}

tacos_status tacos_results_summary(const Results *results, const char *metric, tacos_summary *out,
                                   tacos_error *err) {
    double *values = calloc(results->n, sizeof *values);
    if (!values)
        return failure(err, TACOS_MEMORY, "no memory for a summary");
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < results->n && status == TACOS_OK; i++) {
        const double *value = metric_of(&results->runs[i], metric);
        if (value)
            values[i] = *value;
        else if (strcmp(metric, "silent") == 0)
            status = failure(err, TACOS_MISSING, "'silent' was not measured");
        else
            status = failure(err, TACOS_UNKNOWN, "no metric '%.40s'", metric);
    }
    if (status == TACOS_OK)
        *out = metrics_summary(values, results->n);
    free(values);
    return status;
}

void tacos_results_free(Results *results) {
    if (!results)
        return;
    for (size_t i = 0; i < results->n; i++)
        run_free(&results->runs[i]);
    free(results->runs);
    free(results);
}

size_t tacos_results_count(const tacos_results *results) {
    return results ? results->n : 0;
}

const tacos_run *tacos_results_run(const tacos_results *results, size_t i) {
    return i < tacos_results_count(results) ? &results->runs[i] : NULL;
}
