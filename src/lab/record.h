/* record.h - the files of an experiment: results.json and accuracy.csv. docs/results.md tells what
 * is in them. */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "base/output.h"
#include "lab/jobs.h"

typedef struct Record {
    char folder[OUTPUT_PATH_MAX - 64];
    size_t n_wanted; /* runs */
    bool made;       /* the folder was not there before */
} Record;

/* Make the folder, or refuse one that has something in it, and see that files can be written. */
tacos_status record_open(Record *record, const tacos_run_options *options, tacos_error *err);

/* Write both files anew with the runs there are. */
tacos_status record_write(const Record *record, const Stage *stage, const Results *results,
                          tacos_error *err);

/* A folder made for nothing goes away again. */
void record_close(const Record *record, const Results *results);

#endif
