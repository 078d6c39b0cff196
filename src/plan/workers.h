/* workers.h - threads of this process that make runs: give them assignments, take outcomes. */
#ifndef PLAN_WORKERS_H
#define PLAN_WORKERS_H

#include "lab/results.h"
#include "lab/task_split.h"
#include "tacos_lab.h"

/* One run to make. */
typedef struct Assignment {
    uint64_t tag; /* chosen by the caller, returned with the outcome */
    Experiment experiment;
    uint32_t seed;
    size_t n_threads; /* that share this run */
    bool keep_model;  /* return the trained model too */
} Assignment;

enum { HOST_SIZE = 64 };

typedef struct Outcome {
    uint64_t tag;
    tacos_status status;
    tacos_error err;  /* unless status is TACOS_OK */
    tacos_run run;    /* if it is; ... */
    SavedModel model; /* ... and the trained model, if it was wanted */
    char host[HOST_SIZE];
} Outcome;

/* Free what an outcome holds. */
void outcome_free(Outcome *outcome);

typedef struct Workers Workers;

enum { WORKERS_MAX = TACOS_JOBS_MAX };

/* At most WORKERS_MAX threads. A system that gives none makes do with the caller's, in
 * workers_take. */
tacos_status workers_new(Workers **out, size_t n, TaskSplits *splits, tacos_error *err);

/* Stops the runs and waits for their threads. */
void workers_free(Workers *workers);

/* Runs from now on leave a checkpoint in this folder (run_checkpoint_path) every so many samples,
 * and go on from it; 0: none. The folder's name must last. */
void workers_set_checkpoints(Workers *workers, const char *folder, uint64_t every);

/* Assignments given whose outcomes were not taken yet. */
size_t workers_load(const Workers *workers);

/* At most WORKERS_QUEUE a thread may be given ahead. */
enum { WORKERS_QUEUE = 8 };
void workers_give(Workers *workers, const Assignment *assignment);

/* On a clock of tests (clock.h) every run waits with each report of its progress, and with its end,
 * until the giver has heard: what the giver knows then depends on nobody's speed. 0: the machine's
 * clock, and nobody waits. */
void workers_set_clock(Workers *workers, double sample_seconds);
void workers_heard(Workers *workers);

/* Wait at most so long for a run to end, or to wait until it is heard; false if none ended. */
bool workers_take(Workers *workers, Outcome *out, double wait_seconds);

/* Samples learned and scored since the start, also of runs that have not ended. */
uint64_t workers_samples(const Workers *workers);

/* Interrupt all runs: they end as soon as they notice, those that have not begun at once. */
void workers_stop(Workers *workers);

#endif
