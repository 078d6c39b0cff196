/* failure.h - networks that never answer, or are right no more often than by chance: what is said
 * of them, and how tables mark them. */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "tacos_lab.h"

/* Too silent for its metrics to mean much? */
static inline int is_silent(double percent) {
    return percent > TACOS_SILENT_PERCENT;
}

/* After a run: if its network is silent or at chance, say so on standard error, with the likely
 * cause and what to try. */
void failure_warn(const tacos_experiment *experiment, const tacos_results *results);

/* ---- tables ---- */

/* The mark of a row that is never the best: "!" or "?", else "". */
const char *failure_mark(int silent, int chance);

/* Below the table, what its marks mean; nothing if there are none. */
void failure_footnotes(size_t n_silent, size_t n_chance);

#endif
