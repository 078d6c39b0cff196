/* hands.h - threads that make runs: give them work, take what they have done. */
#ifndef PLAN_HANDS_H
#define PLAN_HANDS_H

#include "lab/results.h"
#include "lab/stage.h"

/* One run to make. */
typedef struct Assignment {
    uint64_t tag; /* the giver's own name for it */
    Experiment experiment;
    uint32_t seed;
    size_t n_threads; /* that share this run */
    bool keep_model;  /* what was learned is wanted too */
} Assignment;

enum { HOST_SIZE = 64 };

typedef struct Outcome {
    uint64_t tag;
    tacos_status status;
    tacos_error err;  /* unless status is TACOS_OK */
    tacos_run run;    /* if it is; ... */
    SavedModel model; /* ... and what was learned, if it was wanted */
    char host[HOST_SIZE];
} Outcome;

/* What it holds. */
void outcome_free(Outcome *outcome);

typedef struct Hands Hands;

enum { HANDS_MAX = TACOS_JOBS_MAX };

/* At most HANDS_MAX threads. A system that gives none makes do with the caller's, in hands_take. */
tacos_status hands_new(Hands **out, size_t n, Stages *stages, tacos_error *err);

/* Stops what is running and waits for it. */
void hands_free(Hands *hands);

/* Runs from now on leave a checkpoint in this folder (folder_checkpoint) every so many samples, and
 * go on from it; 0: none. The folder's name must last. */
void hands_set_checkpoints(Hands *hands, const char *folder, uint64_t every);

/* Given, and not taken back yet. */
size_t hands_load(const Hands *hands);

/* At most HANDS_QUEUE a thread may be given ahead. */
enum { HANDS_QUEUE = 8 };
void hands_give(Hands *hands, const Assignment *assignment);

/* On a clock of tests (clock.h) every run waits with each report of its progress, and with its end,
 * until the giver has heard: what the giver knows then depends on nobody's speed. 0: the machine's
 * clock, and nobody waits. */
void hands_set_clock(Hands *hands, double sample_seconds);
void hands_heard(Hands *hands);

/* Wait at most so long for a run to end, or to wait until it is heard; false if none ended. */
bool hands_take(Hands *hands, Outcome *out, double wait_seconds);

/* Samples learned and scored since the start, also of runs that have not ended. */
uint64_t hands_samples(const Hands *hands);

/* Runs end as soon as they notice, interrupted; those that have not begun do so at once. */
void hands_stop(Hands *hands);

#endif
