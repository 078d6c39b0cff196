/* record.h - the folder of an experiment: its store, and results.json and accuracy.csv out of it.
 * docs/results.md tells what is in them. */
#ifndef PLAN_RECORD_H
#define PLAN_RECORD_H

#include "base/files.h"
#include "lab/results.h"
#include "lab/task_split.h"
#include "store/store.h"
#include "tacos_lab.h"

typedef struct Record {
    char folder[OUTPUT_PATH_MAX - 128];
    char store[OUTPUT_PATH_MAX];
    size_t n_wanted; /* runs */
    bool made;       /* the folder was not there before */
    bool fresh;      /* nor was the store, or nothing was in it */
    Store *open;     /* whose lock is that of the folder */
} Record;

/* Make the folder and open its store, or TACOS_BUSY. One that has something in it is refused,
 * unless it has results of this configuration, or no more than the rests of a start that was
 * killed, or unless forced: then its store goes. */
tacos_status record_open(Record *record, const Experiment *experiment,
                         const tacos_run_options *options, tacos_error *err);

/* What the results are of. */
typedef struct Recorded {
    const Experiment *experiment;
    const TaskSplit *split;
    Experiment settled; /* complete */
} Recorded;

/* Write both files anew with the runs there are. */
tacos_status record_write(const Record *record, const Recorded *what, const Results *results,
                          tacos_error *err);

/* Close the store: others may have the folder. */
void record_close(Record *record);

/* The same, and what was made for nothing goes away again: a store that was not there before, the
 * learners of these seeds with it, and the folder if nothing else is in it. */
void record_remove(Record *record, const uint32_t *seeds, size_t n_seeds);

#endif
