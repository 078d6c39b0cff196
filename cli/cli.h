/* cli.h - what the commands share. stdout is data, stderr is for people; exit 0 ok, 1 failure,
 * 2 usage. The commands are clients of tacos.h like any other program. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "options.h"
#include "tacos.h"

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
    WordKind word;         /* what may follow */
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
    WordKind word;                 /* what its words are */
    const char *word_title;        /* list them all under this heading; NULL: do not */
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
