/* cmd_run.c - `tacos run`: an experiment from the command line. */
#include "cli.h"

#include "crew.h"
#include "interrupt.h"
#include "options.h"
#include "progress.h"
#include "results_table.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SEEDS_MAX = 10000, SETS_MAX = 256 };

typedef struct RunArgs {
    const char *experiment, *out, *data, *set_items[SETS_MAX];
    OptionList sets;                 /* "key=value" */
    unsigned long seeds, seed, jobs; /* 0: not given, but for seed: NO_SEED */
    int force, quiet;
} RunArgs;

#define NO_SEED ((unsigned long)UINT32_MAX + 1)

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, RunArgs *args, int *code) {
    const Option options[] = {
        {"set", OPTION_LIST, &args->sets, 0, 0},
        {"seeds", OPTION_WHOLE, &args->seeds, 1, SEEDS_MAX},
        {"seed", OPTION_WHOLE, &args->seed, 0, UINT32_MAX},
        {"jobs", OPTION_WHOLE, &args->jobs, 1, 1024},
        {"out", OPTION_TEXT, &args->out, 0, 0},
        {"data", OPTION_TEXT, &args->data, 0, 0},
        {"force", OPTION_FLAG, &args->force, 0, 0},
        {"quiet", OPTION_FLAG, &args->quiet, 0, 0},
        {NULL, OPTION_FLAG, NULL, 0, 0},
    };
    *args = (RunArgs){.seed = NO_SEED, .sets = {args->set_items, 0, SETS_MAX}};
    if (!options_read("run", options, argc, argv, code))
        return 0;
    *code = EXIT_USAGE;
    if (optind == argc)
        (void)cli_usage("run",
                        "which experiment? `tacos help experiments` lists the built-in ones");
    else if (optind + 1 != argc)
        (void)cli_usage("run", "one experiment at a time, not also '%s'", argv[optind + 1]);
    else if (args->seeds && args->seed != NO_SEED)
        (void)cli_usage("run", "--seeds and --seed exclude each other");
    else
        *code = EXIT_OK;
    args->experiment = argv[optind];
    return *code == EXIT_OK;
}

static int apply_sets(tacos_experiment *experiment, const RunArgs *args) {
    for (size_t i = 0; i < args->sets.n; i++) {
        char key[128];
        const char *equals = strchr(args->sets.items[i], '=');
        if (!equals || (size_t)(equals - args->sets.items[i]) >= sizeof key)
            return cli_usage("run", "--set %s: KEY=VALUE is wanted", args->sets.items[i]);
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - args->sets.items[i]),
                       args->sets.items[i]);
        tacos_error err = {0};
        if (tacos_experiment_set(experiment, key, equals + 1, &err) != TACOS_OK)
            return cli_fail(&err);
    }
    return EXIT_OK;
}

/* Claim results/NAME-DATE-TIME, with a number behind it if that is taken: of several programs that
 * start in the same second each gets its own. */
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

/* What the library cannot know: how to help it from here. */
static void print_hint(const tacos_experiment *experiment, const RunArgs *args,
                       tacos_status status) {
    char dataset[64];
    if (status == TACOS_EXISTS)
        fputs("--force begins anew in it, --out names another\n", stderr);
    if (status == TACOS_MISSING &&
        tacos_experiment_get(experiment, "dataset", dataset, sizeof dataset, NULL) == TACOS_OK)
        cli_hint_data(dataset, args->data);
}

static int finish(const tacos_experiment *experiment, const RunArgs *args,
                  const tacos_results *results, const char *out_dir, tacos_status status,
                  const tacos_error *err) {
    if (results) {
        results_print(experiment, results);
        printf("\n%s/results.json\n", out_dir);
    }
    if (status == TACOS_OK)
        return EXIT_OK;
    if (status == TACOS_INTERRUPTED) {
        fprintf(stderr, "tacos: interrupted; %zu complete run(s) kept%s%s\n",
                tacos_results_count(results), results ? " in " : "", results ? out_dir : "");
        return EXIT_FAILED;
    }
    int code = cli_fail(err);
    print_hint(experiment, args, status);
    return code;
}

static int run(const tacos_experiment *experiment, const RunArgs *args) {
    char folder[512];
    uint32_t seeds[SEEDS_MAX];
    Progress progress;
    Interrupt guard;
    tacos_results *results = NULL;
    tacos_error err = {0};
    if (!args->out && claim_folder(tacos_experiment_name(experiment), folder, sizeof folder) != 0) {
        perror("tacos: cannot make a folder under results");
        return EXIT_FAILED;
    }
    for (unsigned long i = 0; i < args->seeds; i++)
        seeds[i] = (uint32_t)i + 1;
    if (!args->seeds)
        seeds[0] = args->seed == NO_SEED ? 1 : (uint32_t)args->seed;
    tacos_run_options options = {
        .data_dir = args->data,
        .out_dir = args->out ? args->out : folder,
        .force = args->force,
        .seeds = seeds,
        .n_seeds = args->seeds ? args->seeds : 1,
        .n_jobs = (unsigned)args->jobs,
        .crew = crew_get(),
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

int cmd_run(int argc, char **argv) {
    RunArgs args;
    tacos_experiment *experiment = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    if (tacos_experiment_open(&experiment, args.experiment, &err) != TACOS_OK)
        return cli_fail(&err);
    code = apply_sets(experiment, &args);
    if (code == EXIT_OK)
        code = run(experiment, &args);
    tacos_experiment_free(experiment);
    return code;
}
