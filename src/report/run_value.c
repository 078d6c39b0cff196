/* run_value.c - a table of what can be asked of a run. */
#include "report/run_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t tasks_classes(const char *tasks, size_t t) {
    static const char random[] = "random:";
    size_t n = 1;
    if (strncmp(tasks, random, strlen(random)) == 0) { /* random:50x5 */
        const char *times = strchr(tasks, 'x');
        return times ? strtoul(times + 1, NULL, 10) : 0;
    }
    for (; t > 1 && tasks; t--) { /* 0-1,2-3: the t-th between commas */
        tasks = strchr(tasks, ',');
        tasks = tasks ? tasks + 1 : NULL;
    }
    if (!tasks || !*tasks)
        return 0;
    for (; *tasks && *tasks != ','; tasks++)
        n += *tasks == '-';
    return n;
}

/* Mean accuracy on the tasks to come over that of guessing: docs/metrics.md. */
static double fwt_over_chance(const Asked *asked) {
    const tacos_run *run = asked->run;
    size_t n = run->n_tasks;
    double sum = 0;
    if (asked->k >= n)
        return NAN;
    for (size_t t = asked->k; t < n; t++) {
        size_t n_classes = tasks_classes(asked->tasks, t + 1);
        if (n_classes == 0)
            return NAN;
        sum += run->R[(asked->k - 1) * n + t] - 100.0 / (double)n_classes;
    }
    return sum / (double)(n - asked->k);
}

static double memory_overhead(const Asked *asked) {
    return asked->run->memory_overhead;
}

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

static double measured(const Asked *asked) {
    for (size_t i = 0; i < asked->run->n_measures; i++) {
        const tacos_measure *measure = &asked->run->measures[i];
        if (measure->after_task == asked->k && measure->part == asked->part &&
            strcmp(tacos_measure_name(measure->kind), asked->metric) == 0)
            return measure->value;
    }
    return NAN;
}

#define METRIC(name, text)                                                                         \
    static double get_##name(const Asked *asked) {                                                 \
        return asked->run->after[asked->k - 1].name;                                               \
    }
TACOS_METRIC_MAP(METRIC)
#undef METRIC

double run_value(const Asked *asked) {
    static const struct {
        const char *name;
        double (*get)(const Asked *asked);
    } values[] = {
#define METRIC(name, text) {#name, get_##name},
        TACOS_METRIC_MAP(METRIC)
#undef METRIC
#define MEASURE(name, text) {#name, measured},
            TACOS_MEASURE_MAP(MEASURE)
#undef MEASURE
                {"FWT_chance", fwt_over_chance},
        {"MO", memory_overhead},
        {"kops_learn", kops_learn},
        {"kops_predict", kops_predict},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, asked->metric) == 0)
            return values[i].get(asked);
    return NAN;
}
