/* run_metric.h - one number of one run, by its name in a table of the paper. */
#ifndef PLAN_RUN_METRIC_H
#define PLAN_RUN_METRIC_H

#include "lab/experiment.h"

typedef struct Asked {
    const Experiment *experiment;
    const tacos_run *run;
    size_t after_task; /* from 1 */
    size_t part;       /* layer or class */
    const char *metric;
} Asked;

typedef struct RunMetric {
    const char *name;
    double (*get)(const Asked *asked); /* NaN: there is none */
    double tolerance;                  /* how near is near enough whatever the spread */
} RunMetric;

/* NULL if there is none of this name. */
const RunMetric *run_metric(const char *name);

#endif
