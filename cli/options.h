/* options.h - a command's options as a table: what each is called, and where its value goes. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

/* An option that may be given again: its values, in order. */
typedef struct OptionList {
    const char **items; /* [max] */
    size_t n, max;
} OptionList;

typedef enum OptionKind {
    OPTION_FLAG,  /* int: 1 if given */
    OPTION_TEXT,  /* const char *; the last one counts */
    OPTION_WHOLE, /* unsigned long from min to max */
    OPTION_LIST,  /* OptionList */
} OptionKind;

/* A table ends with a row whose name is NULL. */
typedef struct Option {
    const char *name; /* without the dashes */
    OptionKind kind;
    void *into;
    unsigned long min, max;
} Option;

/* Read the options of a command, of which --help (-h) is always one: it prints the usage. 1 if
 * there is work to do: optind is then the first word that is no option. 0 if not: *code is what to
 * exit with. */
int options_read(const char *command, const Option *table, int argc, char **argv, int *code);

#endif
