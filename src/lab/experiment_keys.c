/* experiment_keys.c - the keys of an experiment: its own, its model, the learner's and the rivals'.
 */
#include "lab/curve.h"
#include "lab/experiment.h"
#include "net/learner.h"
#include "net/removed.h"
#include "rivals/rival.h"

#include <assert.h>
#include <string.h>

static const char *const measure_wishes[] = {"none", "weights", "activity", "all", NULL};
static const char *const scenario_names[] = {"domain", "class", "task", NULL}; /* as Scenario */
static const char *const silence_names[] = {"first", "wrong", NULL};           /* as Silence */
static const char *const permute_names[] = {"none", "pixels", NULL};           /* as Permute */
static const char *const centre_names[] = {"none", "mass", NULL};              /* as Centre */

#define AT(field) offsetof(ExperimentParams, field)
#define MANY      1e9

enum { SOFTEN_MAX = 16 };

static const Key keys[] = {
    {"dataset", KEY_TEXT, AT(dataset), 0, 0, "", "", "glyphs",
     "the images: glyphs (built in), mnist, fashion, omniglot, cifar10, spoken-digits (or "
     "spoken-digits:SPEAKER, who is tested alone), or a folder in the data folder",
     NULL},
    {"tasks", KEY_TEXT, AT(tasks), 0, 0, "", "T^t", "0-1,2-3,4-5,6-7,8-9",
     "tasks in order, separated by commas; the classes of a task, by number or name, are joined by "
     "dashes, and the first is output 0; or random:50x5, random:50x5:seed",
     NULL},
    {"samples_per_task", KEY_COUNT, AT(samples_per_task), 0, MANY, "", "", "0",
     "training samples per task, each seen once; 0 for all", NULL},
    {"test_samples_per_task", KEY_COUNT, AT(test_samples_per_task), 0, MANY, "", "", "0",
     "test samples per task; 0 for all", NULL},
    {"validation", KEY_REAL, AT(validation), 0, 0.5, "", "", "0",
     "fraction of the training images held out of training and scored instead of the test set",
     NULL},
    {"scenario", KEY_CHOICE, AT(scenario), 0, 0, "", "", "domain",
     "domain: tasks share outputs; class: each class has its own; task: as class, but the task is "
     "known when testing",
     scenario_names},
    {"silence", KEY_CHOICE, AT(silence), 0, 0, "", "", "first",
     "how a test sample is scored if no output spikes: as if the first output had been the answer "
     "(the task's first output, if the task is known), or as wrong",
     silence_names},
    {"permute", KEY_CHOICE, AT(permute), 0, 0, "", "", "none",
     "pixels: from the second task on, each has its pixels in a random order of its own",
     permute_names},
    {"blur", KEY_REAL, AT(blur), 0, 1, "", "", "0",
     "no boundaries: samples come up to this part of a task's length earlier or later", NULL},
    {"measure", KEY_CHOICE, AT(measure), 0, 0, "", "", "none",
     "also measure changes of weights, of the hidden activity of the first task, or both",
     measure_wishes},
    {"curve_points", KEY_COUNT, AT(curve_points), 0, CURVE_POINTS_MAX, "", "", "0",
     "at so many points within each task, also score 50 test samples of it and of the first task",
     NULL},
    {"centre", KEY_CHOICE, AT(centre), 0, 0, "", "", "none",
     "mass: shift each image so that its centre of mass is in the middle, as in MNIST",
     centre_names},
    {"soften", KEY_COUNT, AT(soften), 0, SOFTEN_MAX, "pixels", "", "0",
     "replace each pixel by the mean of the square within this many pixels", NULL},
};

const KeyTable experiment_table = {keys, sizeof keys / sizeof *keys};

/* ---- models: the spiking variants in the order of net/params.h, then the rivals ---- */

#define SPIKING_NAME(name, metaplasticity, consolidation, about) name,
#define RIVAL_NAME(id, name, told, keeps, about)                 name,
static const char *const names[] = {MODEL_MAP(SPIKING_NAME) COLUMNS_NAME,
                                    RIVAL_MAP(RIVAL_NAME) NULL};

