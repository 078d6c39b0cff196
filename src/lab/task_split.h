/* task_split.h - the data of runs: read once, split into tasks once, shared by all runs. */
#ifndef LAB_TASK_SPLIT_H
#define LAB_TASK_SPLIT_H

#include "data/preprocess.h"
#include "lab/experiment.h"

/* The images that a stream of tasks learns and scores; read only. Shared by many configurations and
 * all seeds. */
typedef struct TaskSplit {
    ExperimentParams params; /* that it was made from */
    Tasks tasks;
    const Dataset *data;
    const Images *scored; /* the test images, or the training images if some are held out */
    TaskSamples test[TASKS_MAX];
    size_t n_train[TASKS_MAX]; /* samples to learn of each task */
} TaskSplit;

/* The part of the training images to learn. */
static inline TaskPart task_split_learned(const TaskSplit *split) {
    return (TaskPart){.fraction = split->params.validation,
                      .limit = split->params.samples_per_task};
}

Preprocess task_split_preprocess(const TaskSplit *split);

/* The samples that one run learns, passes over them counted, and those that it scores. */
void task_split_count(const TaskSplit *split, const Experiment *experiment, uint64_t *learned,
                      uint64_t *scored);

/* Both together, for progress. */
uint64_t task_split_samples(const TaskSplit *split, const Experiment *experiment);

/* A rough relative cost of a run; the most expensive ones start first. */
double task_split_cost(const TaskSplit *split, const Experiment *settled);

/* The experiment with the learner's model, inputs and outputs derived and checked. */
tacos_status task_split_settle(const TaskSplit *split, const Experiment *experiment,
                               Experiment *out, tacos_error *err);

/* All splits of a plan; thread-safe. */
typedef struct TaskSplits TaskSplits;

tacos_status task_splits_new(TaskSplits **out, const char *data_dir, tacos_error *err);
void task_splits_free(TaskSplits *splits);

enum { DATASETS_MAX = 8 };

/* A data set by name, read on first use. */
tacos_status task_splits_data(TaskSplits *splits, const char *name, const Dataset **out,
                              tacos_error *err);

/* The name of the d-th data set read so far, or NULL. */
const char *task_splits_name(TaskSplits *splits, size_t d);

/* Use `data`, which the caller keeps, instead of reading the set. */
tacos_status task_splits_lend(TaskSplits *splits, const char *name, const Dataset *data,
                              tacos_error *err);

tacos_status task_splits_get(TaskSplits *splits, const ExperimentParams *params,
                             const TaskSplit **out, tacos_error *err);

#endif
