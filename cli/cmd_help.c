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

static int help_experiments(void) {
    tacos_experiment_info info;
    for (size_t i = 0; tacos_experiment_builtin(i, &info); i++)
        printf("%-14s %s\n", info.name, info.about);
    return EXIT_OK;
}

static int help_unknown(const char *topic) {
    enum { TOPICS_MAX = 128 };
    const char *topics[TOPICS_MAX + 1] = {"keys", "experiments"};
    size_t n = 2;
    tacos_key_info key;
    tacos_experiment_info info[8];
    for (size_t i = 0; i < sizeof info / sizeof *info && tacos_experiment_builtin(i, &info[i]); i++)
        topics[n++] = info[i].name;
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
    tacos_experiment_info info;
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
    if (strcmp(topic, "experiments") == 0)
        return help_experiments();
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (strcmp(key.name, topic) == 0)
            return help_key(&key);
    for (size_t i = 0; tacos_experiment_builtin(i, &info); i++)
        if (strcmp(info.name, topic) == 0) {
            fputs(info.text, stdout);
            return EXIT_OK;
        }
    return help_unknown(topic);
}
