/* key_example.c - any other value than the default does for most keys. The table has what is needed
 * to see something of the others: a model that has the key, or a value that leaves a network that
 * still learns. tests/cli/examples.bats runs them all. */
#include "help/key_example.h"

#include "help/key_text.h"

#include <stdio.h>
#include <string.h>

typedef struct Trial {
    const char *name;  /* of a key or a model */
    const char *with;  /* other settings, "key=value" with blanks between; NULL: none */
    const char *value; /* of the key; NULL: any other than the default */
} Trial;

#define EXPANDED "expansion=2000 hidden=none"
#define COUNTING "model=counting " EXPANDED " scenario=class"
#define BGD      "model=bgd batch=16"
#define SS       "model=ss batch=16 epochs=5 optimizer_rate=0.01"

static const Trial key_trials[] = {
    {"dt_ms", "steps=300", NULL},
    {"expansion", "hidden=none", "2000"},
    {"expansion_active", EXPANDED, "0.01"},
    {"expansion_steps", EXPANDED, NULL},
    {"expansion_rate_hz", EXPANDED, NULL},
    {"expansion_synapses", EXPANDED, NULL},
    {"use_slope", "model=use " EXPANDED, NULL},
    {"count_prior", COUNTING " output_inhibition=1", NULL},
    {"output_inhibition", COUNTING, "1"},
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
    {NULL, NULL, NULL},
};

static const Trial model_trials[] = {
    {"fixed", "m_max=5", NULL},
    {"use", EXPANDED, NULL},
    {"use+consolidation", EXPANDED, NULL},
    {"counting", EXPANDED " scenario=class output_inhibition=1", NULL},
    {"bgd", "batch=16 sigma_init=0.1", NULL},
    {"ss", "batch=16 epochs=5 optimizer_rate=0.01", NULL},
    {NULL, NULL, NULL},
};

/* That of this name, or the end of the table, which wants nothing. */
static const Trial *find(const Trial *table, const char *name) {
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

char *example_of_key(char out[EXAMPLE_SIZE], const tacos_key_info *key) {
    const Trial *trial = find(key_trials, key->name);
    char text[KEY_TEXT_SIZE];
    add_settings(begin(out), trial->with);
    if (trial->value)
        (void)snprintf(text, sizeof text, "%s=%s", key->name, trial->value);
    else
        (void)key_example(text, key);
    add_settings(out, text);
    return out;
}

char *example_of_model(char out[EXAMPLE_SIZE], const char *model) {
    char text[KEY_TEXT_SIZE];
    (void)snprintf(text, sizeof text, "model=%s", model);
    add_settings(begin(out), text);
    add_settings(out, find(model_trials, model)->with);
    return out;
}
