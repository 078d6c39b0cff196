/* cli.h - what the commands share. stdout is data, stderr is for people; exit 0 ok, 1 failure,
 * 2 usage. The commands are clients of tacos.h like any other program. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "tacos.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    const char *about;
    const char *usage; /* for `tacos help NAME` */
    int spreads;       /* over the processes that mpirun or srun started: crew.h */
} Command;

/* Ends with a row whose name is NULL. */
extern const Command commands[];

int cmd_bench(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_data(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* The row of a command, or NULL. */
const Command *cli_command(const char *name);

/* Print an error; returns EXIT_USAGE if what was asked for is wrong, else EXIT_FAILED. */
int cli_fail(const tacos_error *err);

/* If a data set is not there, print how to obtain it. */
void cli_hint_data(const char *dataset, const char *data_dir);

/* The same for the data set, if any, that an error says is missing. */
void cli_hint_missing(const tacos_error *err, const char *data_dir);

/* Print a usage error and how to get help; returns EXIT_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
