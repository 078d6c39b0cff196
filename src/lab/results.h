/* results.h - the runs of one configuration, their metrics and summaries. */
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include "base/status.h"
#include "tacos_lab.h"

typedef struct tacos_results {
    size_t n;
    tacos_run *runs; /* [n], by seed */
} Results;

/* A learner in the format of tacos_learner_save; empty for a rival. */
typedef struct SavedModel {
    unsigned char *bytes; /* [n] */
    size_t n;
} SavedModel;

void saved_free(SavedModel *model);

/* Set and get a run's silence at the end, in percent; NULL if not measured. */
tacos_status run_add_silent(tacos_run *run, double percent, tacos_error *err);
const double *run_silent(const tacos_run *run);

/* Fails unless every number of a run is finite. */
tacos_status run_check(const tacos_run *run, tacos_error *err);

void run_free(tacos_run *run);

/* ---- metrics.c: learning and forgetting, from the matrix R ---- */

/* R[k * n + t]: percent correct on task t after task k (both from 0); b[t]: before learning. A mean
 * over no tasks is NaN. */
tacos_metrics metrics_after(const double *R, const double *b, size_t n_tasks, size_t k);

/* Set metrics that are undefined after task k (from 0) of n_tasks to NaN: older versions wrote
 * 0. */
void metrics_undefine(tacos_metrics *metrics, size_t n_tasks, size_t k);

/* MO = max(1, mean over tasks of bytes held / bytes of the baseline). */
double metrics_memory_overhead(const size_t *bytes_held, size_t n_tasks, size_t baseline_bytes);

/* Ignores NaN. */
tacos_summary metrics_summary(const double *values, size_t n);

#endif
