/* names.c - collects names from the tables of the library and of the command line. */
#include "help/names.h"

#include "cli.h"
#include "tacos_report.h"
#include "tacos_stream.h"

#include <stdio.h>
#include <string.h>

/* ---- each kind ---- */

static int give(Name *out, const char *name, const char *about) {
    (void)snprintf(out->name, sizeof out->name, "%s", name);
    (void)snprintf(out->about, sizeof out->about, "%s", about);
    return 1;
}

static int get_command(size_t i, Name *out) {
    const Command *command = cli_command_at(i);
    return command && give(out, command->name, command->about);
}

static int get_experiment(size_t i, Name *out) {
    tacos_experiment_info info;
    return tacos_experiment_builtin(i, &info) && give(out, info.name, info.about);
}

static int get_plan(size_t i, Name *out) {
    tacos_experiment_info info;
    return tacos_plan_builtin(i, &info) && give(out, info.name, info.about);
}

/* Those of the library, and what cmd_reproduce.c adds to them. */
static int get_part(size_t i, Name *out) {
    static const char *const own[][2] = {
        {"function", "figure 2: plasticity as a function of the weight; needs no runs"},
        {"score",
         "mean absolute difference from the paper, over what it prints for split-MNIST with "
         "one hidden layer"},
        {"all", "all of them"},
    };
    tacos_paper_part part;
    size_t n = 0;
    while (n <= i && tacos_paper_part_get(n, &part))
        n++;
    if (n > i)
        return give(out, part.name, part.about);
    return i - n < sizeof own / sizeof *own && give(out, own[i - n][0], own[i - n][1]);
}

static int get_figure(size_t i, Name *out) {
    tacos_figure_info info;
    return tacos_figure(i, &info) &&
           give(out, info.name, info.of_run ? info.of_run : info.of_reproduction);
}

static int get_model(size_t i, Name *out) {
    tacos_model_info model;
    char about[256];
    if (!tacos_model(i, &model))
        return 0;
    (void)snprintf(about, sizeof about, "%s%s", model.about,
                   model.told_tasks ? "; needs task boundaries" : "");
    return give(out, model.name, about);
}

static int get_key(size_t i, Name *out) {
    tacos_key_info key;
    return tacos_key(i, &key) && give(out, key.name, key.doc);
}

static int get_preset(size_t i, Name *out) {
    tacos_preset_info preset;
    return tacos_preset(i, &preset) && give(out, preset.name, preset.about);
}

static int get_stream_key(size_t i, Name *out) {
    tacos_classifier_key_info key;
    return tacos_classifier_key(i, &key) && give(out, key.name, key.about);
}

static int get_dataset(size_t i, Name *out) {
    const tacos_data_info *set = tacos_data_set(i);
    return set && give(out, set->name, set->about);
}

static int get_case(size_t i, Name *out) {
    const char *name = tacos_bench_name(i);
    return name && give(out, name, "");
}

/* Names that are ours alone, by kind; a list ends with NULL. */
enum { OWN_MAX = 7 };
static const char *const own_names[NAME_KINDS][OWN_MAX][2] = {
    [NAME_SHELL] = {{"bash", ""}, {"zsh", ""}, {"fish", ""}},
    [NAME_WHEN] = {{"auto", "on a terminal"}, {"always", ""}, {"never", ""}},
    [NAME_DEVICE] = {{"cpu", "the processor"}, {"cuda", "a GPU"}},
    [NAME_YES_NO] = {{"yes", ""}, {"no", ""}},
    [NAME_LIST] = {{"keys", "every key, with its default"},
                   {"stream-keys", "keys of classifiers, which experiments do not have"},
                   {"presets", "the settings of tacos learn, by name"},
                   {"models", "the values of the key `model`"},
                   {"experiments", "the built-in experiments"},
                   {"plans", "the built-in plans of tacos sweep"}},
};

static int get_own(NameKind kind, size_t i, Name *out) {
    const char *const *own = i < OWN_MAX ? own_names[kind][i] : NULL;
    return own && own[0] && give(out, own[0], own[1]);
}

static size_t count(NameKind kind) {
    Name name;
    size_t n = 0;
    while (name_get(kind, n, &name))
        n++;
    return n;
}

/* Whatever help knows something about. */
static int get_topic(size_t i, Name *out) {
    static const NameKind kinds[] = {NAME_COMMAND, NAME_LIST, NAME_EXPERIMENT, NAME_PLAN,
                                     NAME_MODEL,   NAME_KEY,  NAME_STREAM_KEY, NAME_PRESET};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = count(kinds[k]);
        if (i < n)
            return name_get(kinds[k], i, out);
        i -= n;
    }
    return 0;
}

/* ---- all kinds ---- */

static int (*const getters[NAME_KINDS])(size_t i, Name *out) = {
    [NAME_COMMAND] = get_command, [NAME_EXPERIMENT] = get_experiment,
    [NAME_PLAN] = get_plan,       [NAME_PART] = get_part,
    [NAME_MODEL] = get_model,     [NAME_KEY] = get_key,
    [NAME_DATASET] = get_dataset, [NAME_CASE] = get_case,
    [NAME_TOPIC] = get_topic,     [NAME_FIGURE] = get_figure,
    [NAME_PRESET] = get_preset,   [NAME_STREAM_KEY] = get_stream_key,
};

int name_get(NameKind kind, size_t i, Name *out) {
    return getters[kind] ? getters[kind](i, out) : get_own(kind, i, out);
}

int name_find(NameKind kind, const char *name, Name *out) {
    for (size_t i = 0; name_get(kind, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return 1;
    return 0;
}

int name_nearest(NameKind kind, const char *word, Name *out) {
    Name next;
    int found = 0;
    for (size_t i = 0; name_get(kind, i, &next); i++) {
        /* Of the nearest so far and the next one, the nearer. */
        const char *names[] = {found ? out->name : next.name, found ? next.name : NULL, NULL};
        const char *near = tacos_nearest(word, names);
        if (near == next.name)
            *out = next;
        found = found || near;
    }
    return found;
}

int name_is_file(NameKind kind) {
    return kind == NAME_FILE || kind == NAME_EXPERIMENT || kind == NAME_PLAN;
}

int name_widest(NameKind kind) {
    Name name;
    size_t width = 0;
    for (size_t i = 0; name_get(kind, i, &name); i++)
        if (strlen(name.name) > width)
            width = strlen(name.name);
    return (int)width;
}
