/* unused.c - notes which keys have no effect. */
#include "output/unused.h"

#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

void unused_add(Unused *unused, const char *key) {
    for (size_t i = 0; i < unused->n; i++)
        if (strcmp(unused->keys[i], key) == 0)
            return;
    if (unused->n < UNUSED_MAX)
        (void)snprintf(unused->keys[unused->n++], sizeof *unused->keys, "%s", key);
}

void unused_settings(Unused *unused, const OptionList *settings, UsesKey *uses, const void *user) {
    for (size_t i = 0; i < settings->n; i++) {
        char key[sizeof *unused->keys];
        (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(settings->items[i], "="),
                       settings->items[i]);
        if (!uses(user, key))
            unused_add(unused, key);
    }
}

void unused_report(const Unused *unused, const char *where, const char *name) {
    if (unused->n == 0)
        return;
    fputs("tacos: note: ", stderr);
    for (size_t i = 0; i < unused->n; i++) {
        const char *before = i == 0 ? "" : i + 1 < unused->n ? ", " : " and ";
        print_to(stderr, "%s%s", before, unused->keys[i]);
    }
    print_to(stderr, " %s no effect %s%s\n", unused->n == 1 ? "has" : "have", where, name);
}

static int learner_uses(const void *learner, const char *key) {
    return tacos_learner_uses_key(learner, key);
}

void unused_report_learner(const OptionList *settings, const tacos_learner *learner) {
    Unused unused = {0};
    char model[64] = "";
    unused_settings(&unused, settings, learner_uses, learner);
    (void)tacos_learner_get(learner, "model", model, sizeof model, NULL);
    unused_report(&unused, "with model=", model);
}
