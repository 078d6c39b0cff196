/* run.c - `tacos run`: runs an experiment. */
#include "cli.h"

#include "cluster.h"
#include "output/results.h"
#include "system/files.h"
#include "system/process.h"
#include "tacos_report.h"
#include "terminal/print.h"
#include "terminal/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHECKPOINT_EVERY = 10000 };

typedef struct RunArgs {
    const char *experiment, *out, *data;
    OptionList sets;                 /* "key=value" */
    unsigned long seeds, seed, jobs; /* 0: not given, but for seed: NO_SEED */
    unsigned long checkpoint_every;
    int force, no_page, quiet;
} RunArgs;

#define NO_SEED ((unsigned long)UINT32_MAX + 1)

#define AT(field) offsetof(RunArgs, field)

static const Option table[] = {
    LIST_OPTION("set", "KEY=VALUE", NAME_SETTING, AT(sets),
                "set a key (`tacos help keys`); may be repeated"),
    WHOLE_OPTION("seeds", "N", 1, TACOS_SEEDS_MAX, AT(seeds), "run seeds 1 to N"),
    WHOLE_OPTION("seed", "K", 0, UINT32_MAX, AT(seed), "run seed K alone (default: 1)"),
    OPTION_JOBS(AT(jobs)),
    TEXT_OPTION(
        "out", "DIR", NAME_FOLDER, AT(out),
        "folder for the results and report.html (default: a new, dated folder under results/); a "
        "folder that already has some of these runs is resumed"),
    WHOLE_OPTION(
        "checkpoint-every", "N", 0, UINT32_MAX, AT(checkpoint_every),
        "save a checkpoint to resume from after every N samples of a run (default: 10000; 0 for "
        "none)"),
    FLAG_OPTION("force", AT(force), "start over even if the folder is not empty"),
    FLAG_OPTION("no-page", AT(no_page),
                "do not write report.html, the page that `tacos report` writes"),
    OPTION_DATA(AT(data)),
    OPTION_QUIET(AT(quiet)),
    OPTION_END,
};

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, RunArgs *args, int *code) {
    *args = (RunArgs){.seed = NO_SEED, .checkpoint_every = CHECKPOINT_EVERY};
    if (!options_read(&command_run, table, args, argc, argv, code))
        return 0;
    if (args->seeds && args->seed != NO_SEED)
        *code = cli_usage("run", "--seeds and --seed cannot be combined");
    args->experiment = argv[optind];
    return *code == EXIT_OK;
}

static tacos_status set_key(void *experiment, const char *key, const char *value,
                            tacos_error *err) {
    return tacos_experiment_set(experiment, key, value, err);
}

/* Create results/NAME-DATE-TIME, with a number appended if it exists: programs that start in the
 * same second each get their own. */
