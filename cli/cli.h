/* cli.h - shared by all commands: tables of commands and options, and error reporting.
 *
 * Data go to stdout, messages to stderr. The commands are clients of tacos.h, like any other
 * program. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "help/names.h"
#include "tacos_lab.h"

#include <getopt.h>
#include <stddef.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- options ---- */

/* The values of an option that may be repeated, in order. */
enum { OPTION_LIST_MAX = 256 };
typedef struct OptionList {
    size_t n;
    const char *items[OPTION_LIST_MAX];
} OptionList;

typedef enum OptionKind {
    OPTION_FLAG,  /* int: 1 if given */
    OPTION_TEXT,  /* const char *; the last one counts */
    OPTION_WHOLE, /* unsigned long from min to max */
    OPTION_LIST,  /* OptionList */
} OptionKind;

/* A table of options ends with OPTION_END. Parsing, help, manual pages and completion read it. */
typedef struct Option {
    const char *name; /* without the dashes */
    OptionKind kind;
    NameKind value; /* what its value may be */
    size_t at;      /* offset of its value in the command's struct */
    unsigned long min, max;
    const char *argument; /* the name of its value in help texts, "DIR"; NULL for a flag */
    const char *text;     /* what the option does; `...` is typed literally */
} Option;

#define OPTION_END                                                                                 \
    { NULL, OPTION_FLAG, NAME_ANY, 0, 0, 0, NULL, NULL }

/* Rows of a table; `at` is the offset of the field. */
#define FLAG_OPTION(name, at, text)                                                                \
    { name, OPTION_FLAG, NAME_ANY, at, 0, 0, NULL, text }
#define TEXT_OPTION(name, argument, value, at, text)                                               \
    { name, OPTION_TEXT, value, at, 0, 0, argument, text }
#define LIST_OPTION(name, argument, value, at, text)                                               \
    { name, OPTION_LIST, value, at, 0, 0, argument, text }
#define WHOLE_OPTION(name, argument, min, max, at, text)                                           \
    { name, OPTION_WHOLE, NAME_ANY, at, min, max, argument, text }

/* Rows that several commands have. */
#define OPTION_DATA(at)                                                                            \
    TEXT_OPTION("data", "DIR", NAME_FOLDER, at,                                                    \
                "the data folder (default: $TACOS_DATA, else the user's cache)")
#define OPTION_JOBS(at)                                                                            \
    WHOLE_OPTION("jobs", "N", 1, TACOS_JOBS_MAX, at,                                               \
                 "run N at the same time (default: one per core)")
#define OPTION_QUIET(at) FLAG_OPTION("quiet", at, "show no progress")

/* What every command has: --color and --help. */
extern const Option options_common[];

struct Command;

/* Read the options of a command into its struct `into`. 1 if there is work to do: optind is then
 * the first argument. 0 if not: *code is the exit status. --help (-h) prints the command's help. A
 * command with --out also takes -o. `table` may be NULL for the common options only. */
int options_read(const struct Command *command, const Option *table, void *into, int argc,
                 char **argv, int *code);

/* The option of this name, of a table or a common one, or NULL. */
const Option *option_find(const Option *table, const char *name);

/* --color=WHEN: EXIT_OK, or the exit status after an error message. */
int options_set_color(const char *command, const char *when);

/* Apply every KEY=VALUE of --set by `set`: EXIT_OK, or the exit status after an error message. */
int settings_apply(const char *command, const OptionList *settings,
                   tacos_status (*set)(void *target, const char *key, const char *value,
                                       tacos_error *err),
                   void *target);

/* ---- commands ---- */

/* The heading of `tacos help` under which a command is listed. */
typedef enum CommandGroup {
    GROUP_RUNS,
    GROUP_LEARNER,
    GROUP_RESULTS,
    GROUP_MACHINE,
    GROUP_SELF,
    GROUP_COUNT,
} CommandGroup;

extern const char *const command_groups[GROUP_COUNT];

/* The first argument of some commands: `tacos data get`. A table ends with a name of NULL. */
typedef struct Subcommand {
    const char *name, *about;
    NameKind argument;     /* what may follow */
    const Option *options; /* NULL: those of the command */
} Subcommand;

/* A table ends with a line of NULL. */
typedef struct Example {
    const char *line, *about;
} Example;

/* How many arguments a command takes, and what they are: "one MODEL". NULL: it checks them itself.
 */
typedef struct Arguments {
    int min, max;
    const char *expected;
} Arguments;

/* A command, and all that help, manual pages and completion say about it. In texts a blank line
 * starts a paragraph, other line ends are blanks, and `...` is typed literally. */
typedef struct Command {
    const char *name;
    CommandGroup group;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    int spreads;                       /* over the processes of mpirun or srun: cluster.h */
    int (*member)(void);               /* what all of them but the first do, if they exchange
                                          messages; NULL: nothing */
    const char *about;                 /* a short description */
    const char *synopsis;              /* what follows its name; one line per form */
    const char *text;                  /* the full description */
    Arguments arguments;               /* how many it takes */
    NameKind argument;                 /* what its arguments are */
    const char *argument_title;        /* list all of them under this heading; NULL: do not */
    const Subcommand *subcommands;     /* NULL: none */
    const Option *options;             /* NULL: only the common ones */
    const char *more;                  /* printed below the options; NULL: nothing */
    const Example *examples;
} Command;

/* One per file of commands/; main.c has the order. */
extern const Command command_bench;
extern const Command command_compare;
extern const Command command_completion;
extern const Command command_data;
extern const Command command_encode;
extern const Command command_evaluate;
extern const Command command_export;
extern const Command command_help;
extern const Command command_import;
extern const Command command_inspect;
extern const Command command_learn;
extern const Command command_merge;
extern const Command command_plot;
extern const Command command_predict;
extern const Command command_report;
extern const Command command_reproduce;
extern const Command command_run;
extern const Command command_sweep;
extern const Command command_version;

/* A short description of the program, and the first things to try. */
extern const char commands_about[];
extern const Example commands_first_steps[];

/* The i-th command, or NULL past the end; and the one of this name, or NULL. */
const Command *cli_command_at(size_t i);
const Command *cli_command(const char *name);

/* ---- errors ---- */

/* Print "tacos: " and an error on stderr. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print an error; returns EXIT_USAGE if the request was wrong, else EXIT_FAILED. */
int cli_fail(const tacos_error *err);

/* Report that there is no memory for something; returns EXIT_FAILED. */
int cli_no_memory(const char *what);

/* Print a usage error and how to get help; returns EXIT_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a name that does not exist, with the nearest one that does: "unknown shell 'bahs'".
 */
int cli_unknown(const char *command, const char *what, NameKind kind, const char *name);

/* If a data set is missing, print how to obtain it. */
void cli_hint_data(const char *dataset, const char *data_dir);

#endif
