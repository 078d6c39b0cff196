/* protocol.h - one seed through a stream of tasks: learn each sample once, score all tasks after as
 * many samples as each has. */
#ifndef LAB_PROTOCOL_H
#define LAB_PROTOCOL_H

#include "lab/results.h"
#include "lab/task_split.h"

/* Receives the number of samples since the last call; anything but 0 stops the run. */
typedef int ProtocolProgress(void *user, uint64_t n_samples);

typedef struct ProtocolOptions {
    size_t n_threads; /* share scoring and wide layers; changes nothing but the time */
    ProtocolProgress *progress;
    void *user;
    double sample_seconds; /* on the clock of tests (clock.h); 0: the machine's clock */
    SavedModel *model;     /* receives what was learned, to be freed with saved_free; or NULL */
    /* A file to resume from, if it exists, and to keep up to date; it stays when the run is
     * complete. NULL: none. A rival has none. */
    const char *checkpoint;
    uint64_t checkpoint_every; /* samples learned */
} ProtocolOptions;

/* The arrays of a run belong to the caller: run_free. */
tacos_status protocol_run(tacos_run *out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, const ProtocolOptions *how, tacos_error *err);

#endif
