/* fig_within.c - accuracy within tasks, on a few test samples: how fast a task is learned, and the
 * first one forgotten. */
#include "report/figures/figures.h"

#include <math.h>

/* Dashed lines where tasks end, unless there are many. */
enum { RULES_MAX = 12 };

static tacos_status no_curves(const RunFolder *runs, tacos_error *err) {
    return failure(err, TACOS_MISSING,
                   "%s does not record accuracies within tasks; `tacos run ... --set "
                   "curve_points=50` does",
                   runs->folder);
}

/* The points of each task that were asked, then maybe a gap. */
static void fill(Curves *curves, size_t s, const RunFolder *runs, const char *measure, bool gaps) {
    size_t n_points = runs_parts(runs, "curve"), i = 0;
    for (size_t k = 1; k <= runs->n_tasks; k++, i += gaps)
        for (size_t p = 0; p < n_points; p++) {
            tacos_summary value = runs_metric(runs, measure, k, p);
            if (value.n > 0)
                curves_set(curves, s, i++, (double)(k - 1) + (double)(p + 1) / (double)n_points,
                           value);
        }
}

/* A gap is no row of the table. */
static void write_table(Figure *figure, const Curves *curves) {
    static const char *const head[] = {"series", "tasks_learned", "mean", "sd", NULL};
    csv_head(&figure->csv, head);
    for (size_t s = 0; s < curves->n; s++)
        for (size_t i = 0; i < curves->m; i++) {
            const Line *line = &curves->line[s];
            if (!isfinite(line->y[i]))
                continue;
            csv_word(&figure->csv, line->label);
            csv_real(&figure->csv, line->x[i]);
            csv_real(&figure->csv, line->y[i]);
            csv_real(&figure->csv, line->sd ? line->sd[i] : NAN);
            csv_end(&figure->csv);
        }
}

tacos_status draw_within(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    static const char *const measures[] = {"curve", "curve_first"};
    static const char *const labels[] = {"the task being learned", "the first task"};
    size_t n_tasks = runs->n_tasks, n_points = runs_parts(runs, "curve");
    size_t n_series = n_tasks > 1 ? 2 : 1;
    double ends[RULES_MAX];
    Curves curves;
    figure_begin(figure, sizes, "curves", "Accuracy within tasks");
    text_format(&figure->about,
                "Percent right on at most 50 test samples of a task, at %zu points while each task "
                "is learned%s.",
                n_points, runs->n_runs > 1 ? "; bands are one standard deviation over seeds" : "");
    if (n_points == 0)
        return no_curves(runs, err);
    TRY(curves_make(&curves, n_series, n_tasks * (n_points + 1), err));
    for (size_t s = 0; s < n_series; s++) {
        curves_series(&curves, s, figure_key(figure, LEGEND_LINE, (unsigned)s, labels[s]),
                      labels[s]);
        fill(&curves, s, runs, measures[s], s == 0);
    }
    for (size_t k = 0; k < RULES_MAX; k++)
        ends[k] = (double)(k + 1);
    Lines lines = {.axes = {.box = figure_box(figure),
                            .x = {0, (double)n_tasks},
                            .y = {0, 100},
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .y_label = "accuracy, %"},
                   .unit = " %",
                   .digits = 2,
                   .smooth = true,
                   .n = curves.n,
                   .line = curves.line,
                   .rules = ends,
                   .n_rules = n_tasks - 1 <= RULES_MAX ? n_tasks - 1 : 0,
                   .chance = runs_chance(runs)};
    lines_draw(figure, &lines);
    write_table(figure, &curves);
    curves_free(&curves);
    return figure_check(figure, err);
}
