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
        if (apart)
            (void)figure_key(figure, LEGEND_LINE, (unsigned)t, runs->tasks[t]);
        curves_series(curves, t, apart ? t : group_of(t, n), runs->tasks[t]);
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
                         n <= TASKS_APART ? n : 0, runs_chance(runs));
    return figure_check(figure, err);
}

/* ---- the matrix ---- */

/* SHADES: for a page that shows another seed, one per percent. NAMES_MAX: of more tasks there is
 * room for their numbers only. */
enum { SHADES = 101, NAMES_MAX = 12 };

/* For the page: the shades, the first dark one, the first bright one on dark ground, and the cells
 * of each seed, row by row. */
static void write_choices(Figure *figure, const RunFolder *runs) {
    Text *out = &figure->choices;
    int dark = -1, bright = -1;
    text_add(out, "{\"ramp\":\"");
    for (int k = 0; k < SHADES; k++) {
        Rgb shade = ramp_amount((double)k / (SHADES - 1));
        text_format(out, "%02x%02x%02x", shade.r, shade.g, shade.b);
        if (dark < 0 && colour_is_dark(shade))
            dark = k;
        if (bright < 0 && !colour_is_dark(ramp_amount_dark((double)k / (SHADES - 1))))
            bright = k;
    }
    text_format(out, "\",\"dark\":%d,\"bright\":%d,\"seeds\":[", dark, bright);
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

/* `folder`: a column with the names of several, else NULL. */
static void write_table(Figure *figure, const RunFolder *runs, const char *folder) {
    static const char *const head[] = {"folder", "after_task", "task", "mean", "sd", NULL};
    if (figure->csv.n == 0)
        csv_head(&figure->csv, folder ? head : head + 1);
    for (size_t k = 0; k <= runs->n_tasks; k++)
        for (size_t t = 1; t <= runs->n_tasks; t++) {
            tacos_summary cell = runs_accuracy(runs, k, t);
            if (folder)
                csv_word(&figure->csv, folder);
            csv_whole(&figure->csv, k);
            csv_whole(&figure->csv, t);
            csv_real(&figure->csv, cell.mean);
            csv_real(&figure->csv, cell.n > 1 ? cell.sd : NAN);
            csv_end(&figure->csv);
        }
}

/* The names of the rows, of which the first is before learning, and behind it of the columns. */
static void name_cells(const RunFolder *runs, const char **names) {
    names[0] = "before";
    for (size_t t = 0; t < runs->n_tasks; t++)
        names[1 + t] = runs->tasks[t];
}

static void fill_cells(const RunFolder *runs, double *mean, double *sd) {
    size_t n = runs->n_tasks;
    for (size_t k = 0; k <= n; k++)
        for (size_t t = 0; t < n; t++) {
            tacos_summary cell = runs_accuracy(runs, k, t + 1);
            mean[k * n + t] = cell.mean;
            sd[k * n + t] = cell.sd;
        }
}

/* A matrix and what it points to. */
typedef struct Matrix {
    Heat heat;
    double *values;
    const char **names;
} Matrix;

static void matrix_free(Matrix *matrix) {
    free(matrix->values);
    free(matrix->names);
    *matrix = (Matrix){0};
}

static tacos_status matrix_make(Matrix *out, const RunFolder *runs, tacos_error *err) {
    size_t n = runs->n_tasks, cells = (n + 1) * n;
    bool named = runs->tasks_named && n <= NAMES_MAX;
    *out = (Matrix){0};
    out->values = calloc(2 * cells, sizeof *out->values);
    out->names = calloc(n + 1, sizeof *out->names);
    if (!out->values || !out->names) {
        matrix_free(out);
        return failure(err, TACOS_MEMORY, "no memory for a figure");
    }
    fill_cells(runs, out->values, out->values + cells);
    name_cells(runs, out->names);
    out->heat = (Heat){.row_label = named ? "after" : "after task",
                       .column_label = named ? "accuracy on, %" : "accuracy on task, %",
                       .n_rows = n + 1,
                       .n_columns = n,
                       .values = out->values,
                       .sd = runs->n_runs > 1 ? out->values + cells : NULL,
                       .range = {0, 100},
                       .row_names = named ? out->names : NULL,
                       .column_names = out->names + 1,
                       .first_row = 1};
    return TACOS_OK;
}

tacos_status draw_matrix(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    Matrix matrix;
    figure_begin(figure, sizes, "matrix", "Accuracy on every task after every task");
    text_add(&figure->about, "Percent right; the first row is before learning. On the diagonal a "
                             "task has just been learned, left of it are earlier ones.");
    TRY(matrix_make(&matrix, runs, err));
    figure->height = heat_height(figure, &matrix.heat);
    matrix.heat.box = figure_box(figure);
    heat_draw(figure, &matrix.heat);
    matrix_free(&matrix);
    write_table(figure, runs, NULL);
    if (runs->n_runs > 1 && !runs->running)
        write_choices(figure, runs);
    return figure_check(figure, err);
}

/* The height that the highest of them needs. */
static tacos_status find_height(double *out, const Figure *figure, const RunFolder *runs, size_t n,
                                double width, tacos_error *err) {
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        Matrix matrix;
        TRY(matrix_make(&matrix, &runs[i], err));
        matrix.heat.title = runs[i].label;
        *out = fmax(*out, heat_height_at(figure, &matrix.heat, width));
        matrix_free(&matrix);
    }
    return TACOS_OK;
}

tacos_status draw_compare_matrices(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                                   size_t n, tacos_error *err) {
    enum { COLUMNS = 2 };
    size_t rows = (n + COLUMNS - 1) / COLUMNS;
    double height, gap = sizes->em;
    figure_begin(figure, sizes, "matrix", "Accuracy on every task after every task");
    text_add(&figure->about, "Percent right; the first row is before learning. On the diagonal a "
                             "task has just been learned, left of it are earlier ones.");
    figure_size(figure, true, 1);
    double width = figure_panel(figure, 0, COLUMNS, rows).width;
    TRY(find_height(&height, figure, runs, n, width, err));
    figure->height = (height + gap) * (double)rows;
    for (size_t i = 0; i < n; i++) {
        Box panel = figure_panel(figure, i, COLUMNS, rows);
        Matrix matrix;
        TRY(matrix_make(&matrix, &runs[i], err));
        Heat heat = matrix.heat;
        heat.title = runs[i].label;
        heat.box = panel;
        heat.box.height = heat_height_at(figure, &heat, width);
        heat_draw(figure, &heat);
        matrix_free(&matrix);
        write_table(figure, &runs[i], runs[i].label);
    }
    return figure_check(figure, err);
}
