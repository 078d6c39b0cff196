/* protocol.h - one seed through a stream of tasks: learn each sample once, score after each task.
 */
#ifndef LAB_PROTOCOL_H
#define LAB_PROTOCOL_H

#include "lab/experiment.h"

/* What all seeds of an experiment share, read only. */
typedef struct Stage {
    const Experiment *experiment;
    Params params; /* the learner's, with inputs and outputs filled in */
    Tasks tasks;
    Dataset data;
    TaskSamples test[TASKS_MAX];
    size_t n_train[TASKS_MAX]; /* samples learned of each task */
} Stage;

tacos_status stage_open(Stage *stage, const Experiment *experiment, const char *data_dir,
                        tacos_error *err);
void stage_close(Stage *stage);

/* Samples that one run learns and scores, for progress. */
uint64_t stage_samples(const Stage *stage);

/* Told how many samples were done since the last call; anything but 0 stops the run. */
typedef int ProtocolProgress(void *user, uint64_t n_samples);

/* The arrays of a run belong to the caller: run_free. n_threads share scoring and wide layers;
 * their number changes nothing but the time. */
tacos_status protocol_run(tacos_run *out, const Stage *stage, uint32_t seed, size_t n_threads,
                          ProtocolProgress *progress, void *user, tacos_error *err);
void run_free(tacos_run *run);

#endif
