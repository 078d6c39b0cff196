/* key_text.c - keys described in words, and command lines that try a key or a model. */
#include "help/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *key_default(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    (void)snprintf(out, KEY_TEXT_SIZE, "%s%s%s", key->default_value, key->unit[0] ? " " : "",
                   key->unit);
    return out;
}

char *key_range(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    if (key->choices[0])
        (void)snprintf(out, KEY_TEXT_SIZE, "%s", key->choices);
    else if (key->min != key->max)
        (void)snprintf(out, KEY_TEXT_SIZE, "%.12g to %.12g%s%s", key->min, key->max,
                       key->unit[0] ? " " : "", key->unit);
    else
        (void)snprintf(out, KEY_TEXT_SIZE, "%s", key->type);
    return out;
}

const char *key_type(const tacos_key_info *key) {
    static const char *const types[][2] = {
        {"real", "a number"},
        {"count", "a whole number"},
        {"choice", "a choice"},
        {"bound", "a number, or none"},
        {"reals", "a number, or several separated by commas"},
        {"counts", "whole numbers separated by commas, or none"},
        {"text", "text"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], key->type) == 0)
            return types[i][1];
    return key->type;
}

const char *key_owner(const tacos_key_info *key) {
    static const char *const owners[TACOS_KEY_GROUPS] = {
        [TACOS_KEY_EXPERIMENT] = "experiments",
        [TACOS_KEY_LEARNER] = "learners and experiments",
        [TACOS_KEY_COLUMNS] = "learners and experiments with model = columns",
        [TACOS_KEY_FUTURE] = "learners and experiments, beyond the paper",
        [TACOS_KEY_RIVAL] = "rival methods",
    };
    return key->derived ? "learners" : owners[key->group];
}

/* ---- an example: some other value than the default ---- */

/* The first choice that is not the default. */
static void other_choice(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    const char *at = key->choices;
    size_t n = strcspn(at, ",");
    if (n == strlen(key->default_value) && strncmp(at, key->default_value, n) == 0 && at[n]) {
        at += n + 2;
        n = strcspn(at, ",");
    }
    (void)snprintf(out, KEY_TEXT_SIZE, "%.*s", (int)n, at);
}

/* Half of the default, or twice; where it is 0, something small. */
static double other_number(const tacos_key_info *key) {
    double value = strtod(key->default_value, NULL);
    int whole = strncmp(key->type, "count", 5) == 0;
    if (value == 0)
        return !whole ? 0.5 : key->max < 100 ? 1 : 100;
    double half = value / 2;
    int fits = half >= key->min && half <= key->max && (!whole || half == (double)(long)half);
    return fits ? half : 2 * value;
}

char *key_example(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    char value[KEY_TEXT_SIZE];
    if (key->choices[0])
        other_choice(value, key);
    else if (key->min != key->max)
        (void)snprintf(value, sizeof value, "%.12g", other_number(key));
    else
        (void)snprintf(value, sizeof value, "%s", key->default_value);
    (void)snprintf(out, KEY_TEXT_SIZE, "%s=%.150s", key->name, value);
    return out;
}

/* Keys that have no effect without another setting. */
static const char *const group_settings[TACOS_KEY_GROUPS] = {
    [TACOS_KEY_COLUMNS] = "model=columns",
};

typedef struct ExampleSettings {
    const char *name;  /* of a key or a model */
    const char *with;  /* other settings, "key=value" with blanks between; NULL: none */
    const char *value; /* of the key; NULL: any other than the default */
} ExampleSettings;

#define BGD "model=bgd batch=16"
#define SS  "model=ss batch=16 epochs=5 optimizer_rate=0.01"
#define FLY "model=fly hidden=2000"

