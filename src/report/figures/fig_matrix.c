/* fig_matrix.c - the matrix R as a heat map: the mean over seeds, and each seed to choose. */
#include "report/figures/figures.h"
#include "report/charts/text.h"
#include "report/charts/charts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Shades that a page can choose from when another seed is asked for, one a percent. */
enum { SHADES = 101 };

/* For the page: the shades, from which on they are dark, and each seed's cells, row by row. */
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

tacos_status draw_matrix(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    size_t n = runs->n_tasks, cells = (n + 1) * n;
    double *values = calloc(2 * cells, sizeof *values);
    figure_begin(figure, look, "matrix", "Accuracy on every task after every task");
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
