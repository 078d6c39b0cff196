/* results.c - the results of an experiment as tables. */
#include "output/results.h"

#include "cli.h"
#include "output/failure.h"
#include "terminal/grid.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One number of a run at moment k: a metric by its place in tacos_metrics, or the accuracy on a
 * task. */
typedef double Pick(const tacos_run *run, size_t k, size_t which);

static double pick_metric(const tacos_run *run, size_t k, size_t offset) {
    return *(const double *)((const char *)&run->after[k] + offset);
}

static double pick_accuracy(const tacos_run *run, size_t k, size_t t) {
    return k == 0 ? run->b[t] : run->R[(k - 1) * run->n_tasks + t];
}

/* Mean and spread over the runs. */
static tacos_summary over_runs(const tacos_results *results, Pick *pick, size_t k, size_t which) {
    size_t n = 0;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < tacos_results_count(results); i++) {
        double value = pick(tacos_results_run(results, i), k, which);
        sum += isfinite(value) ? value : 0;
        n += isfinite(value) != 0;
    }
    double mean = sum / (double)(n > 0 ? n : 1);
    for (size_t i = 0; i < tacos_results_count(results); i++) {
        double d = pick(tacos_results_run(results, i), k, which) - mean;
        squares += isfinite(d) ? d * d : 0;
    }
    return (tacos_summary){n, mean, n > 1 ? sqrt(squares / (double)(n - 1)) : 0};
}

static const GridColumn moment = {0, 0, 10}; /* "after task" */

static int print_metrics(const tacos_results *results, size_t n_tasks) {
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {{"A", offsetof(tacos_metrics, A)},
                   {"MA", offsetof(tacos_metrics, MA)},
                   {"BWT", offsetof(tacos_metrics, BWT)},
                   {"FWT", offsetof(tacos_metrics, FWT)}};
    enum { N_COLUMNS = sizeof columns / sizeof *columns };
    Grid grid = {0};
    grid_column(&grid, "after task", moment);
    for (size_t c = 0; c < N_COLUMNS; c++)
        grid_column(&grid, columns[c].name, (GridColumn){0, 1, 16});
    for (size_t k = 0; k < n_tasks; k++) {
        grid_cell(&grid, "%zu", k + 1);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            tacos_summary value = over_runs(results, pick_metric, k, columns[c].offset);
            grid_summary(&grid, &value);
        }
    }
    return grid_end(&grid);
}

/* The next task of a list; *rest moves behind its comma. Commas between quotes are part of it. */
static char *take_task(char **rest) {
    char *task = *rest + strspn(*rest, " "), *at = task;
    for (int quoted = 0; *at && (*at != ',' || quoted); at++)
        quoted ^= *at == '"';
    *rest = *at ? at + 1 : at;
    while (at > task && at[-1] == ' ')
        at--;
    *at = '\0';
    return task;
}

/* Tasks by their classes; by number where those were drawn at random. */
static void put_tasks(Grid *grid, const tacos_experiment *experiment, size_t n_tasks) {
    char tasks[1100] = "", name[1100], *rest = tasks;
    (void)tacos_experiment_get(experiment, "tasks", tasks, sizeof tasks, NULL);
    int random = strncmp(tasks, "random:", 7) == 0;
    for (size_t t = 0; t < n_tasks; t++) {
        char *task = take_task(&rest);
        (void)snprintf(name, sizeof name, "%zu", t + 1);
        grid_column(grid, random || !*task ? name : task, (GridColumn){0, 1, 7});
    }
}

static int print_matrix(const tacos_experiment *experiment, const tacos_results *results,
                        size_t n_tasks) {
    Grid grid = {0};
    puts("\naccuracy on each task, in percent");
    grid_column(&grid, "after task", moment);
    put_tasks(&grid, experiment, n_tasks);
    for (size_t k = 0; k <= n_tasks; k++) {
        if (k == 0)
            grid_cell(&grid, "untrained");
        else
            grid_cell(&grid, "%zu", k);
        for (size_t t = 0; t < n_tasks; t++) {
            double mean = over_runs(results, pick_accuracy, k, t).mean;
            grid_cell(&grid, "%6.2f", mean);
            grid_style(&grid, style_heat(mean));
        }
    }
    return grid_end(&grid);
}

