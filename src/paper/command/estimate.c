/* estimate.c - `tacos reproduce --dry-run`: the runs that are missing, and their time. */
#include "reproduce.h"

#include "system/process.h"
#include "terminal/grid.h"
#include "terminal/print.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Plans of several parts are asked for once. */
static int is_first(const ReproduceArgs *args, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (strcmp(args->parts[k].plan, args->parts[i].plan) == 0)
            return 0;
    return 1;
}

static void put_time(Grid *grid, double seconds) {
    if (seconds < 90)
        grid_cell(grid, "%.0f s", seconds);
    else if (seconds < 5400)
        grid_cell(grid, "%.0f min", seconds / 60);
    else
        grid_cell(grid, "%.1f h", seconds / 3600);
}

static void put_row(Grid *grid, const char *name, const tacos_estimate_info *info, double cores) {
    grid_cell(grid, "%s", name);
    grid_cell(grid, "%zu", info->n_missing);
    grid_cell(grid, "%zu", info->n_there);
    put_time(grid, info->seconds / cores);
}

static int add_plan(const ReproduceArgs *args, tacos_estimate *estimate, const char *name,
                    tacos_estimate_info *info) {
    tacos_plan *plan = NULL;
    tacos_error err = {0};
    int code = reproduce_plan(args, name, &plan);
    if (code == EXIT_OK && tacos_estimate_add(estimate, plan, info, &err) != TACOS_OK)
        code = err.status == TACOS_INTERRUPTED ? EXIT_FAILED : cli_fail(&err);
    tacos_plan_free(plan);
    return code;
}

/* The score needs runs of parts that were not asked for, too. */
static void add_scored(ReproduceArgs *args) {
    static const char *const scored[] = {"transfer", "headline", "orders"};
    tacos_paper_part part;
    for (size_t i = 0; args->score && tacos_paper_part_get(i, &part); i++)
        for (size_t k = 0; k < sizeof scored / sizeof *scored; k++)
            if (strcmp(part.name, scored[k]) == 0 && args->n_parts < PARTS_MAX)
                args->parts[args->n_parts++] = part;
}

static double count_cores(const ReproduceArgs *args) {
    long n = args->jobs > 0 ? (long)args->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (double)n : 1;
}

static int print_all(const ReproduceArgs *args, tacos_estimate *estimate) {
    tacos_estimate_info sum = {0}, info = {0};
    double cores = count_cores(args);
    Grid grid = {0};
    int code = EXIT_OK;
    grid_head(&grid, "plan", 1);
    grid_head(&grid, "missing runs", 0);
    grid_head(&grid, "in the store", 0);
    grid_head(&grid, "time", 0);
    for (size_t i = 0; i < args->n_parts && code == EXIT_OK; i++) {
        if (!is_first(args, i))
            continue;
        code = add_plan(args, estimate, args->parts[i].plan, &info);
        sum.n_missing += info.n_missing;
        sum.n_there += info.n_there;
        sum.seconds += info.seconds;
        if (code == EXIT_OK)
            put_row(&grid, args->parts[i].plan, &info, cores);
    }
    put_row(&grid, "together", &sum, cores);
    if (grid_end(&grid) != 0)
        return cli_no_memory("the table");
    if (code == EXIT_OK)
        print("estimated for %.0f core%s from %s\n", cores, cores == 1 ? "" : "s",
              "the runs in the store and, where there are none, a few samples of each task");
    return code;
}

static int stop(void *user, const tacos_progress *progress) {
    (void)user;
    (void)progress;
    return interrupt_signal();
}

int reproduce_estimate(const ReproduceArgs *args) {
    ReproduceArgs all = *args;
    char store[PATH_SIZE];
    Interrupt guard;
    tacos_estimate *estimate = NULL;
    tacos_error err = {0};
    if (folder_path(store, args->out, REPRODUCE_STORE) != 0) {
        cli_error("%s/runs.db: %s", args->out, strerror(errno));
        return EXIT_FAILED;
    }
    tacos_plan_options options = {.data_dir = args->data, .store = store, .progress = stop};
    add_scored(&all);
    if (tacos_estimate_new(&estimate, &options, &err) != TACOS_OK)
        return cli_fail(&err);
    interrupt_begin(&guard);
    int code = print_all(&all, estimate);
    tacos_estimate_free(estimate);
    interrupt_end(&guard);
    return code;
}
