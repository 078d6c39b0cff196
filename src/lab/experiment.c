/* experiment.c - opens experiments by name or file, and sets and digests their keys. */
#include "lab/experiment.h"

#include "base/files.h"
#include "data/catalog/catalog.h"
#include "lab/builtin.h"
#include "net/removed.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONF_MAX = 1 << 20 };

/* Raise this when the same keys give different numbers, or a default changes: old results are then
 * no longer found by their digests. */
#define ENGINE_EPOCH "3"

/* ---- keys ---- */

static tacos_status find(const char *name, ExperimentKey *out, tacos_error *err) {
    if (experiment_derives(name))
        return failure(err, TACOS_INVALID,
                       "%s is not a key of an experiment: it follows from the data set and tasks",
                       name);
    if (experiment_key(name, out))
        return TACOS_OK;
    return keys_fail_unknown(experiment_tables, EXPERIMENT_TABLES, experiment_derives, name, err);
}

/* The name becomes part of paths. */
static tacos_status check_dataset(const char *name, tacos_error *err) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:";
    size_t n = strlen(name);
    if (n > 0 && n < DATASET_NAME_SIZE && strspn(name, letters) == n && name[0] != '.')
        return TACOS_OK;
    return failure(err, TACOS_INVALID,
                   "dataset = %.80s: it must be 1 to %d letters, digits, dots, dashes and colons",
                   name, DATASET_NAME_SIZE - 1);
}

tacos_status tacos_experiment_set(Experiment *experiment, const char *name, const char *value,
                                  tacos_error *err) {
    ExperimentKey found;
    Tasks tasks;
    TRY(removed_refuse(name, value, err));
    TRY(find(name, &found, err));
    if (strcmp(name, "tasks") == 0)
        TRY(tasks_parse(&tasks, value, err));
    if (strcmp(name, "dataset") == 0)
        TRY(check_dataset(value, err));
    return key_set(found.key, (char *)experiment + found.offset, value, err);
}

tacos_status tacos_experiment_get(const Experiment *experiment, const char *name, char *buf,
                                  size_t size, tacos_error *err) {
    ExperimentKey found;
    char value[KEY_VALUE_SIZE];
    if (size > 0)
        buf[0] = '\0';
    TRY(find(name, &found, err));
    key_get(found.key, (const char *)experiment + found.offset, value);
    return text_give(value, buf, size, err);
}

void experiment_draw(Experiment *experiment, uint32_t seed) {
    enum { N = sizeof TASKS_BY_SEED - 1 };
    char *tasks = experiment->params.tasks;
    size_t n = strlen(tasks);
    if (n > N && strcmp(tasks + n - N, TASKS_BY_SEED) == 0)
        (void)snprintf(tasks + n - N, KEY_TEXT_SIZE - (n - N), ":%u", seed);
}

tacos_status experiment_number_tasks(Experiment *experiment, const char *data_dir,
                                     tacos_error *err) {
    char text[KEY_TEXT_SIZE];
    Tasks tasks;
    ClassNames names;
    TRY(experiment_tasks(experiment, &tasks, err));
    if (tasks.n_named == 0)
        return TACOS_OK;
    TRY(dataset_names(&names, experiment->params.dataset, data_dir, err));
    tacos_status status = tasks_number(experiment->params.tasks, &names, text, sizeof text, err);
    class_names_free(&names);
    TRY(status);
    strcpy(experiment->params.tasks, text);
    return experiment_tasks(experiment, &tasks, err); /* 0-cat may be one class twice */
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

typedef struct Digesting {
    DigestText out;
    const Experiment *experiment;
    Experiment defaults;
} Digesting;

static void add_key(void *user, const ExperimentKey *found, const char *value) {
    Digesting *digesting = user;
    if (!experiment_derives(found->key->name) &&
        !experiment_agree(found, digesting->experiment, &digesting->defaults))
        add_line(&digesting->out, found->key->name, value);
}

void experiment_digest(const Experiment *experiment, char hex[SHA256_HEX_SIZE]) {
    Digesting digesting = {.experiment = experiment};
    experiment_defaults(&digesting.defaults);
    add_line(&digesting.out, "engine", ENGINE_EPOCH);
    experiment_visit(experiment, add_key, &digesting);
    sha256_bytes(digesting.out.text, digesting.out.n, hex);
}

/* ---- built-in experiments ---- */

static const Builtins builtins = {"", "experiment"};

int tacos_experiment_builtin(size_t i, tacos_experiment_info *out) {
    return builtin_get(&builtins, i, out);
}

/* ---- open ---- */

static tacos_status set_line(void *user, const char *key, const char *value, tacos_error *err) {
    return tacos_experiment_set(user, key, value, err);
}

tacos_status tacos_experiment_open(Experiment **out, const char *name_or_path, tacos_error *err) {
    *out = NULL;
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
    experiment_defaults(experiment);
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

void tacos_experiment_free(tacos_experiment *experiment) {
    free(experiment);
}

const char *tacos_experiment_name(const tacos_experiment *experiment) {
    return experiment->name;
}
