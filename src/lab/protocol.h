/* protocol.h - runs one seed through a stream of tasks: learns each sample once, and scores all
 * tasks each time a task's worth of samples has been learned. */
#ifndef LAB_PROTOCOL_H
#define LAB_PROTOCOL_H

#include "lab/results.h"
#include "lab/task_split.h"

/* Receives the number of samples since the last call; a non-zero result stops the run. */
typedef int ProtocolProgress(void *user, uint64_t n_samples);

typedef struct Device Device; /* device.h */

typedef struct ProtocolOptions {
    /* Told after all tasks are scored, before learning and after each task; or NULL. */
    void (*scored)(void *user, uint32_t seed, size_t n_tasks, size_t n_rows, const double *b,
                   const double *R);
    size_t n_threads; /* share scoring and wide layers; affects only the time */
    Device *device;   /* computes the network, which must be a spiking one; NULL: the processor */
    ProtocolProgress *progress;
    void *user;
    double sample_seconds; /* on the test clock (clock.h); 0: the machine's clock */
    SavedModel *model;     /* receives the model, to be freed with saved_free; or NULL */
    /* A file to resume from if it exists, and to keep up to date; it remains after the run. NULL:
     * none. Rivals do not support it. */
    const char *checkpoint;
    uint64_t checkpoint_every; /* samples learned */
} ProtocolOptions;

/* The caller owns the arrays of the run: run_free. */
tacos_status protocol_run(tacos_run *out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, const ProtocolOptions *how, tacos_error *err);

#endif