static const Key model_keys[] = {
    {"model", KEY_CHOICE, 0, 0, 0, "", "", "tacos",
     "which mechanisms the synapses have (fixed is m = m_max from the start), or a rival method",
     names},
};

const KeyTable model_table = {model_keys, 1};

size_t model_count(void) {
    return sizeof names / sizeof *names - 1;
}

const char *model_name(int model) {
    return names[model];
}

const char *model_about(int model) {
    return model_is_rival(model) ? rival_info(model_method(model))->about : models[model].about;
}

bool model_is_rival(int model) {
    return rival_find(names[model]) >= 0;
}

bool model_is_columns(int model) {
    return model == columns_model;
}

size_t model_method(int model) {
    int method = rival_find(names[model]);
    assert(method >= 0);
    return (size_t)method;
}

int model_spiking(int model) {
    enum { SNN = 1 };
    return model_is_rival(model) ? SNN : model;
}

tacos_removed tacos_setting_removed(const char *key, const char *value) {
    static const tacos_removed said[] = {
        [REMOVED_NOT] = TACOS_REMOVED_NOT,
        [REMOVED_DEFAULT] = TACOS_REMOVED_DEFAULT,
        [REMOVED_SET] = TACOS_REMOVED_SET,
        [REMOVED_NEEDED] = TACOS_REMOVED_NEEDED,
    };
    return said[removed_setting(key, value)];
}

int tacos_model(size_t i, tacos_model_info *out) {
    if (i >= model_count())
        return 0;
    int model = (int)i;
    bool rival = model_is_rival(model);
    *out = (tacos_model_info){
        .name = model_name(model),
        .about = model_about(model),
        .kind = rival                     ? TACOS_MODEL_RIVAL
                : model_is_columns(model) ? TACOS_MODEL_COLUMNS
                                          : TACOS_MODEL_SPIKING,
        .told_tasks = rival && rival_info(model_method(model))->told_tasks,
    };
    return 1;
}

/* ---- all keys ---- */

enum { TABLE_OWN, TABLE_MODEL, TABLE_LEARNER, TABLE_RIVAL };

/* A key hides those of the same name in later tables: the learner's model is not the
 * experiment's. */
const KeyTable *const experiment_tables[EXPERIMENT_TABLES] = {
    [TABLE_OWN] = &experiment_table,
    [TABLE_MODEL] = &model_table,
    [TABLE_LEARNER] = &params_table,
    [TABLE_RIVAL] = &rival_table,
};

static const size_t offsets[EXPERIMENT_TABLES] = {
    [TABLE_OWN] = offsetof(Experiment, params),
    [TABLE_MODEL] = offsetof(Experiment, model),
    [TABLE_LEARNER] = offsetof(Experiment, learner),
    [TABLE_RIVAL] = offsetof(Experiment, rival),
};

bool experiment_derives(const char *key) {
    return strcmp(key, "inputs") == 0 || strcmp(key, "outputs") == 0 ||
           strcmp(key, "input_shape") == 0;
}

bool experiment_key(const char *name, ExperimentKey *out) {
    if (experiment_derives(name))
        return false;
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++) {
        *out = (ExperimentKey){keys_find(*experiment_tables[t], name), offsets[t]};
        if (out->key)
            return true;
    }
    return false;
}

/* Not hidden by a key of an earlier table. */
static bool is_seen(size_t table, const Key *key) {
    for (size_t t = 0; t < table; t++)
        if (keys_find(*experiment_tables[t], key->name))
            return false;
    return true;
}

const Key *experiment_key_at(size_t i) {
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        for (size_t k = 0; k < experiment_tables[t]->n; k++)
            if (is_seen(t, &experiment_tables[t]->keys[k]) && i-- == 0)
                return &experiment_tables[t]->keys[k];
    return NULL;
}

