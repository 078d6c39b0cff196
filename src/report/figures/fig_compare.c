/* fig_compare.c - figures that compare several runs. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS_MAX = 9, METRICS = 6 };

static size_t most_tasks(const RunFolder *runs, size_t n) {
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i].n_tasks > most)
            most = runs[i].n_tasks;
    return most;
}

static void add_keys(Figure *figure, const RunFolder *runs, size_t n, LegendMark mark) {
    for (size_t i = 0; i < n; i++)
        (void)figure_key(figure, mark, (unsigned)i, runs[i].label);
}

/* By chance, if all have the same; 0 if not. */
static double shared_chance(const RunFolder *runs, size_t n) {
    double chance = runs_chance(&runs[0]);
    for (size_t i = 1; i < n; i++)
        if (runs_chance(&runs[i]) != chance)
            return 0;
    return chance;
}

/* The name of a task (from 1), if all that have it call it the same. */
static void name_task(char *out, size_t size, const RunFolder *runs, size_t n, size_t task) {
    const char *name = NULL;
    bool same = true;
    for (size_t i = 0; i < n; i++)
        if (task <= runs[i].n_tasks) {
            same &= !name || strcmp(name, runs[i].tasks[task - 1]) == 0;
            name = runs[i].tasks[task - 1];
        }
    if (same && name)
        (void)snprintf(out, size, "%s, %%", name);
    else
        (void)snprintf(out, size, "task %zu, %%", task);
}

/* ---- one metric after each task ---- */

const CompareCurve compare_curves[COMPARE_CURVES] = {
    {"MA", "MA, %", false, "compare-MA", "Mean accuracy over the tasks so far",
     "MA after each task; bands are one standard deviation over seeds."},
    {"first", "accuracy on the first task, %", false, "compare-first", "Accuracy on the first task",
     "Percent right on the task learned first, after each task: what is kept of it."},
    {"A", "A, %", false, "compare-A", "Accuracy on the newest task",
     "A, just after the task was learned: how well it still learns."},
    {"BWT", "BWT, points", true, "compare-BWT", "Backward transfer",
     "BWT, the change on earlier tasks since they were learned: what is lost."},
    {"FWT", "FWT, points", true, "compare-FWT", "Forward transfer",
     "FWT, the gain over the untrained network on future tasks."},
};

static tacos_status fill_curves(Curves *curves, const RunFolder *runs, size_t n,
                                const CompareCurve *curve, tacos_error *err) {
    TRY(curves_make(curves, n, most_tasks(runs, n), err));
    for (size_t i = 0; i < n; i++) {
        curves_series(curves, i, i, runs[i].label);
        curves_set_metric(curves, i, &runs[i], curve->metric, 0);
    }
    return TACOS_OK;
}

static Lines curve_style(const CompareCurve *curve, const RunFolder *runs, size_t n) {
    return (Lines){.unit = curve->zero ? " points" : " %",
                   .digits = 2,
                   .percent = !curve->zero,
                   .zero = curve->zero,
                   .chance = curve->zero ? 0 : shared_chance(runs, n)};
}

tacos_status draw_compare_curve(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                                const CompareCurve *curve, tacos_error *err) {
    Curves curves;
    figure_begin(figure, sizes, curve->name, curve->title);
    text_add(&figure->about, curve->about);
    add_keys(figure, runs, n, LEGEND_LINE);
    TRY(fill_curves(&curves, runs, n, curve, err));
    return curves_draw_tasks(&curves, figure, curve->y_label, curve_style(curve, runs, n), err);
}

/* Two of the curves, side by side. */
static tacos_status draw_pair(Figure *figure, const RunFolder *runs, size_t n, size_t left,
                              size_t right, tacos_error *err) {
    const size_t which[] = {left, right};
    figure_size(figure, true, 0.38);
    add_keys(figure, runs, n, LEGEND_LINE);
    for (size_t p = 0; p < 2; p++) {
        const CompareCurve *curve = &compare_curves[which[p]];
        Lines style = curve_style(curve, runs, n);
        Curves curves;
        style.axes.box = figure_panel(figure, p, 2, 1);
        style.axes.title = curve->title;
        TRY(fill_curves(&curves, runs, n, curve, err));
        TRY(curves_draw_tasks(&curves, figure, NULL, style, err));
    }
    return figure_check(figure, err);
}

tacos_status draw_compare_means(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                                tacos_error *err) {
    figure_begin(figure, sizes, "means", "Mean accuracy, and accuracy on the first task");
    text_add(&figure->about, "Percent right after each task: the mean over the tasks so far, and "
                             "on the first one; bands are one standard deviation over seeds.");
    return draw_pair(figure, runs, n, 0, 1, err);
}

