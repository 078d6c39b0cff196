/* run_metric.c - a table of what can be asked of a run. */
#include "plan/run_metric.h"

#include "lab/experiment.h"
#include "lab/results.h"
#include "rivals/rival.h"

#include <math.h>
#include <string.h>

static double first_task(const Asked *asked) {
    return asked->run->R[asked->k * asked->run->n_tasks];
}

static double memory_overhead(const Asked *asked) {
    return asked->run->memory_overhead;
}

/* Spikes a second of one neuron, while learning. */
static double rate_hz(const Asked *asked, uint64_t spikes, size_t n_neurons) {
    const Params *p = &asked->experiment->learner;
    double seconds = (double)asked->run->stats.learning.samples * (double)p->n_steps * p->dt_ms;
    return n_neurons ? 1000 * (double)spikes / (seconds * (double)n_neurons) : NAN;
}

static double hidden_rate(const Asked *asked) {
    return rate_hz(asked, asked->run->stats.learning.hidden_spikes,
                   params_hidden_neurons(&asked->experiment->learner));
}

static double output_rate(const Asked *asked) {
    Tasks tasks;
    size_t n = tasks_parse(&tasks, asked->experiment->params.tasks, NULL) == TACOS_OK
                   ? tasks.n_outputs
                   : 0;
    return rate_hz(asked, asked->run->stats.learning.output_spikes, n);
}

/* ---- what it takes ---- */

/* Thousands of operations a sample: synaptic events and updates, or multiplications with a weight.
 */
static double kops(const tacos_counters *c) {
    uint64_t n = tacos_counters_operations(c);
    return c->samples ? (double)n / (double)c->samples / 1000 : NAN;
}

static double kops_learn(const Asked *asked) {
    return kops(&asked->run->stats.learning);
}

static double kops_predict(const Asked *asked) {
    return kops(&asked->run->stats.predicting);
}

static double seconds(const Asked *asked) {
    return asked->run->train_seconds + asked->run->test_seconds;
}

/* Microseconds a training sample. */
static double us_learn(const Asked *asked) {
    uint64_t n = asked->run->stats.learning.samples;
    return n ? asked->run->train_seconds / (double)n * 1e6 : NAN;
}

/* What learning changes, in thousands of bytes. */
static double kilobytes(const Asked *asked) {
    return (double)asked->run->stats.model_bytes / 1000;
}

/* Over the samples of a task, of a model that is given each task's samples once. */
static double passes(const Asked *asked) {
    const Experiment *experiment = asked->experiment;
    bool rival = model_is_rival(experiment->model);
    if (rival && experiment->rival.iterations > 0)
        return NAN;
    return rival ? (double)experiment->rival.epochs : 1;
}

/* 1 if the model hears when a task begins and ends. */
static double told(const Asked *asked) {
    int model = asked->experiment->model;
    return model_is_rival(model) && rival_info(model_method(model))->told_tasks;
}

/* ---- all ---- */

static double measured(const Asked *asked) {
    for (size_t i = 0; i < asked->run->n_measures; i++) {
        const tacos_measure *measure = &asked->run->measures[i];
        if (measure->after_task == asked->k + 1 && measure->part == asked->part &&
            strcmp(tacos_measure_name(measure->kind), asked->metric) == 0)
            return measure->value;
    }
    return NAN;
}

#define METRIC(name, text)                                                                         \
    static double get_##name(const Asked *asked) {                                                 \
        return asked->run->after[asked->k].name;                                                   \
    }
TACOS_METRIC_MAP(METRIC)
#undef METRIC

static const RunMetric run_metrics[] = {
#define METRIC(name, text) {#name, get_##name, 2},
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
#define MEASURE(name, text) {#name, measured, 0.02},
        TACOS_MEASURE_MAP(MEASURE)
#undef MEASURE
            {"first", first_task, 2},
    {"MO", memory_overhead, 0.05},
    {"hidden_rate_hz", hidden_rate, 2},
    {"output_rate_hz", output_rate, 2},
    {"kops_learn", kops_learn, 2},
    {"kops_predict", kops_predict, 2},
    {"seconds", seconds, 2},
    {"us_learn", us_learn, 2},
    {"kilobytes", kilobytes, 2},
    {"passes", passes, 0},
    {"told", told, 0},
    {NULL, NULL, 0},
};

const RunMetric *run_metric(const char *name) {
    const RunMetric *metric = run_metrics;
    while (metric->name && strcmp(metric->name, name) != 0)
        metric++;
    return metric->name ? metric : NULL;
}
