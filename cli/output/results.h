/* results.h - the results of an experiment as tables, and warnings about silent networks. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "tacos_lab.h"

/* 0, or -1 if there was no memory. */
int results_print(const tacos_experiment *experiment, const tacos_results *results);

/* ---- silent networks ---- */

/* Too silent for its metrics to mean much? */
static inline int is_silent(double percent) {
    return percent > TACOS_SILENT_PERCENT;
}

/* What it means, and what to try, on standard error. */
void silent_warn(double percent);

/* Below a table in which such rows have a mark; nothing if there are none. */
void silent_footnote(const char *mark, size_t n);

#endif
