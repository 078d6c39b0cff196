/* fig_compare.c - several folders in one figure. */
#include "report/charts/charts.h"
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>

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

/* One metric after each task, a line a folder. */
static tacos_status draw_metric(Figure *figure, const RunFolder *runs, size_t n, const char *metric,
                                const char *y_label, bool zero, tacos_error *err) {
    size_t m = most_tasks(runs, n);
    Curves curves;
    TRY(curves_make(&curves, n, m, err));
    add_keys(figure, runs, n, LEGEND_LINE);
    for (size_t i = 0; i < n; i++) {
        curves_series(&curves, i, i, runs[i].label);
        for (size_t k = 1; k <= m; k++) {
            tacos_summary none = {0, NAN, 0};
            bool there = k <= runs[i].n_tasks;
            curves_set(&curves, i, k - 1, (double)k,
                       there ? runs_metric(&runs[i], metric, k, 0) : none);
            curves_set_paper(&curves, i, k - 1, runs_paper(&runs[i], metric, k, 0), NAN);
        }
    }
    Lines style = {.unit = " %", .digits = 2, .percent = !zero, .zero = zero};
    return curves_draw_tasks(&curves, figure, y_label, style, err);
}

tacos_status draw_compare_means(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                                tacos_error *err) {
    figure_begin(figure, look, "compare-MA", "Mean accuracy over the tasks so far");
    text_add(&figure->about, "MA after each task; bands are one deviation over seeds.");
    return draw_metric(figure, runs, n, "MA", "MA, %", false, err);
}

tacos_status draw_compare_newest(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                                 tacos_error *err) {
    figure_begin(figure, look, "compare-A", "Accuracy on the newest task");
    text_add(&figure->about, "A, just after the task was learned: how much can still be learned.");
    return draw_metric(figure, runs, n, "A", "A, %", false, err);
}

tacos_status draw_compare_backward(Figure *figure, const Look *look, const RunFolder *runs,
                                   size_t n, tacos_error *err) {
    figure_begin(figure, look, "compare-BWT", "Backward transfer");
    text_add(&figure->about, "BWT, the change on earlier tasks since they were learned: what is "
                             "lost.");
    return draw_metric(figure, runs, n, "BWT", "BWT, points", true, err);
}

tacos_status draw_compare_forward(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                                  tacos_error *err) {
    figure_begin(figure, look, "compare-FWT", "Forward transfer");
    text_add(&figure->about, "FWT, the gain over the untrained network on tasks to come.");
    return draw_metric(figure, runs, n, "FWT", "FWT, points", true, err);
}

/* ---- a panel a task ---- */

static tacos_status draw_task(Figure *figure, const RunFolder *runs, size_t n, size_t task, Box box,
                              tacos_error *err) {
    size_t m = most_tasks(runs, n);
    char title[32];
    double rule = (double)task;
    Curves curves;
    TRY(curves_make(&curves, n, m + 1, err));
    for (size_t i = 0; i < n; i++) {
        curves_series(&curves, i, i, runs[i].label);
        for (size_t k = 0; k <= runs[i].n_tasks && task <= runs[i].n_tasks; k++)
            curves_set(&curves, i, k, (double)k, runs_accuracy(&runs[i], k, task));
    }
    (void)snprintf(title, sizeof title, "task %zu, %%", task);
    Lines lines = {.axes = {.box = box,
                            .x = {0, (double)m},
                            .y = {0, 100},
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .title = title},
                   .unit = " %",
                   .digits = 2,
                   .n = n,
                   .line = curves.line,
                   .rules = &rule,
                   .n_rules = 1};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, title, "tasks_learned");
    curves_free(&curves);
    return TACOS_OK;
}

/* Of many tasks an even choice, from the first to the last. */
tacos_status draw_compare_tasks(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                                tacos_error *err) {
    size_t m = most_tasks(runs, n), shown = m < PANELS_MAX ? m : PANELS_MAX;
    size_t columns = shown == 1 ? 1 : shown == 2 ? 2 : 3, rows = (shown + columns - 1) / columns;
    figure_begin(figure, look, "compare-tasks", "Accuracy of each task over time");
    text_format(&figure->about,
                "Percent right before learning (0) and after each task; a dashed line where the "
                "task is learned%s.",
                shown < m ? "; of the tasks, an even choice" : "");
    figure_size(figure, true, 0.31 * (double)rows);
    add_keys(figure, runs, n, LEGEND_LINE);
    for (size_t p = 0; p < shown; p++) {
        size_t task = shown > 1 ? 1 + p * (m - 1) / (shown - 1) : 1;
        TRY(draw_task(figure, runs, n, task, figure_panel(figure, p, columns, rows), err));
    }
    return figure_check(figure, err);
}

/* ---- last values ---- */

/* A panel of bars, one a folder. */
static tacos_status draw_bars(Figure *figure, const RunFolder *runs, size_t n, const char *metric,
                              const char *label, Box box, size_t paper, tacos_error *err) {
    Curves curves;
    TRY(curves_make(&curves, n, n, err));
    for (size_t i = 0; i < n; i++) {
        size_t last = runs[i].n_tasks;
        bool whole = metric[0] == 'M' && metric[1] == 'O';
        curves_series(&curves, i, i, runs[i].label);
        curves_set(&curves, i, i, 0, runs_metric(&runs[i], metric, last, 0));
        curves_set_paper(&curves, i, i, runs_paper(&runs[i], metric, whole ? 0 : last, 0),
                         runs_paper_sd(&runs[i], metric, whole ? 0 : last, 0));
        curves.names[i] = runs[i].label;
    }
    Bars bars = {.box = box,
                 .label = label,
                 .unit = "",
                 .digits = 2,
                 .lying = true,
                 .one_each = true,
                 .n_groups = n,
                 .groups = curves.names,
                 .n_series = n,
                 .series = curves.bar,
                 .paper_series = paper};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, metric, "folder");
    curves_free(&curves);
    return TACOS_OK;
}

tacos_status draw_compare_bars(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                               tacos_error *err) {
    static const struct {
        const char *metric, *label;
    } shown[METRICS] = {{"MA", "MA, %"},
                        {"A", "A on the last task, %"},
                        {"BWT", "BWT, points"},
                        {"FWT_gem", "FWT (GEM), points"},
                        {"MO", "memory, times the plain network"},
                        {"kops_learn", "thousand operations a sample, learning"}};
    bool any = false;
    figure_begin(figure, look, "compare-bars", "After the last task");
    text_add(&figure->about, "Bars with one deviation over seeds; diamonds are what the paper "
                             "prints for the same configuration.");
    double panel = bars_lying_height(figure, n, 1);
    size_t columns = 2, rows = (METRICS + columns - 1) / columns;
    figure_size(figure, true, 1);
    figure->height = (panel + look->em) * (double)rows;
    add_keys(figure, runs, n, LEGEND_BAR);
    for (size_t i = 0; i < n; i++)
        any |= runs[i].n_paper > 0;
    size_t paper = any ? figure_key(figure, LEGEND_POINT, 0, "paper") : 0;
    for (size_t p = 0; p < METRICS; p++)
        TRY(draw_bars(figure, runs, n, shown[p].metric, shown[p].label,
                      figure_panel(figure, p, columns, rows), paper, err));
    return figure_check(figure, err);
}
