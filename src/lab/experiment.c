/* experiment.c - experiments by name, by file and by key. */
#include "lab/experiment.h"

#include "base/output.h"
#include "lab/builtin.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONF_MAX = 1 << 20 };

/* Raised when the same keys give other numbers than before: results then are no longer found by
 * their old digests. */
#define ENGINE_EPOCH "1"

static const char *const measure_wishes[] = {"none", "weights", "activity", "all", NULL};
static const char *const scenario_names[] = {"domain", "class", "task", NULL}; /* as Scenario */
static const char *const permute_names[] = {"none", "pixels", NULL};           /* as Permute */

#define AT(field) offsetof(ExperimentParams, field)
#define MANY      1e9

static const Key keys[] = {
    {"dataset", KEY_TEXT, AT(dataset), 0, 0, "", "", "glyphs",
     "the images: glyphs (built in), mnist, fashion, omniglot, or a folder in the data folder",
     NULL},
    {"tasks", KEY_TEXT, AT(tasks), 0, 0, "", "T^t", "0-1,2-3,4-5,6-7,8-9",
     "tasks in order, each its classes joined by dashes, the first is output 0; or random:50x5",
     NULL},
    {"samples_per_task", KEY_COUNT, AT(samples_per_task), 0, MANY, "", "", "0",
     "training samples a task, each seen once; 0 for all", NULL},
    {"test_samples_per_task", KEY_COUNT, AT(test_samples_per_task), 0, MANY, "", "", "0",
     "test samples a task; 0 for all", NULL},
    {"validation", KEY_REAL, AT(validation), 0, 0.5, "", "", "0",
     "fraction of the training images to score instead of the test set, and not to learn", NULL},
    {"scenario", KEY_CHOICE, AT(scenario), 0, 0, "", "", "domain",
     "domain: tasks share outputs; class: each class has its own; task: so, told the task in tests",
     scenario_names},
    {"permute", KEY_CHOICE, AT(permute), 0, 0, "", "", "none",
     "pixels: from the second task on, each has its pixels in a random order of its own",
     permute_names},
    {"blur", KEY_REAL, AT(blur), 0, 1, "", "", "0",
     "no boundaries: samples come up to this part of a task's length earlier or later", NULL},
    {"measure", KEY_CHOICE, AT(measure), 0, 0, "", "", "none",
     "besides accuracy: how weights change, how hidden activity of the first task does, or all",
     measure_wishes},
};

const KeyTable experiment_table = {keys, sizeof keys / sizeof *keys};

bool experiment_derives(const char *key) {
    return strcmp(key, "inputs") == 0 || strcmp(key, "outputs") == 0;
}

void experiment_visit(const Experiment *experiment, ExperimentVisit *visit, void *user) {
    char value[KEY_VALUE_SIZE];
    for (size_t k = 0; k < experiment_table.n; k++) {
        key_get(&keys[k], &experiment->own, value);
        visit(user, &keys[k], value);
    }
    for (size_t k = 0; k < params_table.n; k++) {
        key_get(&params_table.keys[k], &experiment->learner, value);
        visit(user, &params_table.keys[k], value);
    }
}

/* ---- keys ---- */

/* The key and the struct it is a field of; not those that an experiment decides by itself. */
static tacos_status find(const Experiment *experiment, const char *name, const Key **key,
                         const void **fields, tacos_error *err) {
    if (experiment_derives(name))
        return failure(err, TACOS_INVALID,
                       "%s is not a key of an experiment: it follows from the data set and tasks",
                       name);
    *fields = &experiment->own;
    *key = keys_find(experiment_table, name);
    if (*key)
        return TACOS_OK;
    *fields = &experiment->learner;
    *key = keys_find(params_table, name);
    if (*key)
        return TACOS_OK;
    const KeyTable tables[] = {experiment_table, params_table};
    return keys_fail_unknown(tables, 2, experiment_derives, name, err);
}

