/* run_metric.c - the metrics of a run that the paper's tables can show. */
#include "paper/paper.h"

#include "lab/results.h"
#include "rivals/rival.h"

#include <math.h>
#include <string.h>

/* Spikes per second of one neuron, while learning. */
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
    size_t n = experiment_tasks(asked->experiment, &tasks, NULL) == TACOS_OK ? tasks.n_outputs : 0;
    return rate_hz(asked, asked->run->stats.learning.output_spikes, n);
}

/* Passes over a task's samples; NaN if a rival counts iterations. */
static double passes(const Asked *asked) {
    const Experiment *experiment = asked->experiment;
    bool rival = model_is_rival(experiment->model);
    if (rival && experiment->rival.iterations > 0)
        return NAN;
    return rival ? (double)experiment->rival.epochs : 1;
}

/* 1 if the model needs task boundaries. */
static double told(const Asked *asked) {
    int model = asked->experiment->model;
    return model_is_rival(model) && rival_info(model_method(model))->told_tasks;
}

static double of_run(const Asked *asked) {
    return tacos_run_value(asked->run, asked->metric, asked->after_task, asked->part);
}

static const RunMetric run_metrics[] = {
#define METRIC(name, text) {#name, of_run, 2},
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
#define MEASURE(name, text) {#name, of_run, 0.02},
        TACOS_MEASURE_MAP(MEASURE)
#undef MEASURE
            {"first", of_run, 2},
    {"MO", of_run, 0.05},
    {"hidden_rate_hz", hidden_rate, 2},
    {"output_rate_hz", output_rate, 2},
    {"kops_learn", of_run, 2},
    {"kops_predict", of_run, 2},
    {"seconds", of_run, 2},
    {"us_learn", of_run, 2},
    {"us_predict", of_run, 2},
    {"kilobytes", of_run, 2},
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
