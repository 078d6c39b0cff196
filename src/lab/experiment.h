/* experiment.h - a stream of tasks and a learner, described by named keys. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "data/dataset.h"
#include "data/catalog/sha256.h"
#include "data/tasks.h"
#include "lab/builtin.h"
#include "net/params.h"
#include "rivals/params.h"
#include "tacos_lab.h"

/* How outputs are assigned, and whether the task is known. */
typedef enum Scenario {
    SCENARIO_DOMAIN, /* tasks share one head: the k-th class of a task is output k */
    SCENARIO_CLASS,  /* every class has its own output */
    SCENARIO_TASK,   /* the same, but a test compares only the task's outputs */
} Scenario;

typedef enum Permute { PERMUTE_NONE, PERMUTE_PIXELS } Permute;
typedef enum Silence { SILENCE_FIRST, SILENCE_WRONG } Silence;
typedef enum Centre { CENTRE_NONE, CENTRE_MASS } Centre;

typedef struct ExperimentParams {
    char dataset[KEY_TEXT_SIZE]; /* a built-in name, or a folder in the data folder */
    char tasks[KEY_TEXT_SIZE];
    size_t samples_per_task, test_samples_per_task; /* 0: all */
    double validation;   /* fraction of the training images to score instead of the test set */
    int measure;         /* MeasureWish of measures.h */
    size_t curve_points; /* per task: curve.h */
    int scenario;        /* Scenario */
    int silence;         /* Silence */
    int permute;         /* Permute */
    double blur;         /* in task lengths */
    int centre;          /* Centre */
    size_t soften;       /* pixels */
} ExperimentParams;

extern const KeyTable experiment_table;
enum { DATASET_NAME_SIZE = 64 };

typedef struct tacos_experiment {
    char name[BUILTIN_NAME_SIZE];
    ExperimentParams params;
    int model;         /* see model_name */
    Params learner;    /* its model, inputs and outputs are derived from model, data and tasks */
    RivalParams rival; /* used if the model is a rival */
} Experiment;

/* ---- models: the spiking variants of net/params.h, then the rivals ---- */

/* One key, `model`; its field is an int. */
extern const KeyTable model_table;

/* [model_count()] */
size_t model_count(void);
const char *model_name(int model);
const char *model_about(int model);

bool model_is_rival(int model);
bool model_is_columns(int model);

/* The paper's network and its variants. */
static inline bool model_is_spiking(int model) {
    return !model_is_rival(model) && !model_is_columns(model);
}

/* The index of a rival's method in rivals/rival.h. */
size_t model_method(int model);

/* The index of a variant in net/params.h; for a rival that of the plain network, whose spikes it
 * may read. */
int model_spiking(int model);

/* ---- keys ---- */

/* All keys, table by table. */
enum { EXPERIMENT_TABLES = 4 };
extern const KeyTable *const experiment_tables[EXPERIMENT_TABLES];

/* A key, and the offset in Experiment of the struct it belongs to. */
typedef struct ExperimentKey {
    const Key *key;
    size_t offset;
} ExperimentKey;

/* Find a key by name. False if it does not exist or may not be set. */
bool experiment_key(const char *name, ExperimentKey *out);

/* The i-th key of all tables, or NULL past the end; and a key's index, past the end if unknown. */
const Key *experiment_key_at(size_t i);
size_t experiment_key_place(const char *name);

/* Do two experiments have the same value of a key? */
static inline bool experiment_agree(const ExperimentKey *key, const Experiment *a,
                                    const Experiment *b) {
    return key_equal(key->key, (const char *)a + key->offset, (const char *)b + key->offset);
}

/* Every key at its default. */
void experiment_defaults(Experiment *out);

static inline const char *experiment_dataset(const Experiment *experiment) {
    return experiment->params.dataset;
}

/* The key `tasks`, parsed. */
static inline tacos_status experiment_tasks(const Experiment *experiment, Tasks *out,
                                            tacos_error *err) {
    return tasks_parse(out, experiment->params.tasks, err);
}

/* Write the key `tasks` with numbers for the names of classes, which are looked up in the data set.
 */
tacos_status experiment_number_tasks(Experiment *experiment, const char *data_dir,
                                     tacos_error *err);

/* How often, in percent, answers without any knowledge are right: 100 by the number of outputs that
 * compete. 0 if there is nothing to choose from, with a single output. */
double tasks_chance(const Tasks *tasks, Scenario scenario);

/* The experiment of one seed: draws the tasks that differ between seeds. */
void experiment_draw(Experiment *experiment, uint32_t seed);

/* SHA-256 of everything a run depends on except data and seed: the keys that differ from their
 * defaults, and the engine's epoch. So a new key keeps old results valid, and a change in what is
 * computed does not. */
void experiment_digest(const Experiment *experiment, char hex[SHA256_HEX_SIZE]);

/* Is this a learner's key that the experiment derives? */
bool experiment_derives(const char *key);

/* Visit every key that matters for the experiment's model, with its value as text. */
typedef void ExperimentVisit(void *user, const ExperimentKey *key, const char *value);
void experiment_visit(const Experiment *experiment, ExperimentVisit *visit, void *user);

/* Do all keys that matter for a's model agree, but those that are left out? */
bool experiment_same(const Experiment *a, const Experiment *b, bool (*left_out)(const char *key));

#endif
