/* silence.h - what is said of a network whose outputs do not fire. */
#ifndef CLI_SILENCE_H
#define CLI_SILENCE_H

#include "tacos.h"

/* Too silent for its metrics to mean much? */
static inline int is_silent(double percent) {
    return percent > TACOS_SILENT_PERCENT;
}

/* What it means, and what to try, on standard error. */
void silence_warn(double percent);

/* Below a table in which such rows have a mark; nothing if there are none. */
void silence_footnote(const char *mark, size_t n);

#endif
