/* experiment.h - a stream of tasks and a learner, as named keys. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "data/dataset.h"
#include "data/sha256.h"
#include "data/tasks.h"
#include "lab/builtin.h"
#include "net/params.h"

/* What the outputs are for, and who is told the task. */
typedef enum Scenario {
    SCENARIO_DOMAIN, /* the tasks share one head: the k-th class of a task is output k */
    SCENARIO_CLASS,  /* every class has an output of its own */
    SCENARIO_TASK,   /* the same, but when it is tested only those of the task are compared */
} Scenario;

typedef enum Permute { PERMUTE_NONE, PERMUTE_PIXELS } Permute;

typedef struct ExperimentParams {
    char dataset[KEY_TEXT_SIZE]; /* a known name, or a folder in the data folder */
    char tasks[KEY_TEXT_SIZE];
    size_t samples_per_task, test_samples_per_task; /* 0: all */
    double validation; /* fraction of the training images that is scored in place of the test set */
    int measure;       /* MeasureWish of measures.h */
    int scenario;      /* Scenario */
    int permute;       /* Permute */
    double blur;       /* in lengths of a task */
} ExperimentParams;

extern const KeyTable experiment_table;
enum { DATASET_NAME_SIZE = 64 };

typedef struct tacos_experiment {
    char name[BUILTIN_NAME_SIZE];
    ExperimentParams own;
    Params learner; /* inputs and outputs follow from the data and the tasks */
} Experiment;

static inline const char *experiment_dataset(const Experiment *experiment) {
    return experiment->own.dataset;
}

bool experiment_builtin(size_t i, tacos_experiment_info *out);

/* Made with malloc; free() ends it. */
tacos_status experiment_open(Experiment **out, const char *name_or_path, tacos_error *err);
tacos_status experiment_set(Experiment *experiment, const char *key, const char *value,
                            tacos_error *err);
tacos_status experiment_get(const Experiment *experiment, const char *key, char *buf, size_t size,
                            tacos_error *err);

/* SHA-256 of what a run depends on, apart from data and seed: the keys that are not at their
 * defaults, and the epoch of the engine. So a new key does not make old results foreign, and a
 * change of what is computed does. */
void experiment_digest(const Experiment *experiment, char hex[SHA256_HEX_SIZE]);

/* Is this a learner's key that an experiment decides by itself? */
bool experiment_derives(const char *key);

/* Visit every key that an experiment has, with its value as text. */
typedef void ExperimentVisit(void *user, const Key *key, const char *value);
void experiment_visit(const Experiment *experiment, ExperimentVisit *visit, void *user);

#endif
