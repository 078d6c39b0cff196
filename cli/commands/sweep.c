/* sweep.c - `tacos sweep`: runs the configurations of a plan into one store. */
#include "commands/sweep.h"

#include "cli.h"
#include "cluster.h"
#include "device.h"
#include "output/unused.h"
#include "system/files.h"
#include "system/process.h"
#include "tacos_report.h"
#include "terminal/print.h"
#include "terminal/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- while it runs ---- */

enum { RELOAD_SECONDS = 3 };
static const double LIVE_SECONDS = 5;

/* The page is written anew every few seconds of the progress clock. */
typedef struct Watch {
    Progress progress;
    const PlanRun *run;
    bool written;
    double seconds; /* when it was written */
} Watch;

static int watch(void *user, const tacos_progress *state) {
    Watch *watch = user;
    const PlanRun *run = watch->run;
    if (run->page && (!watch->written || state->seconds - watch->seconds >= LIVE_SECONDS)) {
        watch->seconds = state->seconds;
        watch->written = true; /* the sweep is valid without its page */
        (void)tacos_report_write_sweep(run->store, state, RELOAD_SECONDS, run->page, NULL);
    }
    return progress_show(&watch->progress, state);
}

/* What the store has in the end, without reloading. */
static void write_page(const PlanRun *run) {
    tacos_error err = {0};
    if (!run->page)
        return;
    if (tacos_report_write_sweep(run->store, NULL, 0, run->page, &err) == TACOS_OK)
        print("%s\n", run->page);
    else
        cli_error("%s", err.text);
}

tacos_status plan_run(const tacos_plan *plan, PlanRun *run, int *code) {
    Watch watching = {.run = run};
    tacos_error err = {0};
    tacos_plan_options options = {
        .data_dir = run->data,
        .store = run->store,
        .n_jobs = (unsigned)run->jobs,
        .cluster = cluster_get(),
        .progress = watch,
        .user = &watching,
    };
    progress_begin(&watching.progress, run->quiet);
    tacos_status status = tacos_plan_run(plan, &options, &run->outcome, &err);
    progress_end(&watching.progress);
    if (status == TACOS_OK || status == TACOS_INTERRUPTED)
        write_page(run);
    *code = status == TACOS_OK && run->outcome.n_failed == 0 ? EXIT_OK : EXIT_FAILED;
    if (status != TACOS_OK && status != TACOS_INTERRUPTED) {
        *code = cli_fail(&err);
        if (run->outcome.missing_dataset[0])
            cli_hint_data(run->outcome.missing_dataset, run->data);
        return status;
    }
    if (run->outcome.n_failed > 0)
        cli_error("%zu run%s failed; the first: %s", run->outcome.n_failed,
                  run->outcome.n_failed == 1 ? "" : "s", run->outcome.first_failure);
    if (status == TACOS_INTERRUPTED) {
        cli_error("interrupted; %zu complete run(s) kept in %s",
                  run->outcome.n_complete + run->outcome.n_there, run->store);
        resume_print(&run->resume);
    }
    return status;
}

/* ---- show ---- */

typedef struct ShowArgs {
    SweepShow how;
    int csv, json;
} ShowArgs;

static int check_show(int argc, char **argv, ShowArgs *args) {
    if (args->csv && args->json)
        return cli_usage("sweep", "--csv and --json cannot be combined");
    if (args->how.all && args->how.top > 0)
        return cli_usage("sweep", "--top and --all cannot be combined");
    if (argc - optind != 1)
        return cli_usage("sweep", "sweep show takes one store, not %d", argc - optind);
    args->how.store = argv[optind];
    return EXIT_OK;
}

static const Option show_options[] = {
    WHOLE_OPTION("top", "N", 1, 1000000000, offsetof(ShowArgs, how.top),
                 "show the N best (default: 10)"),
    FLAG_OPTION("all", offsetof(ShowArgs, how.all), "show everything"),
    FLAG_OPTION("csv", offsetof(ShowArgs, csv), "print every configuration as CSV"),
    FLAG_OPTION("json", offsetof(ShowArgs, json),
                "print every configuration and the effects as JSON"),
    OPTION_END,
};

static int parse_show(int argc, char **argv, ShowArgs *args, int *code) {
    *args = (ShowArgs){0};
    if (!options_read(&command_sweep, show_options, args, argc, argv, code))
        return 0;
    *code = check_show(argc, argv, args);
    return *code == EXIT_OK;
}

static int sweep_show(int argc, char **argv) {
    ShowArgs args;
    tacos_survey *survey;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!parse_show(argc, argv, &args, &code))
        return code;
    if (tacos_survey_open(&survey, args.how.store, &err) != TACOS_OK)
        return cli_fail(&err);
    if (args.csv)
        code = sweep_show_csv(survey, &args.how);
    else if (args.json)
        code = sweep_show_json(survey, &args.how);
    else
        code = sweep_show_table(survey, &args.how);
    tacos_survey_free(survey);
    return code;
}

/* ---- sweep ---- */

