/* options.c - parses a command's options by its table, and explains errors in them. */
#include "cli.h"

#include "help/help.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 32 };

const Option options_common[] = {
    TEXT_OPTION("color", "WHEN", NAME_WHEN, 0,
                "when to use colours: always, never, or auto (on a terminal)"),
    FLAG_OPTION("help", 0, "explain the command"),
    OPTION_END,
};

const Option *option_find(const Option *table, const char *name) {
    for (const Option *o = table; o && o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return table == options_common ? NULL : option_find(options_common, name);
}

int options_set_color(const char *command, const char *when) {
    if (style_choose(when) == 0)
        return EXIT_OK;
    return cli_usage(command, "--color %s: expected auto, always or never", when);
}

/* ---- errors ---- */

/* The option that getopt rejected: a long one is argv[optind - 1], a short one is a letter. */
static const char *offending_word(char **argv, char *letter) {
    const char *word = argv[optind - 1];
    if (strncmp(word, "--", 2) == 0)
        return word;
    letter[0] = '-';
    letter[1] = (char)optopt;
    letter[2] = '\0';
    return letter;
}

/* Report what getopt_long rejected; `kind` is what it returned. */
static int fail(const char *command, const struct option *known, int kind, char **argv) {
    const char *names[OPTIONS_MAX + 1] = {NULL};
    char letter[3], name[64];
    const char *word = offending_word(argv, letter);
    if (kind == ':')
        return cli_usage(command, "%s requires a value", word);
    for (size_t i = 0; i < OPTIONS_MAX && known[i].name; i++)
        names[i] = known[i].name;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = strncmp(name, "--", 2) == 0 ? tacos_nearest(name + 2, names) : NULL;
    if (near && strcmp(near, name + 2) == 0)
        return cli_usage(command, "%s takes no value", name);
    if (near)
        return cli_usage(command, "unknown option %s; the nearest is --%s", name, near);
    return cli_usage(command, "unknown option %s", name);
}

/* ---- values ---- */

/* A whole number from min to max, and nothing else. */
static int is_whole(const char *text, unsigned long min, unsigned long max, unsigned long *out) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
        return 0;
    *out = value;
    return 1;
}

static int store(const char *command, const Option *option, void *args, const char *value) {
    void *into = (char *)args + option->at;
    OptionList *list;
    switch (option->kind) {
    case OPTION_FLAG:
        *(int *)into = 1;
        break;
    case OPTION_TEXT:
        *(const char **)into = value;
        break;
    case OPTION_WHOLE:
        if (!is_whole(value, option->min, option->max, into))
            return cli_usage(command, "--%s %s: expected a number from %lu to %lu", option->name,
                             value, option->min, option->max);
        break;
    case OPTION_LIST:
        list = into;
        if (list->n == OPTION_LIST_MAX)
            return cli_usage(command, "--%s may be given at most %d times", option->name,
                             OPTION_LIST_MAX);
        list->items[list->n++] = value;
        break;
    }
    return EXIT_OK;
}

/* ---- reading ---- */

static int add_known(struct option *known, int n, const Option *table, int value) {
    for (const Option *o = table; o && o->name && n < OPTIONS_MAX; o++)
        known[n++] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL,
                                     value ? o->name[0] : 0};
    return n;
}

/* `-o FILE` for --out FILE, as compilers have it, where the command has that option. After "--" all
 * are arguments. */
static void expand_short_out(const Option *table, int argc, char **argv) {
    static char out[] = "--out";
    if (!option_find(table, "out"))
        return;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-o") == 0)
            argv[i] = out;
}

static int check_arguments(const Command *command, int argc, char **argv) {
    const Arguments *takes = &command->arguments;
    int n = argc - optind;
    if (!takes->expected || (n >= takes->min && n <= takes->max))
        return EXIT_OK;
    if (n < takes->min)
        return cli_usage(command->name, "expected %s", takes->expected);
    return cli_usage(command->name, "unexpected argument '%s'; expected %s",
                     argv[optind + takes->max], takes->expected);
}

int options_read(const Command *command, const Option *table, void *into, int argc, char **argv,
                 int *code) {
    struct option known[OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
    int which = 0;
    expand_short_out(table, argc, argv);
    (void)add_known(known, add_known(known, 0, table, 0), options_common, 1);
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", known, &which)) != -1;) {
        if (c == 'h') {
            help_command(stdout, command);
            *code = EXIT_OK;
            return 0;
        }
        if (c == 'c')
            *code = options_set_color(command->name, optarg);
        else
            *code = c == 0 ? store(command->name, &table[which], into, optarg)
                           : fail(command->name, known, c, argv);
        if (*code != EXIT_OK)
            return 0;
    }
    *code = table == command->options ? check_arguments(command, argc, argv) : EXIT_OK;
    return *code == EXIT_OK;
}

/* ---- --set ---- */

enum { SETTING_KEY_SIZE = 128 };

/* KEY=VALUE split at the '='; 0, or -1 if it has none. */
static int split(const char *setting, char key[SETTING_KEY_SIZE], const char **value) {
    size_t n = strcspn(setting, "=");
    if (setting[n] != '=' || n >= SETTING_KEY_SIZE)
        return -1;
    memcpy(key, setting, n);
    key[n] = '\0';
    *value = setting + n + 1;
    return 0;
}

int settings_apply(const char *command, const OptionList *settings,
                   tacos_status (*set)(void *target, const char *key, const char *value,
                                       tacos_error *err),
                   void *target) {
    for (size_t i = 0; i < settings->n; i++) {
        char key[SETTING_KEY_SIZE];
        const char *value;
        tacos_error err = {0};
        if (split(settings->items[i], key, &value) != 0)
            return cli_usage(command, "--set %s: expected KEY=VALUE", settings->items[i]);
        if (set(target, key, value, &err) != TACOS_OK)
            return cli_fail(&err);
    }
    return EXIT_OK;
}
