/* experiment.h - a stream of tasks and a learner, as named keys. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "data/dataset.h"
#include "data/sha256.h"
#include "data/tasks.h"
#include "net/params.h"

typedef struct ExperimentParams {
    int dataset; /* index into dataset_names */
    char tasks[KEY_TEXT_SIZE];
    size_t samples_per_task, test_samples_per_task; /* 0: all */
    double validation; /* fraction of the training images that is scored in place of the test set */
} ExperimentParams;

extern const KeyTable experiment_table;
extern const char *const dataset_names[];
enum { N_DATASETS = 3 };

typedef struct tacos_experiment {
    char name[128];
    ExperimentParams own;
    Params learner; /* inputs and outputs follow from the data and the tasks */
} Experiment;

static inline const char *experiment_dataset(const Experiment *experiment) {
    return dataset_names[experiment->own.dataset];
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