enum { UNASKED_MAX = 100000 };

typedef struct SweepArgs {
    const char *plan, *store, *data, *device, *part_text;
    uint32_t part, n_parts; /* of part_text; 0: the whole plan */
    unsigned long jobs;
    int dry_run, yes, quiet, live;
    Resume resume; /* the command line */
} SweepArgs;

#define AT(field) offsetof(SweepArgs, field)

static const Option table[] = {
    TEXT_OPTION("store", "FILE", NAME_FILE, AT(store),
                "the file that takes the results (default: results/PLAN.db, and with --part "
                "results/PLAN-K-of-N.db)"),
    TEXT_OPTION("part", "K/N", NAME_ANY, AT(part_text),
                "make only the K-th of N parts of the runs, which `tacos sweep merge` joins"),
    OPTION_JOBS(AT(jobs)),
    OPTION_DEVICE(AT(device)),
    OPTION_DATA(AT(data)),
    FLAG_OPTION(
        "live", AT(live),
        "keep a page current while it runs, beside the store and with its name: open it, and "
        "it reloads itself"),
    FLAG_OPTION("dry-run", AT(dry_run), "print the number of runs and make none"),
    FLAG_OPTION("yes", AT(yes), "confirm a plan of more than 100000 runs"),
    OPTION_QUIET(AT(quiet)),
    OPTION_END,
};

static const Subcommand subcommands[] = {
    {"show",
     "show the best configurations, the effect of each key, and the trade-offs; also while the "
     "sweep is running",
     NAME_FILE, show_options},
    {"merge", "copy the runs of STOREs into one, such as those that --part made", NAME_FILE,
     sweep_merge_options},
    {NULL, NULL, NAME_ANY, NULL},
};

/* The subcommand that a word was probably meant to be, or NULL. */
static const char *near_subcommand(const char *word) {
    static const char *const names[] = {"show", "merge", NULL};
    return tacos_nearest(word, names);
}

/* K/N, and nothing else. */
static int read_part(SweepArgs *args) {
    const char *text = args->part_text;
    char *end = NULL;
    if (!text)
        return EXIT_OK;
    unsigned long part = strtoul(text, &end, 10), n_parts = 0;
    if (*end == '/')
        n_parts = strtoul(end + 1, &end, 10);
    if (strspn(text, "0123456789/") != strlen(text) || *end || part < 1 || part > n_parts ||
        n_parts > UINT32_MAX)
        return cli_usage("sweep", "--part %s: expected K/N, the K-th of N parts, such as 2/8",
                         text);
    args->part = (uint32_t)part;
    args->n_parts = (uint32_t)n_parts;
    return EXIT_OK;
}

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, SweepArgs *args, int *code) {
    *args = (SweepArgs){.resume = {.command = "sweep", .argc = argc, .argv = argv}};
    if (!options_read(&command_sweep, table, args, argc, argv, code))
        return 0;
    *code = EXIT_USAGE;
    if (optind == argc)
        (void)cli_usage("sweep", "expected a plan; `tacos help plans` lists the built-in ones");
    else if (optind + 1 != argc && near_subcommand(argv[optind]))
        (void)cli_usage("sweep", "unknown subcommand '%s'; the nearest is '%s'", argv[optind],
                        near_subcommand(argv[optind]));
    else if (optind + 1 != argc)
        (void)cli_usage("sweep", "unexpected argument '%s': one plan at a time", argv[optind + 1]);
    else
        *code = read_part(args);
    args->plan = argv[optind];
    return *code == EXIT_OK && (args->dry_run || device_use("sweep", args->device, code));
}

static void print_size(const tacos_plan_info *info, const SweepArgs *args) {
    print("%s: %zu configuration%s x %zu seed%s", info->name, info->n_configs,
          info->n_configs == 1 ? "" : "s", info->n_seeds, info->n_seeds == 1 ? "" : "s");
    if (info->n_stages > 1)
        printf(", halved in %zu stages", info->n_stages);
    printf(": %llu runs", (unsigned long long)info->n_runs);
    if (args->n_parts > 0)
        printf(", %llu of them in part %u/%u",
               (unsigned long long)(info->n_runs + args->n_parts - args->part) / args->n_parts,
               args->part, args->n_parts);
    printf("\n");
}

/* The table of complete runs, also if the sweep was interrupted. */
static int show(const char *store) {
    tacos_survey *survey = NULL;
    tacos_error err = {0};
    SweepShow how = {.store = store};
    if (tacos_survey_open(&survey, store, &err) != TACOS_OK)
        return cli_fail(&err);
    int code = sweep_show_table(survey, &how);
    tacos_survey_free(survey);
    return code;
}

/* The page has the name of the store, with another ending. */
static void name_page(const char *store, char page[PATH_SIZE]) {
    size_t n = strlen(store);
    n -= n > 3 && strcmp(store + n - 3, ".db") == 0 ? 3 : 0;
    (void)snprintf(page, PATH_SIZE, "%.*s.html", (int)n, store);
}

