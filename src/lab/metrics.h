/* metrics.h - what the matrix R says about learning and forgetting. */
#ifndef LAB_METRICS_H
#define LAB_METRICS_H

#include "tacos_lab.h"

/* R[k * n + t]: percent right on task t after task k (both from 0); b[t]: before learning. A metric
 * that is a mean over no tasks is NaN. */
tacos_metrics metrics_after(const double *R, const double *b, size_t n_tasks, size_t k);

/* Make NaN what is not defined after task k (from 0) of n_tasks: older programs wrote 0. */
void metrics_undefine(tacos_metrics *metrics, size_t n_tasks, size_t k);

/* MO = max(1, mean over tasks of bytes held / bytes of the baseline). */
double metrics_memory_overhead(const size_t *bytes_held, size_t n_tasks, size_t baseline_bytes);

/* Of those values that are numbers. */
tacos_summary metrics_summary(const double *values, size_t n);

#endif
