/* fig_accuracy.c - the accuracy of each task over time: what is learned, and what is kept. */
#include "report/charts/charts.h"
#include "report/figures/figures.h"

#include <stdio.h>

/* So many tasks have a colour each; more are coloured in groups, by when they were learned. */
enum { TASKS_APART = 8, GROUPS = 5 };

static size_t group_of(size_t t, size_t n_tasks) {
    return t * GROUPS / n_tasks;
}

/* A place in the legend for a group of tasks. */
static void add_groups(Figure *figure, size_t n_tasks) {
    char label[LEGEND_LABEL_SIZE];
    for (size_t g = 0, first = 0; g < GROUPS; g++) {
        size_t last = first;
        while (last + 1 < n_tasks && group_of(last + 1, n_tasks) == g)
            last++;
        (void)snprintf(label, sizeof label, "tasks %zu to %zu", first + 1, last + 1);
        size_t key = figure_key(figure, LEGEND_RAMP, 0, label);
        figure->keys[key].shade = ramp_order((double)g / (GROUPS - 1));
        first = last + 1;
    }
}

static void add_tasks(Figure *figure, size_t n_tasks) {
    char label[LEGEND_LABEL_SIZE];
    for (size_t t = 0; t < n_tasks; t++) {
        (void)snprintf(label, sizeof label, "task %zu", t + 1);
        (void)figure_key(figure, LEGEND_LINE, (unsigned)t, label);
    }
}

/* The mean of a group's tasks, after the lines of the tasks. */
static void fill_groups(Figure *figure, Curves *curves, const RunFolder *runs) {
    size_t n = runs->n_tasks;
    for (size_t g = 0; g < GROUPS; g++) {
        curves_series(curves, n + g, g, figure->keys[g].label);
        for (size_t k = 0; k <= n; k++) {
            double sum = 0;
            size_t count = 0;
            for (size_t t = 0; t < n; t++)
                if (group_of(t, n) == g) {
                    sum += runs_accuracy(runs, k, t + 1).mean;
                    count++;
                }
            curves_set(curves, n + g, k, (double)k, (tacos_summary){1, sum / (double)count, 0});
        }
    }
}

static void fill(Figure *figure, Curves *curves, const RunFolder *runs, char (*labels)[32]) {
    size_t n = runs->n_tasks;
    bool apart = n <= TASKS_APART;
    for (size_t t = 0; t < n; t++) {
        (void)snprintf(labels[t], sizeof labels[t], "task %zu", t + 1);
        curves_series(curves, t, apart ? t : group_of(t, n), labels[t]);
        curves->line[t].faint = !apart;
        for (size_t k = 0; k <= n; k++)
            curves_set(curves, t, k, (double)k, runs_accuracy(runs, k, t + 1));
    }
    if (apart) {
        add_tasks(figure, n);
    } else {
        add_groups(figure, n);
        fill_groups(figure, curves, runs);
    }
}

tacos_status draw_accuracy(Figure *figure, const Look *look, const RunFolder *runs,
                           tacos_error *err) {
    size_t n = runs->n_tasks;
    char labels[TASKS_MAX][32];
    double rules[TASKS_MAX];
    Curves curves;
    figure_begin(figure, look, "accuracy", "Accuracy of each task over time");
    text_format(&figure->about,
                "Percent right on each task before learning (0) and after each task%s. Left of the "
                "point at which a task is learned is what it gains from others, right of it what "
                "is kept.",
                n > TASKS_APART    ? "; strong lines are means over several tasks"
                : runs->n_runs > 1 ? "; bands are one deviation over seeds"
                                   : "");
    TRY(curves_make(&curves, n <= TASKS_APART ? n : n + GROUPS, n + 1, err));
    fill(figure, &curves, runs, labels);
    for (size_t k = 0; k < n; k++)
        rules[k] = (double)(k + 1);
    Lines lines = {.axes = {.box = figure_box(figure),
                            .x = {0, (double)n},
                            .y = {0, 100},
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .y_label = "accuracy, %"},
                   .unit = " %",
                   .percent = true,
                   .digits = 2,
                   .n = curves.n,
                   .line = curves.line,
                   .rules = rules,
                   .n_rules = n <= TASKS_APART ? n : 0};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, NULL, "tasks_learned");
    curves_free(&curves);
    return figure_check(figure, err);
}
