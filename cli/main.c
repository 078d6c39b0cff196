/* main.c - the table of commands, dispatch, and error messages. */
#include "cli.h"

#include "cluster.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- commands ---- */

const char commands_about[] =
    "spiking networks that learn one task after another and keep the old ones";

const Example commands_first_steps[] = {
    {"tacos learn m --new <train.csv", "learn a table of your own, line by line"},
    {"tacos run demo", "learn five tasks of built-in symbols"},
    {"tacos run demo --set model=snn", "the same without protection: see it forget"},
    {"tacos data get mnist", "download MNIST"},
    {"tacos run split-mnist --seeds 3", "learn it, with three seeds"},
    {NULL, NULL},
};

const char *const command_groups[GROUP_COUNT] = {
    [GROUP_RUNS] = "run experiments",
    [GROUP_LEARNER] = "train and use a learner",
    [GROUP_RESULTS] = "view results",
    [GROUP_MACHINE] = "data sets and speed",
    [GROUP_SELF] = "help",
};

/* One per line, so that additions merge easily. */
/* clang-format off */
static const Command *const commands[] = {
    &command_run,
    &command_sweep,
    &command_reproduce,
    &command_learn,
    &command_predict,
    &command_evaluate,
    &command_encode,
    &command_inspect,
    &command_merge,
    &command_export,
    &command_import,
    &command_compare,
    &command_report,
    &command_plot,
    &command_data,
    &command_bench,
    &command_help,
    &command_completion,
    &command_version,
    NULL,
};
/* clang-format on */

const Command *cli_command_at(size_t i) {
    for (const Command *const *c = commands; *c; c++)
        if (i-- == 0)
            return *c;
    return NULL;
}

const Command *cli_command(const char *name) {
    const Command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static int cmd_version(int argc, char **argv) {
    int code = EXIT_OK;
    if (!options_read(&command_version, NULL, NULL, argc, argv, &code))
        return code;
    print("tacos %s\n", tacos_version());
    return EXIT_OK;
}

const Command command_version = {
    .name = "version",
    .group = GROUP_SELF,
    .run = cmd_version,
    .about = "print the version",
    .arguments = {0, 0, "no arguments"},
    .synopsis = "",
    .text = "Prints the name and the version of the program, as `tacos --version` does.",
};

/* ---- errors ---- */

static void print_error(const char *format, va_list args) {
    style_print(stderr, STYLE_ERROR, "tacos:");
    fputc(' ', stderr);
    print_va(stderr, format, args);
    fputc('\n', stderr);
}

void cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_error(format, args);
    va_end(args);
}

int cli_fail(const tacos_error *err) {
    tacos_status s = err->status;
    cli_error("%s", err->text);
    return s == TACOS_INVALID || s == TACOS_UNKNOWN || s == TACOS_RANGE ? EXIT_USAGE : EXIT_FAILED;
}

int cli_no_memory(const char *what) {
    cli_error("no memory for %s", what);
    return EXIT_FAILED;
}

void cli_hint_data(const char *dataset, const char *data_dir) {
    if (tacos_data_verify(dataset, data_dir, NULL, NULL) == TACOS_MISSING)
        print_to(stderr, "`tacos data get %s%s%s` downloads the data set\n", dataset,
                 data_dir ? " --data " : "", data_dir ? data_dir : "");
}

int cli_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_error(format, args);
    va_end(args);
    if (command)
        print_to(stderr, "`tacos help %s` explains the command\n", command);
    else
        fputs("`tacos help` lists the commands\n", stderr);
    return EXIT_USAGE;
}

int cli_unknown(const char *command, const char *what, NameKind kind, const char *name) {
    enum { LISTED_MAX = 8 };
    char all[LISTED_MAX * sizeof(Name)] = "";
    Name known;
    size_t n = 0, used = 0;
    if (name_nearest(kind, name, &known))
        return cli_usage(command, "%s '%s'; the nearest is '%s'", what, name, known.name);
    for (; n <= LISTED_MAX && name_get(kind, n, &known); n++)
        if (n < LISTED_MAX)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", n > 0 ? ", " : "",
                                     known.name);
    if (n > 0 && n <= LISTED_MAX)
        return cli_usage(command, "%s '%s'; known are %s", what, name, all);
    return cli_usage(command, "%s '%s'", what, name);
}

/* ---- dispatch ---- */

static int unknown_option(const char *word) {
    static const char *const names[] = {"--color", "--help", "--version", NULL};
    const char *near = tacos_nearest(word, names);
    if (near)
        return cli_usage(NULL, "unknown option %s; the nearest is %s", word, near);
    return cli_usage(NULL, "unknown option %s", word);
}

/* Read the options before the command; *at is the first argument after them. False if there is
 * nothing to do but exit with *code. */
static int read_options(int argc, char **argv, int *at, int *code) {
    static const char color[] = "--color";
    enum { N = sizeof color - 1 };
    *code = EXIT_OK;
    for (; *at < argc && strncmp(argv[*at], color, N) == 0 && *code == EXIT_OK; ++*at) {
        const char *rest = argv[*at] + N;
        if (*rest == '=')
            *code = options_set_color(NULL, rest + 1);
        else if (*rest)
            *code = unknown_option(argv[*at]);
        else if (*at + 1 < argc)
            *code = options_set_color(NULL, argv[++*at]);
        else
            *code = cli_usage(NULL, "%s requires a value", color);
    }
    return *code == EXIT_OK;
}

static int dispatch(int argc, char **argv) {
    char *alone[] = {"help", NULL};
    int at = 1, code = EXIT_OK;
    if (!read_options(argc, argv, &at, &code))
        return code;
    const char *word = argv[at];
    if (!word) {
        (void)command_help.run(1, alone);
        return EXIT_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return command_help.run(1, alone);
    if (strcmp(word, "--version") == 0)
        return command_version.run(1, alone);
    const Command *command = cli_command(word);
    if (!command)
        return *word == '-' ? unknown_option(word)
                            : cli_unknown(NULL, "unknown command", NAME_COMMAND, word);
    if (command->spreads && !cluster_join(argv, &code))
        return code;
    if (command->member && !cluster_meet(argv, command->member, &code))
        return code;
    code = command->run(argc - at, argv + at);
    cluster_leave();
    return code;
}

int main(int argc, char **argv) {
    /* Exceeding `ulimit -f` is an error to report, not a reason to be killed. */
    (void)signal(SIGXFSZ, SIG_IGN);
    /* Processes that share stderr, as under mpirun, must not mix their lines. */
    (void)setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    terminal_begin();
    int code = dispatch(argc, argv);
    /* Output that could not be written is a failure too. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_error("cannot write to standard output: %s", strerror(errno));
        return code == EXIT_OK ? EXIT_FAILED : code;
    }
    return code;
}
