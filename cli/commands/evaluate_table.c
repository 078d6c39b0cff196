/* evaluate_table.c - the results of `tacos evaluate`, for people and as CSV. */
#include "commands/evaluate.h"

#include "system/files.h"
#include "terminal/grid.h"
#include "terminal/print.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct Measure {
    const char *name, *head;
    int digits;
    double (*of)(const Trial *trial);
} Measure;

static double accuracy(const Trial *trial) {
    return trial->figures.overall.accuracy;
}
static double answered(const Trial *trial) {
    return trial->figures.overall.answered;
}
static double kappa(const Trial *trial) {
    return trial->figures.overall.kappa;
}
static double kappa_temporal(const Trial *trial) {
    return trial->figures.overall.kappa_temporal;
}
static double repeat_last(const Trial *trial) {
    return trial->figures.overall.repeat_last;
}
static double rejected(const Trial *trial) {
    return (double)trial->figures.overall.rejected;
}
static double us_per_sample(const Trial *trial) {
    return trial->us;
}
static double kb(const Trial *trial) {
    return (double)trial->bytes / 1000;
}

static const Measure measures[] = {
    {"accuracy", "accuracy", 2, accuracy},
    {"answered", "of known", 2, answered},
    {"kappa", "kappa", 3, kappa},
    {"kappa_temporal", "kappa-temporal", 3, kappa_temporal},
    {"repeat_last", "repeat-last", 2, repeat_last},
    {"rejected", "unknown", 0, rejected},
    {"us_per_sample", "us/sample", 1, us_per_sample},
    {"kb", "kB", 0, kb},
};
enum { MEASURES = sizeof measures / sizeof *measures };

/* Two columns are for --reject alone. */
static int is_shown(const Measure *measure, const Trial *trials, size_t n) {
    if (measure->of != answered && measure->of != rejected)
        return 1;
    for (size_t k = 0; k < n; k++)
        if (rejected(&trials[k]) > 0)
            return 1;
    return 0;
}

static tacos_summary summary_of(const Trial *trials, size_t n, const Measure *measure) {
    tacos_summary out = {.mean = (double)NAN, .sd = (double)NAN};
    double sum = 0, squares = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(measure->of(&trials[k]))) {
            sum += measure->of(&trials[k]);
            out.n++;
        }
    if (out.n == 0)
        return out;
    out.mean = sum / (double)out.n;
    for (size_t k = 0; k < n; k++) {
        double away = measure->of(&trials[k]) - out.mean;
        squares += isnan(away) ? 0 : away * away;
    }
    out.sd = out.n > 1 ? sqrt(squares / (double)(out.n - 1)) : 0;
    return out;
}

static void put_summary(Grid *grid, const tacos_summary *summary, int digits) {
    if (summary->n == 0)
        grid_cell(grid, "-");
    else if (summary->n == 1)
        grid_cell(grid, "%.*f", digits, summary->mean);
    else
        grid_cell(grid, "%.*f +- %.*f", digits, summary->mean, digits, summary->sd);
}

static size_t same_stream(const Trial *trials, size_t n) {
    size_t k = 1;
    while (k < n && trials[k].path == trials[0].path)
        k++;
    return k;
}

int evaluate_print(const Trial *trials, size_t n) {
    Grid grid = {0};
    grid_head(&grid, "stream", 1);
    grid_head(&grid, "samples", 0);
    grid_head(&grid, "labels", 0);
    for (size_t m = 0; m < MEASURES; m++)
        if (is_shown(&measures[m], trials, n))
            grid_head(&grid, measures[m].head, 0);
    for (size_t from = 0, count; from < n; from += count) {
        count = same_stream(trials + from, n - from);
        grid_cell(&grid, "%s", trials[from].name);
        grid_cell(&grid, "%llu", (unsigned long long)trials[from].figures.overall.samples);
        grid_cell(&grid, "%zu", trials[from].n_labels);
        for (size_t m = 0; m < MEASURES; m++) {
            tacos_summary summary = summary_of(trials + from, count, &measures[m]);
            if (is_shown(&measures[m], trials, n))
                put_summary(&grid, &summary, measures[m].digits);
        }
    }
    return grid_end(&grid) == 0 ? EXIT_OK : cli_no_memory("the table");
}

int evaluate_write(const Trial *trials, size_t n, const char *folder) {
    char path[PATH_SIZE];
    WholeFile file;
    tacos_error err = {0};
    if (folder_make(folder) != 0 || folder_path(path, folder, "evaluate.csv") != 0) {
        cli_error("cannot write to %s: %s", folder, strerror(errno));
        return EXIT_FAILED;
    }
    if (whole_file_open(&file, path, &err) != TACOS_OK)
        return cli_fail(&err);
    print_to(file.out, "stream,seed,samples,labels");
    for (size_t m = 0; m < MEASURES; m++)
        print_to(file.out, ",%s", measures[m].name);
    print_to(file.out, ",drift_alarms,digest\n");
    for (size_t k = 0; k < n; k++) {
        print_to(file.out, "%s,%u,%llu,%zu", trials[k].name, trials[k].seed,
                 (unsigned long long)trials[k].figures.overall.samples, trials[k].n_labels);
        for (size_t m = 0; m < MEASURES; m++) {
            double value = measures[m].of(&trials[k]);
            if (isnan(value))
                print_to(file.out, ",");
            else
                print_to(file.out, ",%.10g", value);
        }
        print_to(file.out, ",%llu,%08x\n", (unsigned long long)trials[k].alarms, trials[k].digest);
    }
    return whole_file_close(&file, path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}
