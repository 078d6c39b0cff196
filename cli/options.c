/* options.c - getopt says little; this finds the word it meant. */
#include "options.h"

#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 32 };

/* A long option is the word before optind, a short one is a letter. */
static const char *offending_word(char **argv, char *letter) {
    const char *word = argv[optind - 1];
    if (strncmp(word, "--", 2) == 0)
        return word;
    letter[0] = '-';
    letter[1] = (char)optopt;
    letter[2] = '\0';
    return letter;
}

/* What getopt_long did not like; `kind` is what it returned. */
static int fail(const char *command, const struct option *known, int kind, char **argv) {
    const char *names[OPTIONS_MAX + 1] = {NULL};
    char letter[3], name[64];
    const char *word = offending_word(argv, letter);
    if (kind == ':')
        return cli_usage(command, "%s wants a value", word);
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

static int store(const char *command, const Option *option, const char *value) {
    OptionList *list;
    switch (option->kind) {
    case OPTION_FLAG:
        *(int *)option->into = 1;
        break;
    case OPTION_TEXT:
        *(const char **)option->into = value;
        break;
    case OPTION_WHOLE:
        if (!is_whole(value, option->min, option->max, option->into))
            return cli_usage(command, "--%s %s: a number from %lu to %lu is wanted", option->name,
                             value, option->min, option->max);
        break;
    case OPTION_LIST:
        list = option->into;
        if (list->n == list->max)
            return cli_usage(command, "--%s may be given at most %zu times", option->name,
                             list->max);
        list->items[list->n++] = value;
        break;
    }
    return EXIT_OK;
}

int options_read(const char *command, const Option *table, int argc, char **argv, int *code) {
    struct option known[OPTIONS_MAX + 2] = {{NULL, 0, NULL, 0}};
    int n = 0, which = 0;
    for (; n < OPTIONS_MAX && table[n].name; n++)
        known[n] = (struct option){
            table[n].name, table[n].kind == OPTION_FLAG ? no_argument : required_argument, NULL, 0};
    known[n] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", known, &which)) != -1;) {
        if (c == 'h') {
            fputs(cli_command(command)->usage, stdout);
            *code = EXIT_OK;
            return 0;
        }
        *code = c == 0 ? store(command, &table[which], optarg) : fail(command, known, c, argv);
        if (*code != EXIT_OK)
            return 0;
    }
    return 1;
}
