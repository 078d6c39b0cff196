/* evaluation.h - the state of a prequential evaluation, and its bytes. */
#ifndef STREAM_EVALUATION_H
#define STREAM_EVALUATION_H

#include "base/pack.h"
#include "base/status.h"
#include "stream/adwin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WINDOW_MAX = 1000000, LABELS_MAX_MAX = 4096 };

/* One sample of the window: what is known of it for good. */
typedef struct Judged {
    uint16_t label, answer; /* answer + 1; 0: none, or rejected */
    uint8_t flags;
} Judged;
enum { JUDGED_REPEATED = 1, JUDGED_MAJORITY = 2, JUDGED_REJECTED = 4, JUDGED_FLAGS = 7 };

/* Counts of all samples, or of those in the window. */
typedef struct Tally {
    uint64_t n, right, rejected, unanswered;
    uint64_t repeated, majority; /* how often these baselines were right */
    uint64_t *labels, *answers;  /* [room] */
} Tally;

typedef struct tacos_evaluation {
    tacos_evaluation_options options;
    size_t n_labels, room;
    uint64_t *counts;    /* one block: what follows, and the labels and answers of both tallies */
    uint64_t *confusion; /* [room][room + 1] by label and answer + 1 */
    Tally all, recent;
    uint64_t rejected_right;
    size_t most_frequent; /* label so far, the lowest of several */
    Judged *window;       /* [options.window] a ring; sample k is at k % options.window */
    Adwin adwin;
    uint64_t n_alarms;
    uint64_t alarms[TACOS_EVALUATION_ALARMS]; /* alarm k is at k % TACOS_EVALUATION_ALARMS */
    uint64_t stride;                          /* one of so many rows that are due is kept */
    size_t n_rows;
    tacos_evaluation_row rows[TACOS_EVALUATION_ROWS];
    tacos_evaluation_row latest; /* the last that was asked for */
    double clock_s;              /* when that was, or NaN; this is not saved */
    uint64_t clock_samples;
} Evaluation;

/* The columns of a row. */
typedef struct RowColumn {
    const char *name;
    size_t offset;
    bool whole;
} RowColumn;
enum { ROW_COLUMNS = 13 };
extern const RowColumn evaluation_columns[ROW_COLUMNS];

static inline uint64_t *row_whole(const tacos_evaluation_row *row, const RowColumn *column) {
    return (uint64_t *)((char *)row + column->offset);
}

static inline double *row_number(const tacos_evaluation_row *row, const RowColumn *column) {
    return (double *)((char *)row + column->offset);
}

/* Room for labels and answers below n, which is at most max_labels. */
tacos_status evaluation_make_room(Evaluation *e, size_t n, tacos_error *err);

static inline uint64_t *evaluation_cell(const Evaluation *e, size_t label, size_t answer_1) {
    return &e->confusion[label * (e->room + 1) + answer_1];
}

/* Add a sample to a tally, or take it out. */
void tally_add(Tally *tally, const Judged *sample, bool out);

/* Write it as bytes, or read it; also as a part of another file. `name`: of the file, for errors.
 */
bool evaluation_pack(const Evaluation *e, Pack *pack);
tacos_status evaluation_unpack(Evaluation **out, Pack *pack, const char *name, tacos_error *err);

#endif
