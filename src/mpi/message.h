/* message.h - the messages between processes, and how they are packed.
 *
 * Orders go from the first process to a member, reports back; the tag says which. Messages between
 * two processes arrive in the order they were sent.
 *
 * This cannot deadlock. While a member sends a report (MPI_Isend, one at a time) it looks for
 * orders, so an order of any size is received and the first process may use MPI_Send. A member
 * blocks only in what an order makes all processes do together, which the first process enters once
 * every member has the order: the collective calls of begin, and, on a stop, delivering its last
 * report, when the first process does nothing but receive. */
#ifndef SRC_MPI_MESSAGE_H
#define SRC_MPI_MESSAGE_H

#include "base/files.h"
#include "lab/confusion.h"
#include "lab/curve.h"
#include "lab/measures.h"
#include "mpi/ranks.h"
#include "tacos_lab.h"

typedef enum Tag {
    ORDER_BEGIN = 1, /* all processes then exchange a Briefing */
    ORDER_RUN,       /* an Assignment */
    ORDER_STOP,      /* drop everything, and say so */
    ORDER_LEAVE,
    REPORT_MODEL,   /* a piece of the model of the next outcome, at most REPORT_SIZE */
    REPORT_OUTCOME, /* outcome_pack */
    REPORT_SAMPLES, /* uint64_t: total since the beginning */
    REPORT_STOPPED, /* nothing follows until ORDER_BEGIN */
} Tag;

/* What a member needs before it works. All processes run the same build (ranks_check), so structs
 * are sent as raw bytes. */
typedef struct Briefing {
    unsigned n_jobs;                            /* as the user asked for, or 0 */
    char name[DATASETS_MAX][DATASET_NAME_SIZE]; /* of the data sets; "" for none */
    Dataset data[DATASETS_MAX];                 /* the first process's, without the images */
    bool has_data_dir;
    char data_dir[OUTPUT_PATH_MAX];
} Briefing;

/* The largest report. */
enum {
    REPORT_SIZE = sizeof(Outcome) + sizeof(uint64_t) +
                  TASKS_MAX * ((TASKS_MAX + 1) * sizeof(double) + sizeof(tacos_metrics)) +
                  (MEASURES_MAX + CURVE_MEASURES_MAX) * sizeof(tacos_measure) +
                  ANSWERS_MAX * sizeof(tacos_answer_count)
};

/* Pack an outcome with the arrays of its run, without the model, which is sent before in pieces;
 * and how many samples its sender has done in total. Returns the number of bytes. */
size_t outcome_pack(unsigned char bytes[REPORT_SIZE], const Outcome *outcome, uint64_t samples);

/* The arrays are allocated with malloc; if memory runs out, the outcome becomes a failure. Of the
 * model, only the size is set. */
void outcome_unpack(const unsigned char *bytes, Outcome *outcome, uint64_t *samples);

#endif
