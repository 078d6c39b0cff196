/* run_value.h - one number of one run, by name: a metric, a measure, or what it took. */
#ifndef REPORT_RUN_VALUE_H
#define REPORT_RUN_VALUE_H

#include "tacos_lab.h"

/* What is asked of a run. */
typedef struct Asked {
    const tacos_run *run;
    const char *metric; /* as in docs/metrics.md */
    size_t k;           /* after which task, from 1 */
    size_t part;        /* layer or class */
} Asked;

/* NaN if there is none of this name, or it was not measured or is not defined. */
double run_value(const Asked *asked);

#endif