static void name_store(const tacos_plan *plan, const SweepArgs *args, char store[PATH_SIZE]) {
    const char *name = tacos_plan_info_get(plan).name;
    if (args->n_parts > 0)
        (void)snprintf(store, PATH_SIZE, "results/%s-%u-of-%u.db", name, args->part, args->n_parts);
    else
        (void)snprintf(store, PATH_SIZE, "results/%s.db", name);
}

static int run(const tacos_plan *plan, const SweepArgs *args) {
    char store[PATH_SIZE], page[PATH_SIZE];
    Interrupt guard;
    int code = EXIT_OK, shown = EXIT_OK;
    name_store(plan, args, store);
    PlanRun how = {.store = args->store ? args->store : store,
                   .data = args->data,
                   .jobs = args->jobs,
                   .quiet = args->quiet,
                   .resume = args->resume};
    if (args->live) {
        name_page(how.store, page);
        how.page = page;
    }
    interrupt_begin(&guard);
    tacos_status status = plan_run(plan, &how, &code);
    if ((status == TACOS_OK || status == TACOS_INTERRUPTED) &&
        how.outcome.n_complete + how.outcome.n_there > 0)
        shown = show(how.store);
    interrupt_end(&guard);
    return code == EXIT_OK ? shown : code;
}

/* It may be an experiment. */
static int fail_open(const char *name, const tacos_error *err) {
    tacos_experiment *experiment;
    if (tacos_experiment_open(&experiment, name, NULL) != TACOS_OK)
        return cli_fail(err);
    tacos_experiment_free(experiment);
    return cli_usage("sweep", "%s is an experiment: `tacos run %s` runs it", name, name);
}

static void note_unused(const tacos_plan *plan) {
    Unused unused = {0};
    const char *key;
    for (size_t i = 0; (key = tacos_plan_unused_key(plan, i)); i++)
        unused_add(&unused, key);
    unused_report(&unused, "in any run of ", tacos_plan_info_get(plan).name);
}

static int sweep(const SweepArgs *args) {
    tacos_plan *plan = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (tacos_plan_open(&plan, args->plan, &err) != TACOS_OK)
        return fail_open(args->plan, &err);
    tacos_plan_info info = tacos_plan_info_get(plan);
    if (args->n_parts > 0 &&
        tacos_plan_set_part(plan, args->part, args->n_parts, &err) != TACOS_OK) {
        tacos_plan_free(plan);
        return cli_fail(&err);
    }
    note_unused(plan);
    if (args->dry_run)
        print_size(&info, args);
    else if (info.n_runs > UNASKED_MAX && !args->yes)
        code = cli_usage("sweep", "%s has %llu runs; --yes confirms that", args->plan,
                         (unsigned long long)info.n_runs);
    else
        code = run(plan, args);
    tacos_plan_free(plan);
    return code;
}

static int cmd_sweep(int argc, char **argv) {
    SweepArgs args;
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return sweep_show(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "merge") == 0)
        return sweep_merge(argc - 1, argv + 1);
    int code = EXIT_OK;
    return parse(argc, argv, &args, &code) ? sweep(&args) : code;
}

static const Example examples[] = {
    {"tacos sweep trade-off --dry-run", "print the number of runs"},
    {"tacos sweep trade-off", "run it; if stopped, the same command resumes"},
    {"tacos sweep trade-off --live", "open the page beside the store meanwhile"},
    {"tacos sweep show results/trade-off.db --top 3", "view the results"},
    {"mpirun -n 16 tacos sweep trade-off", "use 16 processes"},
    {"tacos sweep trade-off --device cuda", "use a GPU"},
    {"tacos sweep trade-off --part 2/8", "the second of eight parts"},
    {"tacos sweep merge results/trade-off-*-of-8.db -o results/trade-off.db",
     "all parts in one store"},
    {NULL, NULL},
};

const Command command_sweep = {
    .name = "sweep",
    .group = GROUP_RUNS,
    .run = cmd_sweep,
    .spreads = 1,
    .about = "run many configurations and show the best",
    .synopsis = "PLAN [options]\n"
                "show STORE [--top N | --all] [--csv | --json]\n"
                "merge STORE... -o STORE",
    .text =
        "PLAN is a built-in plan or a .conf file in which keys have ranges, such as `m_max = "
        "linear(5, 50, 4)`; docs/sweeps.md describes it. All runs go into one file, the store. "
        "What it already has is not run again, so a sweep that was stopped or killed resumes when "
        "started again.",
    .argument = NAME_PLAN,
    .argument_title = "built-in plans",
    .subcommands = subcommands,
    .options = table,
    .more =
        "Under mpirun or srun the runs are spread over all processes. Where processes cannot "
        "talk to each other, such as the elements of a job array, each makes a part of the runs "
        "into a store of its own. A part depends on the plan alone, so any of them may be "
        "stopped, resumed or made again, anywhere. Merged, the stores are the one that a single "
        "process makes, except for times and hosts.",
    .examples = examples,
};
