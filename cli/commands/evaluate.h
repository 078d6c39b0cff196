/* evaluate.h - the parts of `tacos evaluate`: its trials, and what is reported of them
 * (evaluate_table.c). */
#ifndef CLI_EVALUATE_H
#define CLI_EVALUATE_H

#include "stream/answers.h"
#include "stream/rows.h"

typedef struct EvaluateArgs {
    StreamSettings settings; /* whose seed is the first one */
    RowsArgs reader;
    const char *reject, *out, *data;
    unsigned long seeds, jobs, window;
    int quiet;
} EvaluateArgs;

/* A stream with a seed. */
typedef struct Trial {
    const char *path;
    char name[64];
    uint32_t seed;
    /* Afterwards: */
    int done, code; /* code: what to exit with */
    tacos_evaluation_figures figures;
    uint64_t alarms;
    size_t n_labels, bytes;
    double us; /* of a processor, per sample */
    uint32_t digest;
} Trial;

/* ---- evaluate_table.c ---- */

/* A row per stream, with means over its trials, which follow each other. */
int evaluate_print(const Trial *trials, size_t n);

/* FOLDER/evaluate.csv: a line per trial. */
int evaluate_write(const Trial *trials, size_t n, const char *folder);

#endif
