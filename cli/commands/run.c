/* run.c - `tacos run`: runs an experiment. */
#include "cli.h"

#include "cluster.h"
#include "device.h"
#include "output/failure.h"
#include "output/results.h"
#include "output/resume.h"
#include "output/unused.h"
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
    const char *experiment, *out, *data, *device;
    OptionList sets;                 /* "key=value" */
    unsigned long seeds, seed, jobs; /* 0: not given, but for seed: NO_SEED */
    unsigned long checkpoint_every;
    int force, live, no_page, quiet;
    int argc; /* the command line */
    char *const *argv;
} RunArgs;

#define NO_SEED ((unsigned long)UINT32_MAX + 1)

#define AT(field) offsetof(RunArgs, field)

static const Option table[] = {
    LIST_OPTION("set", "KEY=VALUE", NAME_SETTING, AT(sets),
                "set a key (`tacos help keys`); may be repeated"),
    WHOLE_OPTION("seeds", "N", 1, TACOS_SEEDS_MAX, AT(seeds), "run seeds 1 to N"),
    WHOLE_OPTION("seed", "K", 0, UINT32_MAX, AT(seed), "run seed K alone (default: 1)"),
    OPTION_JOBS(AT(jobs)),
    OPTION_DEVICE(AT(device)),
    TEXT_OPTION(
        "out", "DIR", NAME_FOLDER, AT(out),
        "folder for the results and report.html (default: a new, dated folder under results/); a "
        "folder that already has some of these runs is resumed"),
    WHOLE_OPTION(
        "checkpoint-every", "N", 0, UINT32_MAX, AT(checkpoint_every),
        "save a checkpoint to resume from after every N samples of a run (default: 10000; 0 for "
        "none)"),
    FLAG_OPTION("force", AT(force), "start over even if the folder is not empty"),
    FLAG_OPTION("live", AT(live),
                "keep report.html current while it runs: open it, and it reloads itself"),
    FLAG_OPTION("no-page", AT(no_page),
                "do not write report.html, the page that `tacos report` writes"),
    OPTION_DATA(AT(data)),
    OPTION_QUIET(AT(quiet)),
    OPTION_END,
};

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, RunArgs *args, int *code) {
    *args = (RunArgs){
        .seed = NO_SEED, .checkpoint_every = CHECKPOINT_EVERY, .argc = argc, .argv = argv};
    if (!options_read(&command_run, table, args, argc, argv, code))
        return 0;
    if (args->live && args->no_page)
        *code = cli_usage("run", "--live and --no-page cannot be combined");
    if (args->seeds && args->seed != NO_SEED)
        *code = cli_usage("run", "--seeds and --seed cannot be combined");
    args->experiment = argv[optind];
    return *code == EXIT_OK && device_use("run", args->device, code);
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

/* How to continue after an error, which the library cannot know. */
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

static void remove_page(const char *out_dir) {
    char path[PATH_SIZE];
    if (folder_path(path, out_dir, "report.html") == 0)
        (void)unlink(path);
}

/* There is nothing in the folder if there is neither a complete run nor a checkpoint. */
static void report_interrupted(const RunArgs *args, size_t n_complete, const char *out_dir) {
    if (folder_is_empty(out_dir)) {
        cli_error("interrupted; 0 complete run(s) kept");
        return;
    }
    cli_error("interrupted; %zu complete run(s)%s kept in %s", n_complete,
              n_complete == 0 ? " and a checkpoint" : "", out_dir);
    static const char *const without[] = {"force", NULL}; /* it would start over */
    resume_print(&(Resume){.command = "run",
                           .argc = args->argc,
                           .argv = args->argv,
                           .without = without,
                           .out = args->out ? NULL : out_dir});
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
        failure_warn(experiment, results);
    }
    if (!results && args->live)
        remove_page(out_dir); /* nothing goes on, as it would say */
    if (status == TACOS_OK)
        return EXIT_OK;
    if (status == TACOS_INTERRUPTED) {
        report_interrupted(args, tacos_results_count(results), out_dir);
        return EXIT_FAILED;
    }
    int code = cli_fail(err);
    print_hint(experiment, args, status);
    return code;
}