tacos_status draw_compare_transfer(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                                   size_t n, tacos_error *err) {
    figure_begin(figure, sizes, "transfer", "Backward and forward transfer");
    text_add(&figure->about, "In points, after each task: the change on earlier tasks since they "
                             "were learned, and the gain on future tasks; bands are one standard "
                             "deviation over seeds.");
    return draw_pair(figure, runs, n, 3, 4, err);
}

/* ---- one panel per task ---- */

static tacos_status draw_task(Figure *figure, const RunFolder *runs, size_t n, size_t task, Box box,
                              tacos_error *err) {
    size_t m = most_tasks(runs, n);
    char title[TASK_NAME_SIZE + 8];
    double rule = (double)task;
    Curves curves;
    TRY(curves_make(&curves, n, m + 1, err));
    for (size_t i = 0; i < n; i++) {
        curves_series(&curves, i, i, runs[i].label);
        for (size_t k = 0; k <= runs[i].n_tasks && task <= runs[i].n_tasks; k++)
            curves_set(&curves, i, k, (double)k, runs_accuracy(&runs[i], k, task));
    }
    name_task(title, sizeof title, runs, n, task);
    curves_draw_accuracy(&curves, figure, box, title, &rule, 1, shared_chance(runs, n));
    return TACOS_OK;
}

/* Of many tasks an even selection, from the first to the last. */
tacos_status draw_compare_tasks(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                                tacos_error *err) {
    size_t m = most_tasks(runs, n), shown = m < PANELS_MAX ? m : PANELS_MAX;
    size_t columns = shown == 1 ? 1 : shown == 2 ? 2 : 3, rows = (shown + columns - 1) / columns;
    figure_begin(figure, sizes, "compare-tasks", "Accuracy of each task over time");
    text_format(&figure->about,
                "Percent right before learning (0) and after each task; a dashed line marks where "
                "the task is learned%s.",
                shown < m ? "; an even selection of the tasks" : "");
    figure_size(figure, true, 0.31 * (double)rows);
    add_keys(figure, runs, n, LEGEND_LINE);
    for (size_t p = 0; p < shown; p++) {
        size_t task = shown > 1 ? 1 + p * (m - 1) / (shown - 1) : 1;
        TRY(draw_task(figure, runs, n, task, figure_panel(figure, p, columns, rows), err));
    }
    return figure_check(figure, err);
}

/* ---- final values ---- */

/* A panel of bars, one per folder. */
static tacos_status draw_panel(Figure *figure, const RunFolder *runs, size_t n, const char *metric,
                               Bars style, tacos_error *err) {
    Curves curves;
    TRY(curves_make(&curves, n, n, err));
    for (size_t i = 0; i < n; i++) {
        curves_series(&curves, i, i, runs[i].label);
        curves_set_last(&curves, i, i, &runs[i], metric);
        curves.names[i] = runs[i].label;
    }
    curves_draw_bars(&curves, figure, style, metric, "folder");
    return TACOS_OK;
}

tacos_status draw_compare_bars(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                               tacos_error *err) {
    static const struct {
        const char *metric, *label;
    } shown[METRICS] = {{"MA", "MA, %"},
                        {"A", "A on the last task, %"},
                        {"BWT", "BWT, points"},
                        {"FWT_gem", "FWT (GEM), points"},
                        {"MO", "memory, times the plain network"},
                        {"kops_learn", "thousand operations per sample, learning"}};
    bool any = false;
    figure_begin(figure, sizes, "compare-bars", "After the last task");
    text_add(&figure->about,
             "Bars with one standard deviation over seeds; diamonds are the paper's "
             "values for the same configuration.");
    double panel = bars_horizontal_height(figure, n, 1);
    size_t columns = 2, rows = (METRICS + columns - 1) / columns;
    figure_size(figure, true, 1);
    figure->height = (panel + sizes->em) * (double)rows;
    add_keys(figure, runs, n, LEGEND_BAR);
    for (size_t i = 0; i < n; i++)
        any |= runs[i].n_paper > 0;
    size_t paper = any ? figure_key(figure, LEGEND_POINT, 0, "paper") : 0;
    for (size_t p = 0; p < METRICS; p++) {
        Bars style = {.box = figure_panel(figure, p, columns, rows),
                      .label = shown[p].label,
                      .unit = "",
                      .digits = 2,
                      .horizontal = true,
                      .one_each = true,
                      .paper_series = paper};
        TRY(draw_panel(figure, runs, n, shown[p].metric, style, err));
    }
    return figure_check(figure, err);
}
