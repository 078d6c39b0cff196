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

int options_fail(const char *command, const struct option *known, int kind, char **argv) {
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

int options_whole(const char *text, unsigned long min, unsigned long max, unsigned long *out) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
        return -1;
    *out = value;
    return 0;
}
