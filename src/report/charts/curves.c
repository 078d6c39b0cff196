/* curves.c - stores the numbers of a chart, to be drawn as lines or as bars. */
#include "report/charts/charts.h"

#include <math.h>
#include <stdlib.h>

enum { X, Y, SD, PAPER, PAPER_SD, KINDS };

static double *row(const Curves *curves, size_t s, size_t kind) {
    return curves->numbers + (s * KINDS + kind) * curves->m;
}

tacos_status curves_make(Curves *out, size_t n, size_t m, tacos_error *err) {
    *out = (Curves){.n = n, .m = m};
    out->line = calloc(n + 1, sizeof *out->line);
    out->bar = calloc(n + 1, sizeof *out->bar);
    out->numbers = calloc(n * m * KINDS + 1, sizeof *out->numbers);
    out->names = calloc(m + 1, sizeof *out->names);
    out->labels = calloc(m + 1, sizeof *out->labels);
    if (!out->line || !out->bar || !out->numbers || !out->names || !out->labels) {
        curves_free(out);
        return failure(err, TACOS_MEMORY, "no memory for a figure");
    }
    for (size_t i = 0; i < n * m * KINDS; i++)
        out->numbers[i] = NAN;
    for (size_t i = 0; i < m; i++)
        out->names[i] = out->labels[i];
    return TACOS_OK;
}

void curves_free(Curves *curves) {
    free(curves->line);
    free(curves->bar);
    free(curves->numbers);
    free(curves->names);
    free(curves->labels);
    *curves = (Curves){0};
}

void curves_series(Curves *curves, size_t s, size_t series, const char *label) {
    curves->line[s] = (Line){.series = series,
                             .label = label,
                             .n = curves->m,
                             .x = row(curves, s, X),
                             .y = row(curves, s, Y)};
    curves->bar[s] = (BarSeries){.series = series, .label = label, .value = row(curves, s, Y)};
}

void curves_set(Curves *curves, size_t s, size_t i, double x, tacos_summary value) {
    row(curves, s, X)[i] = x;
    row(curves, s, Y)[i] = value.n > 0 ? value.mean : NAN;
    if (value.n > 1) {
        row(curves, s, SD)[i] = value.sd;
        curves->line[s].sd = curves->bar[s].sd = row(curves, s, SD);
    }
}

void curves_set_paper(Curves *curves, size_t s, size_t i, double value, double sd) {
    row(curves, s, PAPER)[i] = value;
    row(curves, s, PAPER_SD)[i] = sd;
    if (isfinite(value)) {
        curves->line[s].paper = curves->bar[s].paper = row(curves, s, PAPER);
        curves->bar[s].paper_sd = row(curves, s, PAPER_SD);
    }
}

bool curves_any_paper(const Curves *curves) {
    for (size_t s = 0; s < curves->n; s++)
        if (curves->line[s].paper)
            return true;
    return false;
}

static bool any_value(const Curves *curves) {
    for (size_t s = 0; s < curves->n; s++)
        for (size_t i = 0; i < curves->m; i++)
            if (isfinite(row(curves, s, Y)[i]))
                return true;
    return false;
}

tacos_status curves_draw_tasks(Curves *curves, Figure *figure, const char *y_label, Lines style,
                               tacos_error *err) {
    Lines lines = style;
    if (!any_value(curves)) {
        curves_free(curves);
        return failure(err, TACOS_MISSING, "after one task there is nothing to compare");
    }
    lines.axes = (Axes){.box = style.axes.title ? style.axes.box : figure_box(figure),
                        .title = style.axes.title,
                        .x = RANGE_EMPTY,
                        .y = RANGE_EMPTY,
                        .whole_x = true,
                        .x_label = "tasks learned",
                        .y_label = y_label};
    lines.n = curves->n;
    lines.line = curves->line;
    if (curves_any_paper(curves))
        lines.paper_series = figure_key(figure, LEGEND_POINT, 0, "paper");
    lines_draw(figure, &lines);
    lines_table(figure, &lines, style.axes.title, "tasks_learned");
    curves_free(curves);
    return figure_check(figure, err);
}

void curves_draw_accuracy(Curves *curves, Figure *figure, Box box, const char *title,
                          const double *rules, size_t n_rules, double chance) {
    Lines lines = {.axes = {.box = box,
                            .x = {0, (double)(curves->m - 1)},
                            .y = {0, 100},
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .y_label = title ? NULL : "accuracy, %",
                            .title = title},
                   .unit = " %",
                   .digits = 2,
                   .n = curves->n,
                   .line = curves->line,
                   .rules = rules,
                   .n_rules = n_rules,
                   .chance = chance};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, title, "tasks_learned");
    curves_free(curves);
}

void curves_draw_bars(Curves *curves, Figure *figure, Bars style, const char *panel,
                      const char *group_name) {
    Bars bars = style;
    if (bars.n_groups == 0)
        bars.n_groups = curves->m;
    bars.groups = curves->names;
    bars.n_series = curves->n;
    bars.series = curves->bar;
    bars_draw(figure, &bars);
    bars_table(figure, &bars, panel, group_name);
    curves_free(curves);
}
