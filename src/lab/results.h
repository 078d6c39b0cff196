/* results.h - the runs of one configuration. */
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include "base/status.h"
#include "tacos_lab.h"

typedef struct tacos_results {
    size_t n;
    tacos_run *runs; /* [n], by seed */
} Results;

tacos_status results_summary(const Results *results, const char *metric, tacos_summary *out,
                             tacos_error *err);
void results_free(Results *results);

const char *measure_name(tacos_measure_kind kind);

/* A learner as tacos_learner_save would write it; a rival leaves none. */
typedef struct SavedModel {
    unsigned char *bytes; /* [n] */
    size_t n;
} SavedModel;

void saved_free(SavedModel *model);

/* How silent it is in the end, in percent: noted, and what was; NULL if it was not. */
tacos_status run_add_silent(tacos_run *run, double percent, tacos_error *err);
const double *run_silent(const tacos_run *run);

/* Is every number of a run a finite one? What is not must never be taken for a result. */
tacos_status run_check(const tacos_run *run, tacos_error *err);

/* The arrays of a run belong to whoever asked for it. */
void run_free(tacos_run *run);

#endif
