/* fig_metrics.c - metrics after each task, with the paper's values where it has them. */
#include "report/charts/charts.h"
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Shown {
    const char *metric, *label;
} Shown;

/* Draw some metrics as lines over the tasks learned. */
static tacos_status draw(Figure *figure, const RunFolder *runs, const Shown *shown, size_t n,
                         const char *y_label, bool zero, tacos_error *err) {
    Curves curves;
    TRY(curves_make(&curves, n, runs->n_tasks, err));
    for (size_t s = 0; s < n; s++) {
        curves_series(&curves, s, figure_key(figure, LEGEND_LINE, (unsigned)s, shown[s].label),
                      shown[s].label);
        for (size_t k = 1; k <= runs->n_tasks; k++) {
            curves_set(&curves, s, k - 1, (double)k, runs_metric(runs, shown[s].metric, k, 0));
            curves_set_paper(&curves, s, k - 1, runs_paper(runs, shown[s].metric, k, 0), NAN);
        }
    }
    Lines style = {.unit = " %", .digits = 2, .percent = !zero, .zero = zero};
    return curves_draw_tasks(&curves, figure, y_label, style, err);
}

tacos_status draw_means(Figure *figure, const Look *look, const RunFolder *runs, tacos_error *err) {
    static const Shown shown[] = {{"MA", "MA, all tasks so far"}, {"A", "A, the newest task"}};
    figure_begin(figure, look, "means", "Mean accuracy, and that of the newest task");
    text_add(&figure->about, "MA is the mean over the tasks learned so far, A the accuracy on the "
                             "one just learned.");
    return draw(figure, runs, shown, 2, "accuracy, %", false, err);
}

tacos_status draw_transfer(Figure *figure, const Look *look, const RunFolder *runs,
                           tacos_error *err) {
    static const Shown shown[] = {{"BWT", "BWT"}, {"FWT", "FWT"}, {"forgetting", "forgetting"}};
    figure_begin(figure, look, "transfer", "Transfer and forgetting");
    text_add(&figure->about,
             "BWT is the change on earlier tasks since they were learned, FWT the gain on tasks to "
             "come over the untrained network, forgetting the fall from the best that was had.");
    return draw(figure, runs, shown, 3, "points", true, err);
}

tacos_status draw_beside(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    static const Shown shown[] = {{"MA", "MA"}, {"A", "A"}, {"BWT", "BWT"}};
    enum { N = sizeof shown / sizeof *shown };
    size_t last = runs->n_tasks;
    Curves curves;
    figure_begin(figure, look, "beside", "After the last task, beside the paper");
    text_add(&figure->about, "Bars are these runs with one deviation over seeds, diamonds what the "
                             "paper prints for the same configuration.");
    if (isnan(runs_paper(runs, "MA", last, 0)))
        return failure(err, TACOS_MISSING, "the paper has no numbers for the configuration in %s",
                       runs->folder);
    TRY(curves_make(&curves, 1, N, err));
    curves_series(&curves, 0, figure_key(figure, LEGEND_BAR, 0, "here"), "here");
    size_t n = 0;
    for (size_t m = 0; m < N; m++) {
        double paper = runs_paper(runs, shown[m].metric, last, 0);
        if (isnan(paper))
            continue;
        (void)snprintf(curves.words[n], sizeof curves.words[n], "%s", shown[m].label);
        curves_set(&curves, 0, n, 0, runs_metric(runs, shown[m].metric, last, 0));
        curves_set_paper(&curves, 0, n++, paper, runs_paper_sd(runs, shown[m].metric, last, 0));
    }
    figure->height = bars_lying_height(figure, n, 1);
    Bars bars = {.box = figure_box(figure),
                 .label = "% or points",
                 .unit = "",
                 .digits = 2,
                 .lying = true,
                 .n_groups = n,
                 .groups = curves.names,
                 .n_series = 1,
                 .series = curves.bar,
                 .paper_series = figure_key(figure, LEGEND_POINT, 0, "paper")};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, NULL, "metric");
    curves_free(&curves);
    return figure_check(figure, err);
}
