/* run_value.c - a table of what can be asked of a run. */
#include "report/input/run_value.h"

#include <math.h>
#include <string.h>

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
                {"MO", memory_overhead},
        {"kops_learn", kops_learn},
        {"kops_predict", kops_predict},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, asked->metric) == 0)
            return values[i].get(asked);
    return NAN;
}
