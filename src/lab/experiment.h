/* experiment.h - a stream of tasks and a learner, as named keys. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "data/dataset.h"
#include "data/catalog/sha256.h"
#include "data/tasks.h"
#include "lab/builtin.h"
#include "net/params.h"
#include "rivals/params.h"
#include "tacos_lab.h"

/* What the outputs are for, and who is told the task. */
typedef enum Scenario {
    SCENARIO_DOMAIN, /* the tasks share one head: the k-th class of a task is output k */
    SCENARIO_CLASS,  /* every class has an output of its own */
    SCENARIO_TASK,   /* the same, but when it is tested only those of the task are compared */
} Scenario;

typedef enum Permute { PERMUTE_NONE, PERMUTE_PIXELS } Permute;
typedef enum Silence { SILENCE_FIRST, SILENCE_WRONG } Silence;
typedef enum Centre { CENTRE_NONE, CENTRE_MASS } Centre;

typedef struct ExperimentParams {
    char dataset[KEY_TEXT_SIZE]; /* a known name, or a folder in the data folder */
    char tasks[KEY_TEXT_SIZE];
    size_t samples_per_task, test_samples_per_task; /* 0: all */
    double validation; /* fraction of the training images that is scored in place of the test set */
    int measure;       /* MeasureWish of measures.h */
    int scenario;      /* Scenario */
    int silence;       /* Silence */
    int permute;       /* Permute */
    double blur;       /* in lengths of a task */
    int centre;        /* Centre */
    size_t soften;     /* pixels */
} ExperimentParams;

extern const KeyTable experiment_table;
enum { DATASET_NAME_SIZE = 64 };

typedef struct tacos_experiment {
    char name[BUILTIN_NAME_SIZE];
    ExperimentParams params;
    int model;         /* see model_name */
    Params learner;    /* its model, inputs and outputs follow from the model, data and tasks */
    RivalParams rival; /* used where the model is a rival */
} Experiment;

/* ---- models: the spiking variants of net/params.h, then the rivals ---- */

/* One key, `model`; its field is an int. */
extern const KeyTable model_table;

/* As many as model_count(). */
size_t model_count(void);
const char *model_name(int model);
const char *model_about(int model);

/* Not a variant of the spiking network. */
bool model_is_rival(int model);

/* The number of a rival's method in rivals/rival.h. */
size_t model_method(int model);

/* The number of a variant in net/params.h; for a rival that of the plain network, whose spikes it
 * may read. */
int model_spiking(int model);

/* ---- keys ---- */

/* All keys, table by table. */
enum { EXPERIMENT_TABLES = 4 };
extern const KeyTable *const experiment_tables[EXPERIMENT_TABLES];

/* A key, and where in an Experiment the struct is that it is a field of. */
typedef struct ExperimentKey {
    const Key *key;
    size_t offset;
} ExperimentKey;

/* By its name. False if there is none, or none that may be set. */
bool experiment_key(const char *name, ExperimentKey *out);

/* The i-th of all, or NULL past the end; the place of a key among them, past the end if unknown. */
const Key *experiment_key_at(size_t i);
size_t experiment_key_place(const char *name);

/* Have two experiments the same value of a key? */
static inline bool experiment_agree(const ExperimentKey *key, const Experiment *a,
                                    const Experiment *b) {
    return key_equal(key->key, (const char *)a + key->offset, (const char *)b + key->offset);
}

/* Every key at its default. */
void experiment_defaults(Experiment *out);

static inline const char *experiment_dataset(const Experiment *experiment) {
    return experiment->params.dataset;
}

/* Made with malloc; free() ends it. */

/* Its key `tasks`, parsed. */
static inline tacos_status experiment_tasks(const Experiment *experiment, Tasks *out,
                                            tacos_error *err) {
    return tasks_parse(out, experiment->params.tasks, err);
}

/* What one seed runs: tasks that every seed draws anew are drawn. */
void experiment_draw(Experiment *experiment, uint32_t seed);

/* SHA-256 of what a run depends on, apart from data and seed: the keys that are not at their
 * defaults, and the epoch of the engine. So a new key does not make old results foreign, and a
 * change of what is computed does. */
void experiment_digest(const Experiment *experiment, char hex[SHA256_HEX_SIZE]);

/* Is this a learner's key that an experiment decides by itself? */
bool experiment_derives(const char *key);

/* Visit every key that has a meaning for the experiment's model, with its value as text. */
typedef void ExperimentVisit(void *user, const ExperimentKey *key, const char *value);
void experiment_visit(const Experiment *experiment, ExperimentVisit *visit, void *user);

#endif
