/* cmd_sweep.c - `tacos sweep`: many configurations, one store. */
#include "cli.h"

#include "crew.h"
#include "interrupt.h"
#include "options.h"
#include "progress.h"
#include "sweep_show.h"

#include <stdio.h>
#include <string.h>

enum { UNASKED_MAX = 100000 };

typedef struct SweepArgs {
    const char *plan, *store, *data;
    unsigned long jobs;
    int dry_run, yes, quiet, help;
} SweepArgs;

/* Fills args; EXIT_OK or what to exit with. */
static int parse(int argc, char **argv, SweepArgs *args) {
    static const struct option options[] = {
        {"store", required_argument, NULL, 's'}, {"jobs", required_argument, NULL, 'j'},
        {"data", required_argument, NULL, 'd'},  {"dry-run", no_argument, NULL, 'n'},
        {"yes", no_argument, NULL, 'y'},         {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
    };
    *args = (SweepArgs){0};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (c) {
        case 's':
            args->store = optarg;
            break;
        case 'j':
            if (options_whole(optarg, 1, 1024, &args->jobs) != 0)
                return cli_usage("sweep", "--jobs %s: a number from 1 to 1024 is wanted", optarg);
            break;
        case 'd':
            args->data = optarg;
            break;
        case 'n':
            args->dry_run = 1;
            break;
        case 'y':
            args->yes = 1;
            break;
        case 'q':
            args->quiet = 1;
            break;
        case 'h':
            args->help = 1;
            return EXIT_OK;
        default:
            return options_fail("sweep", options, c, argv);
        }
    }
    if (optind == argc)
        return cli_usage("sweep", "which plan? `tacos help plans` lists the built-in ones");
    if (optind + 1 != argc)
        return cli_usage("sweep", "one plan at a time, not also '%s'", argv[optind + 1]);
    args->plan = argv[optind];
    return EXIT_OK;
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

static int finish(const char *store, const tacos_plan_outcome *outcome, tacos_status status,
                  const tacos_error *err) {
    if (status != TACOS_OK && status != TACOS_INTERRUPTED)
        return cli_fail(err);
    int code = outcome->n_complete + outcome->n_there > 0 ? show(store) : EXIT_OK;
    if (outcome->n_failed > 0) {
        fprintf(stderr, "tacos: %zu run%s failed; the first: %s\n", outcome->n_failed,
                outcome->n_failed == 1 ? "" : "s", outcome->first_failure);
        code = EXIT_FAILED;
    }
    if (status == TACOS_INTERRUPTED) {
        fprintf(stderr, "tacos: interrupted; the same command goes on from %s\n", store);
        code = EXIT_FAILED;
    }
    return code;
}

static int run(const tacos_plan *plan, const SweepArgs *args) {
    char store[512];
    Progress progress;
    Interrupt guard;
    tacos_plan_outcome outcome;
    tacos_error err = {0};
    (void)snprintf(store, sizeof store, "results/%s.db", tacos_plan_info_get(plan).name);
    tacos_plan_options options = {
        .data_dir = args->data,
        .store = args->store ? args->store : store,
        .n_jobs = (unsigned)args->jobs,
        .crew = crew_get(),
        .progress = progress_show,
        .user = &progress,
    };
    progress_begin(&progress, args->quiet);
    interrupt_begin(&guard);
    tacos_status status = tacos_plan_run(plan, &options, &outcome, &err);
    progress_end(&progress);
    int code = finish(options.store, &outcome, status, &err);
    if (status == TACOS_MISSING)
        for (size_t i = 0; tacos_data_set(i); i++)
            if (strstr(err.text, tacos_data_set(i)->name))
                cli_hint_data(tacos_data_set(i)->name, args->data);
    interrupt_end(&guard);
    return code;
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
    int code = parse(argc, argv, &args);
    if (code != EXIT_OK)
        return code;
    if (args.help) {
        fputs(cli_command("sweep")->usage, stdout);
        return EXIT_OK;
    }
    return sweep(&args);
}