/* A name goes into paths. */
static tacos_status check_dataset(const char *name, tacos_error *err) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strlen(name);
    if (n > 0 && n < DATASET_NAME_SIZE && strspn(name, letters) == n && name[0] != '.')
        return TACOS_OK;
    return failure(err, TACOS_INVALID,
                   "dataset = %.80s: it must be 1 to %d letters, digits, points and dashes", name,
                   DATASET_NAME_SIZE - 1);
}

tacos_status experiment_set(Experiment *experiment, const char *name, const char *value,
                            tacos_error *err) {
    const Key *key;
    const void *fields;
    Tasks tasks;
    TRY(find(experiment, name, &key, &fields, err));
    if (strcmp(name, "tasks") == 0)
        TRY(tasks_parse(&tasks, value, err));
    if (strcmp(name, "dataset") == 0)
        TRY(check_dataset(value, err));
    void *writable = fields == &experiment->own ? (void *)&experiment->own : &experiment->learner;
    return key_set(key, writable, value, err);
}

tacos_status experiment_get(const Experiment *experiment, const char *name, char *buf, size_t size,
                            tacos_error *err) {
    const Key *key;
    const void *fields;
    char value[KEY_VALUE_SIZE];
    if (size > 0)
        buf[0] = '\0';
    TRY(find(experiment, name, &key, &fields, err));
    key_get(key, fields, value);
    return text_give(value, buf, size, err);
}

/* ---- digest ---- */

enum { DIGEST_TEXT_SIZE = 16384 };

typedef struct DigestText {
    size_t n;
    char text[DIGEST_TEXT_SIZE];
} DigestText;

static void add_line(DigestText *out, const char *key, const char *value) {
    int n = snprintf(out->text + out->n, sizeof out->text - out->n, "%s=%s\n", key, value);
    assert(n > 0 && (size_t)n < sizeof out->text - out->n);
    out->n += (size_t)n;
}

/* A default is compared as the value it stands for, not as it is written. */
static void add_keys(DigestText *out, KeyTable table, const void *fields, void *defaults) {
    char value[KEY_VALUE_SIZE], normal[KEY_VALUE_SIZE];
    keys_defaults(table, defaults);
    for (size_t k = 0; k < table.n; k++) {
        key_get(&table.keys[k], fields, value);
        key_get(&table.keys[k], defaults, normal);
        if (!experiment_derives(table.keys[k].name) && strcmp(value, normal) != 0)
            add_line(out, table.keys[k].name, value);
    }
}

void experiment_digest(const Experiment *experiment, char hex[SHA256_HEX_SIZE]) {
    DigestText out = {.n = 0};
    ExperimentParams own;
    Params learner;
    add_line(&out, "engine", ENGINE_EPOCH);
    add_keys(&out, experiment_table, &experiment->own, &own);
    add_keys(&out, params_table, &experiment->learner, &learner);
    sha256_bytes(out.text, out.n, hex);
}

/* ---- built-in experiments ---- */

static const Builtins builtins = {"", "experiment"};

bool experiment_builtin(size_t i, tacos_experiment_info *out) {
    return builtin_get(&builtins, i, out);
}

/* ---- open ---- */

static tacos_status set_line(void *user, const char *key, const char *value, tacos_error *err) {
    return experiment_set(user, key, value, err);
}

tacos_status experiment_open(Experiment **out, const char *name_or_path, tacos_error *err) {
    const char *builtin = builtin_find(&builtins, name_or_path);
    char *text = NULL;
    if (!builtin && !builtin_is_path(name_or_path))
        return builtin_fail(&builtins, name_or_path, err);
    if (!builtin)
        TRY(input_read_text(name_or_path, CONF_MAX, &text, err));
    Experiment *experiment = calloc(1, sizeof *experiment);
    if (!experiment) {
        free(text);
        return failure(err, TACOS_MEMORY, "no memory for an experiment");
    }
    keys_defaults(experiment_table, &experiment->own);
    params_defaults(&experiment->learner);
    tacos_status status = builtin_name(&builtins, name_or_path, experiment->name, err);
    if (status == TACOS_OK)
        status = keys_parse(builtin ? builtin : text, name_or_path, set_line, experiment, err);
    free(text);
    if (status == TACOS_OK)
        *out = experiment;
    else
        free(experiment);
    return status;
}