static int claim_folder(const char *name, char *out, size_t size) {
    char date[32];
    struct tm local;
    time_t now = time(NULL);
    (void)localtime_r(&now, &local);
    (void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    if (mkdir("results", 0777) != 0 && errno != EEXIST)
        return -1;
    (void)snprintf(out, size, "results/%s-%s", name, date);
    for (int k = 2; mkdir(out, 0777) != 0; k++) {
        if (errno != EEXIST)
            return -1;
        (void)snprintf(out, size, "results/%s-%s-%d", name, date, k);
    }
    return 0;
}

/* How to go on after an error, which the library cannot know. */
static void print_hint(const tacos_experiment *experiment, const RunArgs *args,
                       tacos_status status) {
    char dataset[64];
    if (status == TACOS_EXISTS)
        fputs("--force starts over in it, --out names another folder\n", stderr);
    if (status == TACOS_MISSING &&
        tacos_experiment_get(experiment, "dataset", dataset, sizeof dataset, NULL) == TACOS_OK)
        cli_hint_data(dataset, args->data);
}

/* The run is valid without its page, so a failure is only reported. */
static void write_page(const char *out_dir) {
    char path[PATH_SIZE];
    tacos_error err = {0};
    if (folder_path(path, out_dir, "report.html") != 0)
        return;
    if (tacos_report_write(&out_dir, 1, path, &err) == TACOS_OK)
        print("%s\n", path);
    else
        cli_error("%s", err.text);
}

static void warn_if_silent(const tacos_results *results) {
    tacos_summary silent;
    if (tacos_results_summary(results, "silent", &silent, NULL) == TACOS_OK &&
        is_silent(silent.mean))
        silent_warn(silent.mean);
}

static int finish(const tacos_experiment *experiment, const RunArgs *args,
                  const tacos_results *results, const char *out_dir, tacos_status status,
                  const tacos_error *err) {
    if (results) {
        if (results_print(experiment, results) != 0)
            (void)cli_no_memory("the table");
        putchar('\n');
        if (!args->no_page)
            write_page(out_dir);
        print("%s/results.json\n", out_dir);
        (void)fflush(stdout); /* a warning comes last */
        warn_if_silent(results);
    }
    if (status == TACOS_OK)
        return EXIT_OK;
    if (status == TACOS_INTERRUPTED) {
        cli_error("interrupted; %zu complete run(s) kept%s%s", tacos_results_count(results),
                  results ? " in " : "", results ? out_dir : "");
        return EXIT_FAILED;
    }
    int code = cli_fail(err);
    print_hint(experiment, args, status);
    return code;
}

static int run(const tacos_experiment *experiment, const RunArgs *args) {
    char folder[512];
    uint32_t seeds[TACOS_SEEDS_MAX];
    Progress progress;
    Interrupt guard;
    tacos_results *results = NULL;
    tacos_error err = {0};
    if (!args->out && claim_folder(tacos_experiment_name(experiment), folder, sizeof folder) != 0) {
        cli_error("cannot create a folder under results: %s", strerror(errno));
        return EXIT_FAILED;
    }
    for (unsigned long i = 0; i < args->seeds; i++)
        seeds[i] = (uint32_t)i + 1;
    if (!args->seeds)
        seeds[0] = args->seed == NO_SEED ? 1 : (uint32_t)args->seed;
    tacos_run_options options = {
        .data_dir = args->data,
        .out_dir = args->out ? args->out : folder,
        .checkpoint_every = args->checkpoint_every,
        .force = args->force,
        .seeds = seeds,
        .n_seeds = args->seeds ? args->seeds : 1,
        .n_jobs = (unsigned)args->jobs,
        .cluster = cluster_get(),
        .progress = progress_show,
        .user = &progress,
    };
    progress_begin(&progress, args->quiet);
    interrupt_begin(&guard);
    tacos_status status = tacos_experiment_run(experiment, &options, &results, &err);
    progress_end(&progress);
    int code = finish(experiment, args, results, options.out_dir, status, &err);
    if (!args->out && !results)
        (void)rmdir(folder); /* claimed for nothing */
    tacos_results_free(results);
    interrupt_end(&guard);
    return code;
}

static int cmd_run(int argc, char **argv) {
    RunArgs args;
    tacos_experiment *experiment = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    if (tacos_experiment_open(&experiment, args.experiment, &err) != TACOS_OK)
        return cli_fail(&err);
    code = settings_apply("run", &args.sets, set_key, experiment);
    if (code == EXIT_OK)
        code = run(experiment, &args);
    tacos_experiment_free(experiment);
    return code;
}

static const Example examples[] = {
    {"tacos run demo", "learn five tasks of built-in symbols"},
    {"tacos run demo --set model=snn", "the same without protection: see it forget"},
    {"tacos run split-mnist --seeds 5 --set m_max=50 --out runs/m50", "five seeds, into a folder"},
    {NULL, NULL},
};

const Command command_run = {
    .name = "run",
    .group = GROUP_RUNS,
    .run = cmd_run,
    .spreads = 1,
    .about = "run an experiment and write its results",
    .arguments = {1, 1, "one experiment; `tacos help experiments` lists the built-in ones"},
    .synopsis = "EXPERIMENT [options]",
    .text = "EXPERIMENT is a built-in name or a .conf file. Learns a stream of tasks, every sample "
            "once, and tests all tasks before the first and after each of them.",
    .argument = NAME_EXPERIMENT,
    .argument_title = "built-in experiments",
    .options = table,
    .more = "Ctrl-C stops it and keeps the complete runs; the same command with `--out` resumes. "
            "Under mpirun or srun the runs are spread over all processes.",
    .examples = examples,
};
