/* cmd_help.c - help from the same tables that the program works by. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static int help_overview(void) {
    puts("tacos - spiking networks that learn one task after another and keep the old ones\n\n"
         "usage: tacos COMMAND [arguments]\n");
    for (const Command *c = commands; c->name; c++)
        printf("  %-9s %s\n", c->name, c->about);
    puts("\nFirst steps:\n"
         "  tacos run demo                      learn five tasks of built-in symbols\n"
         "  tacos run demo --set model=snn      the same without protection: see it forget\n"
         "  tacos data get mnist && tacos run split-mnist --seeds 3");
    return EXIT_OK;
}

static void print_range(const tacos_key_info *key) {
    if (key->choices[0])
        printf("%s", key->choices);
    else if (key->min != key->max)
        printf("%.12g to %.12g%s%s", key->min, key->max, key->unit[0] ? " " : "", key->unit);
    else
        printf("%s", key->type);
}

static int help_keys(void) {
    tacos_key_info key;
    printf("%-22s %-10s %-20s %s\n", "key", "symbol", "default", "what it is");
    for (size_t i = 0; tacos_key(i, &key); i++) {
        char value[64];
        (void)snprintf(value, sizeof value, "%s%s%s", key.default_value, key.unit[0] ? " " : "",
                       key.unit);
        if (!key.derived)
            printf("%-22s %-10s %-20s %s\n", key.name, key.symbol, value, key.doc);
    }
    return EXIT_OK;
}

static int help_key(const tacos_key_info *key) {
    printf("%s: %s\n", key->name, key->doc);
    if (key->symbol[0])
        printf("  in the paper  %s\n", key->symbol);
    printf("  default       %s%s%s\n", key->default_value, key->unit[0] ? " " : "", key->unit);
    fputs("  range         ", stdout);
    print_range(key);
    putchar('\n');
    if (key->derived)
        puts("  A learner's key; in an experiment it follows from the data set and the tasks.");
    return EXIT_OK;
}

static int help_models(void) {
    tacos_model_info model;
    for (size_t i = 0; tacos_model(i, &model); i++)
        printf("%-19s %-7s %s%s\n", model.name, model.spiking ? "spiking" : "rival", model.about,
               model.told_tasks ? "; is told of tasks" : "");
    return EXIT_OK;
}

/* Files inside the program: a list of each kind, and each file by its name. */
static const struct {
    const char *topic;
    int (*get)(size_t i, tacos_experiment_info *out);
} lists[] = {{"experiments", tacos_experiment_builtin}, {"plans", tacos_plan_builtin}};
enum { N_LISTS = sizeof lists / sizeof *lists };

static int help_list(size_t list) {
    tacos_experiment_info info;
    for (size_t i = 0; lists[list].get(i, &info); i++)
        printf("%-14s %s\n", info.name, info.about);
    return EXIT_OK;
}

/* True if there is one of this name. */
static int help_file(const char *name) {
    tacos_experiment_info info;
    for (size_t l = 0; l < N_LISTS; l++)
        for (size_t i = 0; lists[l].get(i, &info); i++)
            if (strcmp(info.name, name) == 0) {
                fputs(info.text, stdout);
                return 1;
            }
    return 0;
}

static int help_unknown(const char *topic) {
    enum { TOPICS_MAX = 128 };
    const char *topics[TOPICS_MAX + 1] = {"keys", "models"};
    size_t n = 2, n_files = 0;
    tacos_key_info key;
    tacos_experiment_info info[32];
    for (size_t l = 0; l < N_LISTS; l++) {
        topics[n++] = lists[l].topic;
        for (size_t i = 0; n_files < sizeof info / sizeof *info && lists[l].get(i, &info[n_files]);
             i++)
            topics[n++] = info[n_files++].name;
    }
    for (const Command *c = commands; c->name && n < TOPICS_MAX; c++)
        topics[n++] = c->name;
    for (size_t i = 0; tacos_key(i, &key) && n < TOPICS_MAX; i++)
        topics[n++] = key.name;
    const char *near = tacos_nearest(topic, topics);
    if (near)
        return cli_usage(NULL, "no help on '%s'; the nearest is '%s'", topic, near);
    return cli_usage(NULL, "no help on '%s'", topic);
}

int cmd_help(int argc, char **argv) {
    tacos_key_info key;
    if (argc < 2)
        return help_overview();
    if (argc > 2)
        return cli_usage("help", "help takes one topic");
    const char *topic = argv[1];
    const Command *command = cli_command(topic);
    if (command) {
        fputs(command->usage, stdout);
        return EXIT_OK;
    }
    if (strcmp(topic, "keys") == 0)
        return help_keys();
    if (strcmp(topic, "models") == 0)
        return help_models();
    for (size_t l = 0; l < N_LISTS; l++)
        if (strcmp(topic, lists[l].topic) == 0)
            return help_list(l);
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (strcmp(key.name, topic) == 0)
            return help_key(&key);
    return help_file(topic) ? EXIT_OK : help_unknown(topic);
}