static void print_final(const tacos_results *results, const char *metric, const char *name,
                        Style style) {
    tacos_summary summary;
    if (tacos_results_summary(results, metric, &summary, NULL) != TACOS_OK)
        return;
    print("  %-12s ", name);
    style_begin(stdout, style);
    if (summary.n > 1)
        printf("%6.2f +- %.2f", summary.mean, summary.sd);
    else if (summary.n == 1)
        printf("%6.2f", summary.mean);
    else
        fputs("     -", stdout);
    style_end(stdout, style);
}

/* There is nothing to say of a rival, and of a network that always answers. */
static void print_silent(const tacos_experiment *experiment, const tacos_results *results) {
    char silence[16] = "";
    tacos_summary silent;
    if (tacos_results_summary(results, "silent", &silent, NULL) != TACOS_OK || silent.mean == 0)
        return;
    print_final(results, "silent", "silent", is_silent(silent.mean) ? STYLE_ERROR : STYLE_PLAIN);
    (void)tacos_experiment_get(experiment, "silence", silence, sizeof silence, NULL);
    print(" %% of the test samples: no output spiked, %s\n",
          strcmp(silence, "wrong") == 0 ? "which counts as wrong"
                                        : "which counts as the first output");
}

static void print_bottom(const tacos_experiment *experiment, const tacos_results *results) {
    const tacos_run *run = tacos_results_run(results, 0);
    const tacos_learner_stats *stats = &run->stats;
    tacos_paper_row paper = tacos_experiment_paper(experiment);
    putchar('\n');
    print_final(results, "MA", "MA", STYLE_HEADING);
    if (paper.ma >= 0)
        printf("   (paper %.2f +- %.2f)", paper.ma, paper.ma_sd);
    putchar('\n');
    print_final(results, "BWT", "BWT", STYLE_PLAIN);
    print_final(results, "forgetting", "  forgetting", STYLE_PLAIN);
    putchar('\n');
    print_final(results, "FWT_gem", "FWT (GEM)", STYLE_PLAIN);
    putchar('\n');
    print_silent(experiment, results);
    print("  %-12s %6.2f x the plain network", "memory", run->memory_overhead);
    if (paper.memory_overhead >= 0)
        printf(" (paper %.4gx)", paper.memory_overhead);
    printf(": %.3f MB for the model, %.3f MB to work in\n", (double)stats->model_bytes / 1e6,
           (double)stats->workspace_bytes / 1e6);
    print("  %-12s %6.0f us per training sample, %.0f us per test sample\n", "time",
          1e6 * run->train_seconds / (double)stats->learning.samples,
          1e6 * run->test_seconds / (double)stats->predicting.samples);
}

static void print_title(const tacos_experiment *experiment, const tacos_results *results) {
    char model[64], hidden[128] = "", dataset[64];
    size_t n = tacos_results_count(results);
    (void)tacos_experiment_get(experiment, "model", model, sizeof model, NULL);
    if (tacos_experiment_uses_key(experiment, "hidden"))
        (void)tacos_experiment_get(experiment, "hidden", hidden, sizeof hidden, NULL);
    (void)tacos_experiment_get(experiment, "dataset", dataset, sizeof dataset, NULL);
    style_print(stdout, STYLE_HEADING, "%s", tacos_experiment_name(experiment));
    print(": %s%s%s on %s, %zu run%s (seed", model, hidden[0] ? " with hidden layer " : "", hidden,
          dataset, n, n == 1 ? "" : "s");
    for (size_t i = 0; i < n; i++)
        printf(" %u", tacos_results_run(results, i)->seed);
    printf(")\n\n");
}

int results_print(const tacos_experiment *experiment, const tacos_results *results) {
    size_t n_tasks = tacos_results_run(results, 0)->n_tasks;
    print_title(experiment, results);
    if (print_metrics(results, n_tasks) != 0 || print_matrix(experiment, results, n_tasks) != 0)
        return -1;
    print_bottom(experiment, results);
    return 0;
}
