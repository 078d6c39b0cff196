/* stage.h - the data of runs: read once, cut into tasks once, shared by all that ask. */
#ifndef LAB_STAGE_H
#define LAB_STAGE_H

#include "data/preprocess.h"
#include "lab/experiment.h"

/* Which images a stream of tasks learns and scores; read only. Many configurations and all seeds
 * share one. */
typedef struct Stage {
    ExperimentParams own; /* what it follows from */
    Tasks tasks;
    const Dataset *data;
    const Images *scored; /* the test images, or the training images where some are held out */
    TaskSamples test[TASKS_MAX];
    size_t n_train[TASKS_MAX]; /* samples learned of each task */
} Stage;

/* The part of the training images that is learned. */
static inline TaskPart stage_learned(const Stage *stage) {
    return (TaskPart){.fraction = stage->own.validation, .held_out = false};
}

/* How its images are shown. */
Preprocess stage_look(const Stage *stage);

/* Samples that one run learns and scores, for progress. */
uint64_t stage_samples(const Stage *stage, const Experiment *experiment);

/* How long a run takes compared with others, roughly: which to begin first. */
double stage_cost(const Stage *stage, const Experiment *settled);

/* The experiment with the learner's model, inputs and outputs filled in, checked. */
tacos_status stage_settle(const Stage *stage, const Experiment *experiment, Experiment *out,
                          tacos_error *err);

/* All stages of a plan. Any thread may ask. */
typedef struct Stages Stages;

tacos_status stages_new(Stages **out, const char *data_dir, tacos_error *err);
void stages_free(Stages *stages);

/* A plan may use so many data sets. */
enum { DATASETS_MAX = 8 };

/* A data set by its name, read if it was not yet. */
tacos_status stages_data(Stages *stages, const char *name, const Dataset **out, tacos_error *err);

/* The name of the d-th set that there is by now, or NULL. */
const char *stages_name(Stages *stages, size_t d);

/* Use this in place of reading it; it stays the caller's. */
tacos_status stages_lend(Stages *stages, const char *name, const Dataset *data, tacos_error *err);

tacos_status stages_get(Stages *stages, const ExperimentParams *own, const Stage **out,
                        tacos_error *err);

#endif
