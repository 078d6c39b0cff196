/* cli.h - what the commands share. stdout is data, stderr is for people; exit 0 ok, 1 failure,
 * 2 usage. The commands are clients of tacos.h like any other program. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "help/names.h"
#include "tacos.h"

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
    NameKind value; /* what its value may be */
    size_t at;      /* where in the command's struct it goes */
    unsigned long min, max;
    const char *argument; /* what it is called in texts, "DIR"; NULL for a flag */
    const char *text;     /* what the option does; `...` is what is typed */
} Option;

#define OPTION_END                                                                                 \
    { NULL, OPTION_FLAG, NAME_ANY, 0, 0, 0, NULL, NULL }

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

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Under which heading of `tacos help` a command is listed. */
typedef enum CommandGroup {
    GROUP_RUNS,
    GROUP_LEARNER,
    GROUP_RESULTS,
    GROUP_MACHINE,
    GROUP_SELF,
    GROUP_COUNT,
} CommandGroup;

extern const char *const command_groups[GROUP_COUNT];

/* A word that some commands begin with: `tacos data get`. A table ends with a name of NULL. */
typedef struct Subcommand {
    const char *name, *about;
    NameKind argument;     /* what may follow */
    const Option *options; /* NULL: those of the command */
} Subcommand;

/* A table ends with a line of NULL. */
typedef struct Example {
    const char *line, *about;
} Example;

/* A command, and all that help, manual pages and completion say of it. In texts a blank line begins
 * a paragraph, other ends of lines are blanks, and `...` is what is typed. */
typedef struct Command {
    const char *name;
    CommandGroup group;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    int spreads;                   /* over the processes that mpirun or srun started: cluster.h */
    const char *about;             /* in a few words */
    const char *synopsis;          /* what follows its name; a line for each way to use it */
    const char *text;              /* what it does */
    NameKind argument;             /* what its arguments are */
    const char *argument_title;    /* list them all under this heading; NULL: do not */
    const Subcommand *subcommands; /* NULL: none */
    const Option *options;         /* NULL: none but those that all have */
    const char *more;              /* below the options; NULL: nothing */
    const Example *examples;
} Command;

/* One a file cmd_*.c; commands.c has the order. */
extern const Command command_bench;
extern const Command command_compare;
extern const Command command_completion;
extern const Command command_data;
extern const Command command_export;
extern const Command command_help;
extern const Command command_import;
extern const Command command_inspect;
extern const Command command_learn;
extern const Command command_plot;
extern const Command command_predict;
extern const Command command_report;
extern const Command command_reproduce;
extern const Command command_run;
extern const Command command_sweep;
extern const Command command_version;

/* The program in a few words, and the first things to try. */
extern const char commands_about[];
extern const Example commands_first_steps[];

/* The i-th command, or NULL past the end; and the one of this name, or NULL. */
const Command *cli_command_at(size_t i);
const Command *cli_command(const char *name);

/* Print an error on stderr, a line after "tacos: ". */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print an error; returns EXIT_USAGE if what was asked for is wrong, else EXIT_FAILED. */
int cli_fail(const tacos_error *err);

/* If a data set is not there, print how to obtain it. */
void cli_hint_data(const char *dataset, const char *data_dir);

/* The same for the data set, if any, that an error says is missing. */
void cli_hint_missing(const tacos_error *err, const char *data_dir);

/* Print a usage error and how to get help; returns EXIT_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
