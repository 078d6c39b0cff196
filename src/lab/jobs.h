/* jobs.h - several seeds at a time, with results that do not depend on how many. */
#ifndef LAB_JOBS_H
#define LAB_JOBS_H

#include "lab/protocol.h"

typedef struct tacos_results {
    size_t n;
    tacos_run *runs; /* [n], by seed */
} Results;

tacos_status jobs_run(const Experiment *experiment, const tacos_run_options *options, Results **out,
                      tacos_error *err);
tacos_status results_summary(const Results *results, const char *metric, tacos_summary *out,
                             tacos_error *err);
void results_free(Results *results);

#endif
