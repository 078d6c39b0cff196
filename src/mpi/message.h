/* message.h - what goes from process to process, and how it is packed.
 *
 * Orders go from the first process to a member, reports back; the tag says which. Messages between
 * two processes arrive in the order in which they were sent.
 *
 * Nobody waits for ever. While a member sends a report (MPI_Isend, one at a time) it looks for
 * orders, so that one of any size is received and the first process may send it with MPI_Send. A
 * member blocks only in what an order makes all do together, into which the first process goes once
 * everybody has the order: the collective calls of begin, and when they stop, to have its last
 * report received, which is then all that the first process does. */
#ifndef SRC_MPI_MESSAGE_H
#define SRC_MPI_MESSAGE_H

#include "base/files.h"
#include "lab/measures.h"
#include "mpi/ranks.h"
#include "tacos_lab.h"

typedef enum Tag {
    ORDER_BEGIN = 1, /* then all exchange a Briefing */
    ORDER_RUN,       /* an Assignment */
    ORDER_STOP,      /* drop everything, and say so */
    ORDER_LEAVE,
    REPORT_MODEL,   /* a piece of what the run of the next outcome learned, REPORT_SIZE at most */
    REPORT_OUTCOME, /* outcome_pack */
    REPORT_SAMPLES, /* uint64_t: all since the beginning */
    REPORT_STOPPED, /* nothing comes after it, until ORDER_BEGIN */
} Tag;

/* What a member is told before it works. All processes are the same build (ranks_check), so structs
 * travel as the bytes that they are. */
typedef struct Briefing {
    unsigned n_jobs;                            /* as the user wants it, or 0 */
    char name[DATASETS_MAX][DATASET_NAME_SIZE]; /* of the data sets; "" for none */
    Dataset data[DATASETS_MAX]; /* the first process's, without the images themselves */
    bool has_data_dir;
    char data_dir[OUTPUT_PATH_MAX];
} Briefing;

/* The largest report. */
enum {
    REPORT_SIZE = sizeof(Outcome) + sizeof(uint64_t) +
                  TASKS_MAX * ((TASKS_MAX + 1) * sizeof(double) + sizeof(tacos_metrics)) +
                  MEASURES_MAX * sizeof(tacos_measure)
};

/* An outcome with the arrays of its run, without the model, and how many samples its sender has
 * made in all. Returns the number of bytes. The model has gone before, piece by piece. */
size_t outcome_pack(unsigned char bytes[REPORT_SIZE], const Outcome *outcome, uint64_t samples);

/* The arrays are made with malloc; without memory for them the outcome is a failure. Of the model
 * it knows the size alone. */
void outcome_unpack(const unsigned char *bytes, Outcome *outcome, uint64_t *samples);

#endif
