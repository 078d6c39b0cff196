/* workers.h - threads of this process that make runs: give them assignments, take outcomes. */
#ifndef PLAN_WORKERS_H
#define PLAN_WORKERS_H

#include "lab/protocol.h"
#include "lab/results.h"
#include "lab/task_split.h"
#include "plan/live.h"
#include "tacos_lab.h"

/* One run to make. */
typedef struct Assignment {
    uint64_t tag; /* chosen by the caller, returned with the outcome */
    Experiment experiment;
    uint32_t seed;
    size_t n_threads; /* to share this run */
    bool keep_model;  /* also return the trained model */
} Assignment;

enum { HOST_SIZE = 64 };

typedef struct Outcome {
    uint64_t tag;
    tacos_status status;
    tacos_error err;  /* set unless status is TACOS_OK */
    tacos_run run;    /* set if it is */
    SavedModel model; /* the trained model, if requested */
    char host[HOST_SIZE];
} Outcome;

/* Free what an outcome holds. */
void outcome_free(Outcome *outcome);

typedef struct Workers Workers;

enum { WORKERS_MAX = TACOS_JOBS_MAX, WORKERS_DEVICE_MAX = 4096 };

/* At most WORKERS_MAX threads. If none can be created, the runs are made by the caller, in
 * workers_take. */
tacos_status workers_new(Workers **out, size_t n, TaskSplits *splits, tacos_error *err);

/* For runs whose networks are on a device: room for n threads, at most WORKERS_DEVICE_MAX, of which
 * none exists yet. Nothing may be queued ahead. */
tacos_status workers_new_for(Workers **out, size_t n, TaskSplits *splits, Device *device,
                             tacos_error *err);

/* Have at least so many threads, if possible; returns how many there are. */
size_t workers_start(Workers *workers, size_t n);

/* Stop the runs and join their threads. */
void workers_free(Workers *workers);

/* From now on, runs write a checkpoint to this folder (run_checkpoint_path) every this many
 * samples, and resume from it; 0: none. The folder's name must outlive the workers. */
void workers_set_checkpoints(Workers *workers, const char *folder, uint64_t every);

/* From now on, runs note here what is scored; NULL: nowhere. */
void workers_set_live(Workers *workers, Live *live);

/* Assignments given whose outcomes have not been taken. */
size_t workers_load(const Workers *workers);

/* At most this many assignments per thread may be queued ahead. */
enum { WORKERS_QUEUE = 8 };
void workers_give(Workers *workers, const Assignment *assignment);

/* On a test clock (clock.h) every run waits at each progress report, and at its end, until the
 * caller has heard it, so what the caller knows does not depend on speed. 0: the machine's clock,
 * without waiting. */
void workers_set_clock(Workers *workers, double sample_seconds);
void workers_heard(Workers *workers);

/* Wait up to this long for a run to end, or to wait to be heard; false if none ended. */
bool workers_take(Workers *workers, Outcome *out, double wait_seconds);

/* From now on, whoever waits for `first` is woken when a run of `second` ends or waits to be heard.
 * NULL: no longer. */
void workers_wake(Workers *second, Workers *first);

/* Samples learned and scored since the start, including runs in progress. */
uint64_t workers_samples(const Workers *workers);

/* Interrupt all runs: running ones end as soon as they notice, queued ones at once. */
void workers_stop(Workers *workers);

#endif
