/* fig_accuracy.c - the accuracy of each task over time, as lines, and the matrix R as a heat map.
 */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to TASKS_APART tasks have their own colours; more are coloured by groups in learning order. */
enum { TASKS_APART = 8, GROUPS = 5 };

static size_t group_of(size_t t, size_t n_tasks) {
    return t * GROUPS / n_tasks;
}

/* A legend entry per group of tasks. */
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

static void fill(Figure *figure, Curves *curves, const RunFolder *runs) {
    size_t n = runs->n_tasks;
    bool apart = n <= TASKS_APART;
    for (size_t t = 0; t < n; t++) {
        (void)snprintf(curves->labels[t], sizeof curves->labels[t], "task %zu", t + 1);
        if (apart)
            (void)figure_key(figure, LEGEND_LINE, (unsigned)t, curves->labels[t]);
        curves_series(curves, t, apart ? t : group_of(t, n), curves->labels[t]);
        curves->line[t].faint = !apart;
        for (size_t k = 0; k <= n; k++)
            curves_set(curves, t, k, (double)k, runs_accuracy(runs, k, t + 1));
    }
    if (!apart) {
        add_groups(figure, n);
        fill_groups(figure, curves, runs);
    }
}

tacos_status draw_accuracy(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                           tacos_error *err) {
    size_t n = runs->n_tasks;
    Curves curves;
    figure_begin(figure, sizes, "accuracy", "Accuracy of each task over time");
    text_format(
        &figure->about,
        "Percent right on each task before learning (0) and after each task%s. Left of the "
        "point at which a task is learned is what it gains from other tasks, right of it what "
        "is retained.",
        n > TASKS_APART    ? "; bold lines are means over several tasks"
        : runs->n_runs > 1 ? "; bands are one standard deviation over seeds"
                           : "");
    TRY(curves_make(&curves, n <= TASKS_APART ? n : n + GROUPS, n + 1, err));
    fill(figure, &curves, runs);
    curves_draw_accuracy(&curves, figure, figure_box(figure), NULL, curves.line[0].x + 1,
                         n <= TASKS_APART ? n : 0);
    return figure_check(figure, err);
}

/* ---- the matrix ---- */

/* Shades for a page that shows another seed, one per percent. */
enum { SHADES = 101 };

/* For the page: the shades, the first dark one, and the cells of each seed, row by row. */
static void write_choices(Figure *figure, const RunFolder *runs) {
    Text *out = &figure->choices;
    int dark = -1;
    text_add(out, "{\"ramp\":\"");
    for (int k = 0; k < SHADES; k++) {
        Rgb shade = ramp_amount((double)k / (SHADES - 1));
        text_format(out, "%02x%02x%02x", shade.r, shade.g, shade.b);
        if (dark < 0 && colour_is_dark(shade))
            dark = k;
    }
    text_format(out, "\",\"dark\":%d,\"seeds\":[", dark);
    for (size_t i = 0; i < runs->n_runs; i++) {
        const tacos_run *run = &runs->runs[i];
        text_format(out, "%s[%u", i > 0 ? "," : "", run->seed);
        for (size_t k = 0; k <= runs->n_tasks; k++)
            for (size_t t = 1; t <= runs->n_tasks; t++) {
                text_add(out, ",");
                text_number(out, run_accuracy(run, k, t), 2);
            }
        text_add(out, "]");
    }
    text_add(out, "]}");
}

static void write_table(Figure *figure, const RunFolder *runs) {
    static const char *const head[] = {"after_task", "task", "mean", "sd", NULL};
    csv_head(&figure->csv, head);
    for (size_t k = 0; k <= runs->n_tasks; k++)
        for (size_t t = 1; t <= runs->n_tasks; t++) {
            tacos_summary cell = runs_accuracy(runs, k, t);
            csv_whole(&figure->csv, k);
            csv_whole(&figure->csv, t);
            csv_real(&figure->csv, cell.mean);
            csv_real(&figure->csv, cell.n > 1 ? cell.sd : NAN);
            csv_end(&figure->csv);
        }
}

tacos_status draw_matrix(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    size_t n = runs->n_tasks, cells = (n + 1) * n;
    double *values = calloc(2 * cells, sizeof *values);
    figure_begin(figure, sizes, "matrix", "Accuracy on every task after every task");
    if (!values)
        return failure(err, TACOS_MEMORY, "no memory for a figure");
    text_add(&figure->about, "Percent right; row 0 is before learning. On the diagonal a task has "
                             "just been learned, left of it are earlier ones.");
    figure->height = heat_height(figure, figure_box(figure).width, n + 1, n);
    for (size_t k = 0; k <= n; k++)
        for (size_t t = 0; t < n; t++) {
            tacos_summary cell = runs_accuracy(runs, k, t + 1);
            values[k * n + t] = cell.mean;
            values[cells + k * n + t] = cell.sd;
        }
    Heat heat = {.box = figure_box(figure),
                 .row_label = "after task",
                 .column_label = "task",
                 .n_rows = n + 1,
                 .n_columns = n,
                 .values = values,
                 .sd = runs->n_runs > 1 ? values + cells : NULL,
                 .range = {0, 100}};
    heat_draw(figure, &heat);
    write_table(figure, runs);
    if (runs->n_runs > 1)
        write_choices(figure, runs);
    free(values);
    return figure_check(figure, err);
}