/* ---- while it runs ---- */

enum { RELOAD_SECONDS = 3 };
static const double LIVE_SECONDS = 5;

/* The page is written anew after every task and every few seconds of the progress clock. */
typedef struct Watch {
    Progress progress;
    const char *live_dir; /* NULL: no page */
    size_t n_rows;        /* when it was written */
    double seconds;
} Watch;

static int watch(void *user, const tacos_progress *state) {
    Watch *watch = user;
    size_t n_rows = 0;
    char path[PATH_SIZE];
    for (size_t i = 0; i < state->n_live; i++)
        n_rows += state->live[i].n_rows;
    if (watch->live_dir &&
        (n_rows != watch->n_rows || state->seconds - watch->seconds >= LIVE_SECONDS)) {
        tacos_report_options options = {
            .dirs = &watch->live_dir, .n_dirs = 1, .reload_seconds = RELOAD_SECONDS};
        watch->n_rows = n_rows;
        watch->seconds = state->seconds;
        if (folder_path(path, watch->live_dir, "report.html") == 0) /* the run is valid without */
            (void)tacos_report_write_with(&options, path, NULL);
    }
    return progress_show(&watch->progress, state);
}

static int run(const tacos_experiment *experiment, const RunArgs *args) {
    char folder[512];
    uint32_t seeds[TACOS_SEEDS_MAX];
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
        .live = args->live,
        .progress = watch,
    };
    Watch watching = {.live_dir = args->live ? options.out_dir : NULL};
    options.user = &watching;
    progress_begin(&watching.progress, args->quiet);
    interrupt_begin(&guard);
    tacos_status status = tacos_experiment_run(experiment, &options, &results, &err);
    progress_end(&watching.progress);
    int code = finish(experiment, args, results, options.out_dir, status, &err);
    if (!args->out && !results)
        (void)rmdir(folder); /* claimed for nothing */
    tacos_results_free(results);
    interrupt_end(&guard);
    return code;
}

static int uses_key(const void *experiment, const char *key) {
    return tacos_experiment_uses_key(experiment, key);
}

/* A built-in experiment may be tried with any model; what is in the user's own file is meant. */
static void note_unused(const tacos_experiment *experiment, const RunArgs *args) {
    Unused unused = {0};
    const char *key;
    char model[64] = "";
    Name builtin;
    unused_settings(&unused, &args->sets, uses_key, experiment);
    if (!name_find(NAME_EXPERIMENT, args->experiment, &builtin))
        for (size_t i = 0; (key = tacos_experiment_unused_key(experiment, i)); i++)
            unused_add(&unused, key);
    (void)tacos_experiment_get(experiment, "model", model, sizeof model, NULL);
    unused_report(&unused, "with model=", model);
}

/* It may be a plan. */
static int fail_open(const char *name, const tacos_error *err) {
    tacos_plan *plan;
    if (tacos_plan_open(&plan, name, NULL) != TACOS_OK)
        return cli_fail(err);
    tacos_plan_free(plan);
    return cli_usage("run", "%s is a plan: `tacos sweep %s` runs it", name, name);
}

static int cmd_run(int argc, char **argv) {
    RunArgs args;
    tacos_experiment *experiment = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    if (tacos_experiment_open(&experiment, args.experiment, &err) != TACOS_OK)
        return fail_open(args.experiment, &err);
    code = settings_apply("run", &args.sets, set_key, experiment);
    if (code == EXIT_OK) {
        note_unused(experiment, &args);
        code = run(experiment, &args);
    }
    tacos_experiment_free(experiment);
    return code;
}

static const Example examples[] = {
    {"tacos run demo", "learn five tasks of built-in symbols"},
    {"tacos run demo --set model=snn", "the same without protection: see it forget"},
    {"tacos run demo --live --out runs/live", "open runs/live/report.html meanwhile"},
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
    .more = "Ctrl-C stops it, keeps the complete runs, and prints the command that resumes. "
            "Under mpirun or srun the runs are spread over all processes.",
    .examples = examples,
};
