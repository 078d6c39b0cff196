/* options.h - a command's options as a table: parsing, help, manual pages and completion read it.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "help/names.h"

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

/* A table ends with OPTION_END. */
typedef struct Option {
    const char *name; /* without the dashes */
    OptionKind kind;
    WordKind word; /* what its value may be */
    size_t at;     /* where in the command's struct it goes */
    unsigned long min, max;
    const char *argument; /* what it is called in texts, "DIR"; NULL for a flag */
    const char *text;     /* what the option does; `...` is what is typed */
} Option;

#define OPTION_END                                                                                 \
    { NULL, OPTION_FLAG, WORD_ANY, 0, 0, 0, NULL, NULL }

/* What every command has: --color and --help. */
extern const Option options_common[];

/* KEY=VALUE cut in two; 0, or -1 if it is none. */
enum { SETTING_KEY_SIZE = 128 };
int setting_split(const char *setting, char key[SETTING_KEY_SIZE], const char **value);

struct Command;

/* Read the options of a command into its struct `into`. 1 if there is work to do: optind is then
 * the first word that is no option. 0 if not: *code is what to exit with. --help (-h) prints the
 * command's help. `table` may be NULL for none but the common ones. */
int options_read(const struct Command *command, const Option *table, void *into, int argc,
                 char **argv, int *code);

/* The option of this name, of a table or a common one, or NULL. */
const Option *option_find(const Option *table, const char *name);

/* --color=WHEN: 0, or what to exit with. */
int options_set_color(const char *command, const char *when);

#endif