static const ExampleSettings key_settings[] = {
    {"dt_ms", "steps=300", NULL},
    {"m_max_output", NULL, "5"},
    {"tau_release_ms", NULL, "1000000"},
    {"tend_every", "tau_release_ms=1000000", NULL},
    {"release_error_hz", NULL, "20"},
    {"tau_release_error_ms", "release_error_hz=20", NULL},
    {"release_share", "release_error_hz=20", NULL},
    {"neurogenesis_m", NULL, "0.5"},
    {"neurogenesis_neurons", "neurogenesis_m=0.5", NULL},
    {"rehearsal_means", "rehearsal_every=100", NULL},
    {"rehearsal_rounds", "rehearsal_every=100", NULL},
    {"rehearsal_release", "rehearsal_every=100", NULL},
    {"column_cells", NULL, "6"},
    {"column_window", NULL, "2"},
    {"column_stride", NULL, "1"},
    {"column_places", "permute=pixels", "8"},
    {"column_group", "permute=pixels", "4"},
    {"column_look_cost", "column_looks=5", NULL},
    {"column_looks", NULL, "5"},
    {"optimizer", "model=naive optimizer_rate=0.1", NULL},
    {"optimizer_rate", "model=naive", NULL},
    {"batch", "model=naive", NULL},
    {"epochs", "model=naive", NULL},
    {"iterations", "model=naive", "10"},
    {"pad_to", "model=naive", "32"},
    {"pixel_mean", "model=naive", NULL},
    {"pixel_sd", "model=naive", NULL},
    {"strength", "model=ewc", NULL},
    {"gamma", "model=online-ewc", NULL},
    {"damping", "model=si", NULL},
    {"temperature", "model=lwf", NULL},
    {"sigma_init", BGD, "0.1"},
    {"draws", BGD " sigma_init=0.1", NULL},
    {"keep_init", SS, NULL},
    {"keep_freeze", SS, NULL},
    {"keep_up", SS, NULL},
    {"keep_down", SS, NULL},
    {"keep_gradient", SS, NULL},
    {"features", "model=rls", NULL},
    {"ridge", "model=rls", NULL},
    {"shrinkage", "model=slda", NULL},
    {"rbf_gamma", "model=randumb", NULL},
    {"memory_kb", "model=knn", "50"},
    {"neighbours", "model=knn", "5"},
    {"metric", "model=knn", NULL},
    {"fly_density", FLY, NULL},
    {"fly_active", FLY, NULL},
    {"fly_rate", FLY, NULL},
    {"fly_decay", FLY, "0.001"},
    {NULL, NULL, NULL},
};

static const ExampleSettings model_settings[] = {
    {"fixed", "m_max=5", NULL},
    {"bgd", "batch=16 sigma_init=0.1", NULL},
    {"ss", "batch=16 epochs=5 optimizer_rate=0.01", NULL},
    {"fly", "hidden=2000", NULL},
    {NULL, NULL, NULL},
};

/* That of this name, or the end of the table, which wants nothing. */
static const ExampleSettings *find(const ExampleSettings *table, const char *name) {
    while (table->name && strcmp(table->name, name) != 0)
        table++;
    return table;
}

static void add(char out[EXAMPLE_SIZE], const char *text) {
    size_t n = strlen(out);
    (void)snprintf(out + n, EXAMPLE_SIZE - n, "%s", text);
}

/* " --set" before each of several settings. */
static void add_settings(char out[EXAMPLE_SIZE], const char *settings) {
    char one[EXAMPLE_SIZE];
    for (; settings && *settings; settings += strspn(settings, " ")) {
        size_t n = strcspn(settings, " ");
        (void)snprintf(one, sizeof one, " --set %.*s", (int)n, settings);
        add(out, one);
        settings += n;
    }
}

static char *begin(char out[EXAMPLE_SIZE]) {
    (void)snprintf(out, EXAMPLE_SIZE, "tacos run demo");
    return out;
}

char *key_example_line(char out[EXAMPLE_SIZE], const tacos_key_info *key) {
    const ExampleSettings *trial = find(key_settings, key->name);
    char text[KEY_TEXT_SIZE];
    add_settings(begin(out), group_settings[key->group]);
    add_settings(out, trial->with);
    if (trial->value)
        (void)snprintf(text, sizeof text, "%s=%s", key->name, trial->value);
    else
        (void)key_example(text, key);
    add_settings(out, text);
    return out;
}

char *model_example_line(char out[EXAMPLE_SIZE], const char *model) {
    char text[KEY_TEXT_SIZE];
    (void)snprintf(text, sizeof text, "model=%s", model);
    add_settings(begin(out), text);
    add_settings(out, find(model_settings, model)->with);
    return out;
}

char *stream_key_example(char out[STREAM_EXAMPLE_SIZE], const tacos_classifier_key_info *key) {
    static const char *const values[][2] = {
        {"encoder", "table"},       {"encoder_fields", "8"},  {"encoder_categories", "20"},
        {"encoder_trends", "6,24"}, {"context", "none"},      {"labels_max", "20"},
        {"warm_up", "100"},         {"encoder_window", "32"},
    };
    const char *value = key->default_value;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i][0], key->name) == 0)
            value = values[i][1];
    (void)snprintf(out, STREAM_EXAMPLE_SIZE, "tacos learn m --new --set %s=%s <train.csv",
                   key->name, value);
    return out;
}
