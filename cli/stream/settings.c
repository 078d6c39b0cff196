/* settings.c - a classifier from --preset and --set. */
#include "stream/session.h"

#include "terminal/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of a key of --set, the last one; or NULL. */
static const char *setting(const StreamSettings *settings, const char *key) {
    const char *found = NULL;
    size_t n = strlen(key);
    for (size_t i = 0; i < settings->sets.n; i++)
        if (strncmp(settings->sets.items[i], key, n) == 0 && settings->sets.items[i][n] == '=')
            found = settings->sets.items[i] + n + 1;
    return found;
}

/* The value that a preset has for a key, into out; 0 if it has none. */
static int preset_has(const char *preset, const char *key, char out[64]) {
    tacos_preset_info info;
    char start[80];
    (void)snprintf(start, sizeof start, "%s = ", key);
    for (size_t i = 0; tacos_preset(i, &info); i++) {
        const char *at =
            preset && strcmp(info.name, preset) != 0 ? NULL : strstr(info.settings, start);
        if (at) {
            at += strlen(start);
            (void)snprintf(out, 64, "%.*s", (int)strcspn(at, "\n"), at);
            return 1;
        }
        if (!preset)
            break;
    }
    return 0;
}

/* Another model than that of the preset needs other settings: those of the first preset with a
 * spiking network, of which the others are variants. */
static const char *base_preset(const StreamSettings *settings, int quiet) {
    const char *model = setting(settings, "model");
    char value[64];
    tacos_preset_info info;
    if (!model || settings->preset || strcmp(model, "columns") == 0)
        return settings->preset;
    for (size_t i = 0; tacos_preset(i, &info); i++)
        if (preset_has(info.name, "model", value) && strcmp(value, "columns") != 0) {
            if (!quiet)
                print_to(stderr, "model=%s: with the other settings of preset %s\n", model,
                         info.name);
            return info.name;
        }
    return NULL;
}

static tacos_status set_key(void *classifier, const char *key, const char *value,
                            tacos_error *err) {
    tacos_key_info info;
    tacos_status status = tacos_classifier_set(classifier, key, value, err);
    for (size_t i = 0; status == TACOS_UNKNOWN && tacos_key(i, &info); i++)
        if (strcmp(info.name, key) == 0)
            (void)snprintf(err->text, sizeof err->text,
                           "'%s' is a key of experiments, which a learner does not have", key);
    return status;
}

/* Keys that say nothing with the model that was chosen. */
static void tell_unused(const StreamSettings *settings, const tacos_classifier *classifier) {
    char model[64] = "";
    (void)tacos_classifier_get(classifier, "model", model, sizeof model, NULL);
    if (strcmp(model, "columns") == 0 && setting(settings, "outputs"))
        fputs("outputs follows from the labels, as they come\n", stderr);
    if (strcmp(model, "columns") == 0 && setting(settings, "hidden"))
        fputs("hidden has no effect: model = columns has no hidden layers\n", stderr);
}

int settings_classifier(const char *command, const StreamSettings *settings, int quiet,
                        tacos_classifier **out) {
    tacos_error err = {0};
    tacos_preset_info known;
    *out = NULL;
    size_t i = 0;
    while (settings->preset && tacos_preset(i, &known) && strcmp(known.name, settings->preset) != 0)
        i++;
    if (settings->preset && !tacos_preset(i, &known))
        return cli_unknown(command, "unknown preset", NAME_PRESET, settings->preset);
    if (tacos_classifier_new(out, base_preset(settings, quiet), (uint32_t)settings->seed, &err) !=
        TACOS_OK)
        return cli_fail(&err);
    int code = settings_apply(command, &settings->sets, set_key, *out);
    if (code == EXIT_OK && !quiet)
        tell_unused(settings, *out);
    if (code == EXIT_OK)
        return EXIT_OK;
    tacos_classifier_free(*out);
    *out = NULL;
    return code;
}

/* Whether two classifiers have the same value of a key, which has n letters; if not, why. */
static int same_value(const tacos_classifier *has, const tacos_classifier *wanted, const char *path,
                      const char *key, size_t n) {
    char name[128], is[256] = "", should[256] = "";
    (void)snprintf(name, sizeof name, "%.*s", (int)n, key);
    (void)tacos_classifier_get(has, name, is, sizeof is, NULL);
    (void)tacos_classifier_get(wanted, name, should, sizeof should, NULL);
    if (strcmp(name, "outputs") == 0 || strcmp(is, should) == 0)
        return 1;
    cli_error("%s has %s=%s, not %s", path, name, is, should);
    return 0;
}

static int has_preset(const tacos_classifier *has, const tacos_classifier *wanted, const char *path,
                      const char *preset) {
    tacos_preset_info info;
    for (size_t i = 0; preset && tacos_preset(i, &info); i++)
        for (const char *line = info.settings; strcmp(info.name, preset) == 0 && *line;) {
            if (!same_value(has, wanted, path, line, strcspn(line, " =")))
                return 0;
            line += strcspn(line, "\n");
            line += *line == '\n';
        }
    return 1;
}

int settings_fit(const char *command, const StreamSettings *settings,
                 const tacos_classifier *classifier, const char *path) {
    tacos_classifier *wanted;
    int code = settings_classifier(command, settings, 1, &wanted);
    if (code == EXIT_OK && !has_preset(classifier, wanted, path, settings->preset))
        code = EXIT_USAGE;
    for (size_t i = 0; code == EXIT_OK && i < settings->sets.n; i++) {
        const char *item = settings->sets.items[i];
        if (!same_value(classifier, wanted, path, item, strcspn(item, "=")))
            code = EXIT_USAGE;
    }
    tacos_classifier_free(wanted);
    return code;
}
