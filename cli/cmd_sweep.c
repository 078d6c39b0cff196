/* cmd_sweep.c - `tacos sweep`: many configurations, one store. */
#include "cli.h"

#include "interrupt.h"
#include "options.h"
#include "plan_run.h"
#include "sweep_show.h"

#include <stdio.h>
#include <string.h>

enum { UNASKED_MAX = 100000 };

typedef struct SweepArgs {
    const char *plan, *store, *data;
    unsigned long jobs;
    int dry_run, yes, quiet;
} SweepArgs;

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, SweepArgs *args, int *code) {
    const Option options[] = {
        {"store", OPTION_TEXT, &args->store, 0, 0},
        {"jobs", OPTION_WHOLE, &args->jobs, 1, 1024},
        {"data", OPTION_TEXT, &args->data, 0, 0},
        {"dry-run", OPTION_FLAG, &args->dry_run, 0, 0},
        {"yes", OPTION_FLAG, &args->yes, 0, 0},
        {"quiet", OPTION_FLAG, &args->quiet, 0, 0},
        {NULL, OPTION_FLAG, NULL, 0, 0},
    };
    *args = (SweepArgs){0};
    if (!options_read("sweep", options, argc, argv, code))
        return 0;
    *code = EXIT_USAGE;
    if (optind == argc)
        (void)cli_usage("sweep", "which plan? `tacos help plans` lists the built-in ones");
    else if (optind + 1 != argc)
        (void)cli_usage("sweep", "one plan at a time, not also '%s'", argv[optind + 1]);
    else
        *code = EXIT_OK;
    args->plan = argv[optind];
    return *code == EXIT_OK;
}

static void print_size(const tacos_plan_info *info) {
    printf("%s: %zu configuration%s x %zu seed%s", info->name, info->n_configs,
           info->n_configs == 1 ? "" : "s", info->n_seeds, info->n_seeds == 1 ? "" : "s");
    if (info->n_stages > 1)
        printf(", halved in %zu stages", info->n_stages);
    printf(": %llu runs\n", (unsigned long long)info->n_runs);
}

/* The table of what there is, also if the sweep was interrupted. */
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

static int run(const tacos_plan *plan, const SweepArgs *args) {
    char store[512];
    Interrupt guard;
    int code = EXIT_OK, shown = EXIT_OK;
    (void)snprintf(store, sizeof store, "results/%s.db", tacos_plan_info_get(plan).name);
    PlanRun how = {.store = args->store ? args->store : store,
                   .data = args->data,
                   .jobs = args->jobs,
                   .quiet = args->quiet};
    interrupt_begin(&guard);
    tacos_status status = plan_run(plan, &how, &code);
    if ((status == TACOS_OK || status == TACOS_INTERRUPTED) &&
        how.outcome.n_complete + how.outcome.n_there > 0)
        shown = show(how.store);
    interrupt_end(&guard);
    return code == EXIT_OK ? shown : code;
}

static int sweep(const SweepArgs *args) {
    tacos_plan *plan = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (tacos_plan_open(&plan, args->plan, &err) != TACOS_OK)
        return cli_fail(&err);
    tacos_plan_info info = tacos_plan_info_get(plan);
    if (args->dry_run)
        print_size(&info);
    else if (info.n_runs > UNASKED_MAX && !args->yes)
        code = cli_usage("sweep", "%s is a plan of %llu runs; --yes runs it", args->plan,
                         (unsigned long long)info.n_runs);
    else
        code = run(plan, args);
    tacos_plan_free(plan);
    return code;
}

int cmd_sweep(int argc, char **argv) {
    SweepArgs args;
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return sweep_show(argc - 1, argv + 1);
    int code = EXIT_OK;
    return parse(argc, argv, &args, &code) ? sweep(&args) : code;
}