size_t experiment_key_place(const char *name) {
    size_t i = 0;
    for (const Key *key; (key = experiment_key_at(i)) && strcmp(key->name, name) != 0;)
        i++;
    return i;
}

void experiment_defaults(Experiment *out) {
    memset(out, 0, sizeof *out);
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        keys_defaults(*experiment_tables[t], (char *)out + offsets[t]);
}

/* Does a key matter for this model? A rival uses only the network's layers, unless it reads the
 * spikes of one. */
static bool is_used(const Experiment *experiment, size_t table, const Key *key) {
    bool rival = model_is_rival(experiment->model), columns = model_is_columns(experiment->model);
    if (!is_seen(table, key))
        return false;
    if (table != TABLE_LEARNER)
        return table != TABLE_RIVAL || rival;
    if (rival && experiment->rival.features != FEATURES_SPIKES && !params_is_of_columns(key))
        return experiment_derives(key->name) || strcmp(key->name, "hidden") == 0;
    return params_key_matters(key, columns ? &experiment->learner.columns : NULL);
}

int tacos_experiment_uses_key(const Experiment *experiment, const char *key) {
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++) {
        const Key *found = keys_find(*experiment_tables[t], key);
        if (found)
            return is_used(experiment, t, found);
    }
    return 0;
}

const char *tacos_experiment_unused_key(const Experiment *experiment, size_t i) {
    Experiment defaults;
    ExperimentKey found;
    experiment_defaults(&defaults);
    const Key *key;
    for (size_t k = 0; (key = experiment_key_at(k)); k++)
        if (experiment_key(key->name, &found) && !experiment_agree(&found, experiment, &defaults) &&
            !tacos_experiment_uses_key(experiment, key->name) && i-- == 0)
            return key->name;
    return NULL;
}

void experiment_visit(const Experiment *experiment, ExperimentVisit *visit, void *user) {
    char value[KEY_VALUE_SIZE];
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        for (size_t k = 0; k < experiment_tables[t]->n; k++) {
            ExperimentKey key = {&experiment_tables[t]->keys[k], offsets[t]};
            if (!is_used(experiment, t, key.key))
                continue;
            key_get(key.key, (const char *)experiment + offsets[t], value);
            visit(user, &key, value);
        }
}

bool experiment_same(const Experiment *a, const Experiment *b, bool (*left_out)(const char *key)) {
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        for (size_t k = 0; k < experiment_tables[t]->n; k++) {
            const ExperimentKey key = {&experiment_tables[t]->keys[k], offsets[t]};
            if (!experiment_agree(&key, a, b) && is_used(a, t, key.key) && !left_out(key.key->name))
                return false;
        }
    return true;
}

static tacos_key_group group_of(const Key *key) {
    if (keys_find(rival_table, key->name) == key)
        return TACOS_KEY_RIVAL;
    if (!keys_find(params_table, key->name))
        return TACOS_KEY_EXPERIMENT;
    if (keys_find(params_table, key->name) != key) /* hidden by an experiment's, as `model` is */
        return TACOS_KEY_LEARNER;
    return params_is_of_columns(key) ? TACOS_KEY_COLUMNS
           : params_is_future(key)   ? TACOS_KEY_FUTURE
                                     : TACOS_KEY_LEARNER;
}

int tacos_learner_uses_key(const tacos_learner *learner, const char *key) {
    const Params *params = &learner->net.params;
    const Key *found = keys_find(params_table, key);
    return found && params_key_matters(found, params_is_columns(params) ? &params->columns : NULL);
}

int tacos_key(size_t i, tacos_key_info *out) {
    const Key *key = experiment_key_at(i);
    if (!key)
        return 0;
    *out = (tacos_key_info){
        .name = key->name,
        .symbol = key->symbol,
        .unit = key->unit,
        .type = key_type_names[key->type],
        .default_value = key->default_value,
        .min = key->min,
        .max = key->max,
        .doc = key->doc,
        .group = group_of(key),
        .derived = experiment_derives(key->name),
    };
    key_choices(key, out->choices, sizeof out->choices);
    return 1;
}
