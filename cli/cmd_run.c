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
    const char *experiment, *out, *data;
    const char *sets[SETS_MAX]; /* "key=value", in order */
    size_t n_sets;
    unsigned long seeds, seed, jobs; /* 0: not given; seed is valid if has_seed */
    int has_seed, force, quiet, help;
} RunArgs;

/* Fills args; EXIT_OK or what to exit with. */
static int parse(int argc, char **argv, RunArgs *args) {
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},  {"seeds", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'k'}, {"jobs", required_argument, NULL, 'j'},
        {"out", required_argument, NULL, 'o'},  {"data", required_argument, NULL, 'd'},
        {"force", no_argument, NULL, 'f'},      {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    *args = (RunArgs){.seed = 1};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (c) {
        case 's':
            if (args->n_sets == SETS_MAX)
                return cli_usage("run", "--set may be given at most %d times", SETS_MAX);
            args->sets[args->n_sets++] = optarg;
            break;
        case 'n':
            if (options_whole(optarg, 1, SEEDS_MAX, &args->seeds) != 0)
                return cli_usage("run", "--seeds %s: a number from 1 to %d is wanted", optarg,
                                 SEEDS_MAX);
            break;
        case 'k':
            if (options_whole(optarg, 0, UINT32_MAX, &args->seed) != 0)
                return cli_usage("run", "--seed %s: a number from 0 to %u is wanted", optarg,
                                 UINT32_MAX);
            args->has_seed = 1;
            break;
        case 'j':
            if (options_whole(optarg, 1, 1024, &args->jobs) != 0)
                return cli_usage("run", "--jobs %s: a number from 1 to 1024 is wanted", optarg);
            break;
        case 'o':
            args->out = optarg;
            break;
        case 'd':
            args->data = optarg;
            break;
        case 'f':
            args->force = 1;
            break;
        case 'q':
            args->quiet = 1;
            break;
        case 'h':
            args->help = 1;
            return EXIT_OK;
        default:
            return options_fail("run", options, c, argv);
        }
    }
    if (optind + 1 != argc)
        return optind == argc
                   ? cli_usage("run", "which experiment? `tacos help experiments` lists "
                                      "the built-in ones")
                   : cli_usage("run", "one experiment at a time, not also '%s'", argv[optind + 1]);
    if (args->seeds && args->has_seed)
        return cli_usage("run", "--seeds and --seed exclude each other");
    args->experiment = argv[optind];
    return EXIT_OK;
}

static int apply_sets(tacos_experiment *experiment, const RunArgs *args) {
    for (size_t i = 0; i < args->n_sets; i++) {
        char key[128];
        const char *equals = strchr(args->sets[i], '=');
        if (!equals || (size_t)(equals - args->sets[i]) >= sizeof key)
            return cli_usage("run", "--set %s: KEY=VALUE is wanted", args->sets[i]);
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - args->sets[i]), args->sets[i]);
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
        seeds[0] = (uint32_t)args->seed;
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
    int code = parse(argc, argv, &args);
    if (code != EXIT_OK)
        return code;
    if (args.help) {
        fputs(cli_command("run")->usage, stdout);
        return EXIT_OK;
    }
    if (tacos_experiment_open(&experiment, args.experiment, &err) != TACOS_OK)
        return cli_fail(&err);
    code = apply_sets(experiment, &args);
    if (code == EXIT_OK)
        code = run(experiment, &args);
    tacos_experiment_free(experiment);
    return code;
}
