/* bars.c - bar charts, vertical or horizontal: groups along one axis, values along the other. */
#include "report/charts/charts.h"

#include "report/charts/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The plane of a figure whose groups run downwards or to the right. */
typedef struct BarLayout {
    bool horizontal;
    Scale values;
    double start, pitch; /* where the first group begins, and how far it is to the next */
    double bar;          /* width of a bar */
    Box inner;
} BarLayout;

double bars_horizontal_height(const Figure *figure, size_t n_groups, size_t n_series) {
    double row = n_series > 1 ? 0.95 * (double)n_series + 0.8 : 1.9;
    return figure->sizes.em * (4.4 + row * (double)n_groups);
}

static double paper_of(const BarSeries *series, size_t g) {
    return series->paper ? series->paper[g] : NAN;
}

static double sd_of(const double *sd, size_t g) {
    return sd && isfinite(sd[g]) ? sd[g] : 0;
}

/* Bars begin at 0. Where all values are on one side of it, so is the axis, whatever their spread:
 * no count is below 0, and a whisker ends there. */
static Range from_zero(Range spread, Range values) {
    range_take(&values, 0);
    range_take(&spread, 0);
    if (values.lo == 0)
        spread.lo = 0;
    if (values.hi == 0)
        spread.hi = 0;
    if (spread.lo == spread.hi) /* nothing but 0 */
        spread.hi = 1;
    return spread;
}

static Range value_range(const Bars *bars) {
    Range range = RANGE_EMPTY, values = RANGE_EMPTY;
    for (size_t s = 0; s < bars->n_series; s++)
        for (size_t g = 0; g < bars->n_groups; g++) {
            const BarSeries *series = &bars->series[s];
            range_take(&values, series->value[g]);
            range_take(&values, paper_of(series, g));
            range_take(&range, series->value[g] - sd_of(series->sd, g));
            range_take(&range, series->value[g] + sd_of(series->sd, g));
            range_take(&range, paper_of(series, g) - sd_of(series->paper_sd, g));
            range_take(&range, paper_of(series, g) + sd_of(series->paper_sd, g));
        }
    return range_round(bars->dots ? range : from_zero(range, values), 5);
}

/* ---- the plane ---- */

static double widest_group(const Bars *bars) {
    double width = 0;
    for (size_t g = 0; g < bars->n_groups; g++)
        width = fmax(width, svg_text_width(bars->groups[g]));
    return width;
}

static void draw_horizontal_axis(Figure *figure, const Bars *bars, BarLayout *layout) {
    double em = figure->sizes.em, bottom = layout->inner.y + layout->inner.height;
    Ticks ticks = ticks_in((Range){layout->values.lo, layout->values.hi}, 5, false);
    for (size_t k = 0; k < ticks.n; k++) {
        double x = scale_at(&layout->values, ticks.at[k]);
        svg_line(&figure->marks, "grid", x, layout->inner.y, x, bottom);
        svg_number(&figure->marks, "muted m", x, bottom + em * 1.3, ticks.digits, ticks.at[k]);
    }
    if (bars->label)
        svg_text(&figure->marks, "muted m", layout->inner.x + layout->inner.width / 2,
                 bottom + em * 2.7, bars->label);
    if (bars->title)
        svg_text(&figure->marks, "strong m", layout->inner.x + layout->inner.width / 2,
                 bars->box.y + em * 0.9, bars->title);
}

static BarLayout layout_horizontal(Figure *figure, const Bars *bars, Range range) {
    double em = figure->sizes.em, large = figure->sizes.largest;
    double left = fmin(large * widest_group(bars) + em * 0.9, bars->box.width * 0.5);
    double top = em * (bars->title ? 1.7 : 0.4), bottom = em * (bars->label ? 3.1 : 1.8);
    double right = large * 1.2; /* half of the last number */
    left = fmax(left, bars->left);
    BarLayout layout = {.horizontal = true,
                        .inner = {bars->box.x + left, bars->box.y + top,
                                  bars->box.width - left - right, bars->box.height - top - bottom}};
    layout.values =
        (Scale){range.lo, range.hi, layout.inner.x, layout.inner.x + layout.inner.width};
    layout.start = layout.inner.y;
    layout.pitch = layout.inner.height / (double)bars->n_groups;
    draw_horizontal_axis(figure, bars, &layout);
    return layout;
}

static BarLayout layout_vertical(Figure *figure, const Bars *bars, Range range) {
    Axes axes = {.box = bars->box,
                 .x = {0, 1},
                 .y = range,
                 .y_label = bars->label,
                 .x_label = bars->group_label,
                 .title = bars->title,
                 .no_x_ticks = true,
                 .left = bars->left};
    Plane plane = axes_draw(figure, &axes);
    return (BarLayout){.horizontal = false,
                       .inner = plane.inner,
                       .values = plane.y,
                       .start = plane.inner.x,
                       .pitch = plane.inner.width / (double)bars->n_groups};
}

/* Names of groups; of many upright ones only every second, third, ... so that they do not meet. */
static void draw_names(Figure *figure, const Bars *bars, const BarLayout *layout) {
    double em = figure->sizes.em, room = em * (widest_group(bars) + 0.6);
    size_t every = layout->horizontal ? 1 : (size_t)ceil(room / layout->pitch);
    for (size_t g = 0; g<bars->n_groups; g += every> 0 ? every : 1) {
        double at = layout->start + layout->pitch * ((double)g + 0.5);
        if (layout->horizontal)
            svg_text(&figure->marks, "e", layout->inner.x - em * 0.6, at + em * 0.35,
                     bars->groups[g]);
        else
            svg_text(&figure->marks, "muted m", at,
                     layout->inner.y + layout->inner.height + em * 1.35, bars->groups[g]);
    }
}

/* ---- bars ---- */

static void across(Figure *figure, const BarLayout *layout, const char *class, double at,
                   double from, double to) {
    if (layout->horizontal)
        svg_line(&figure->marks, class, from, at, to, at);
    else
        svg_line(&figure->marks, class, at, from, at, to);
}

static void whisker(Figure *figure, const BarLayout *layout, double at, double value, double sd) {
    if (sd > 0)
        across(figure, layout, "whisker", at,
               scale_at(&layout->values, fmax(value - sd, layout->values.lo)),
               scale_at(&layout->values, fmin(value + sd, layout->values.hi)));
}

static double bar_middle(const Bars *bars, const BarLayout *layout, size_t s, size_t g) {
    double middle = layout->start + layout->pitch * ((double)g + 0.5);
    if (bars->one_each)
        return middle;
    return middle + layout->bar * ((double)s - (double)(bars->n_series - 1) / 2);
}

static void draw_bar(Figure *figure, const Bars *bars, const BarLayout *layout, size_t s,
                     size_t g) {
    const BarSeries *series = &bars->series[s];
    double at = bar_middle(bars, layout, s, g), wide = layout->bar * 0.88;
    double base = scale_at(&layout->values, fmin(fmax(0, layout->values.lo), layout->values.hi));
    double end = scale_at(&layout->values, series->value[g]);
    double low = fmin(base, end), length = fabs(end - base);
    bool named = series->label[0] && strcmp(series->label, bars->groups[g]) != 0;
    Tip tip = {.n = 0};
    tip_add(&tip, "%s%s%s\n", bars->groups[g], named ? ", " : "", named ? series->label : "");
    tip_value(&tip, bars->digits, bars->unit, series->value[g], series->sd ? series->sd[g] : NAN,
              paper_of(series, g));
    Box box = layout->horizontal ? (Box){low, at - wide / 2, length, wide}
                                 : (Box){at - wide / 2, low, wide, length};
    if (!bars->dots)
        svg_rect(&figure->marks, "bar", box, tip.text);
    whisker(figure, layout, at, series->value[g], sd_of(series->sd, g));
    if (bars->dots)
        svg_shape(&figure->marks, "dot", (unsigned)s, layout->horizontal ? end : at,
                  layout->horizontal ? at : end, figure->sizes.em * 0.34, tip.text);
}

static void draw_paper(Figure *figure, const Bars *bars, const BarLayout *layout) {
    double radius = fmin(figure->sizes.em * 0.33, layout->bar * 0.36);
    figure_series(figure, bars->paper_series);
    for (size_t s = 0; s < bars->n_series; s++)
        for (size_t g = 0; g < bars->n_groups; g++) {
            const BarSeries *series = &bars->series[s];
            double value = paper_of(series, g);
            Tip tip = {.n = 0};
            if (!isfinite(value))
                continue;
            double at = bar_middle(bars, layout, s, g), end = scale_at(&layout->values, value);
            tip_add(&tip, "%s in the paper\n", bars->groups[g]);
            tip_value(&tip, bars->digits, bars->unit, value, NAN, NAN);
            whisker(figure, layout, at, value, sd_of(series->paper_sd, g));
            figure_paper_mark(figure, series->series, bars->dots, layout->horizontal ? end : at,
                              layout->horizontal ? at : end, radius, tip.text);
        }
    figure_series_end(figure);
}

static bool has_paper(const Bars *bars) {
    for (size_t s = 0; s < bars->n_series; s++)
        for (size_t g = 0; g < bars->n_groups; g++)
            if (isfinite(paper_of(&bars->series[s], g)))
                return true;
    return false;
}

void bars_draw(Figure *figure, const Bars *bars) {
    Range range = value_range(bars);
    BarLayout layout = bars->horizontal ? layout_horizontal(figure, bars, range)
                                        : layout_vertical(figure, bars, range);
    layout.bar = fmin(layout.pitch * 0.8 / (bars->one_each ? 1 : (double)bars->n_series),
                      figure->sizes.em * 2.4);
    draw_names(figure, bars, &layout);
    for (size_t s = 0; s < bars->n_series; s++) {
        figure_series(figure, bars->series[s].series);
        for (size_t g = 0; g < bars->n_groups; g++)
            if (isfinite(bars->series[s].value[g]))
                draw_bar(figure, bars, &layout, s, g);
        figure_series_end(figure);
    }
    if (has_paper(bars))
        draw_paper(figure, bars, &layout);
    double zero = scale_at(&layout.values, fmin(fmax(0, layout.values.lo), layout.values.hi));
    if (bars->horizontal)
        svg_line(&figure->marks, "axis", zero, layout.inner.y, zero,
                 layout.inner.y + layout.inner.height);
    else
        svg_line(&figure->marks, "axis", layout.inner.x, zero, layout.inner.x + layout.inner.width,
                 zero);
}

void bars_table(Figure *figure, const Bars *bars, const char *panel, const char *group_name) {
    bool paper = has_paper(bars);
    const char *const head[] = {
        "panel", group_name, "series", "value", "sd", paper ? "paper" : NULL, "paper_sd", NULL};
    if (figure->csv.n == 0)
        csv_head(&figure->csv, panel ? head : head + 1);
    for (size_t g = 0; g < bars->n_groups; g++)
        for (size_t s = 0; s < bars->n_series; s++) {
            const BarSeries *series = &bars->series[s];
            if (bars->one_each && s != g)
                continue;
            if (panel)
                csv_word(&figure->csv, panel);
            csv_word(&figure->csv, bars->groups[g]);
            csv_word(&figure->csv, series->label);
            csv_real(&figure->csv, series->value[g]);
            csv_real(&figure->csv, series->sd ? series->sd[g] : NAN);
            if (paper) {
                csv_real(&figure->csv, paper_of(series, g));
                csv_real(&figure->csv, series->paper_sd ? series->paper_sd[g] : NAN);
            }
            csv_end(&figure->csv);
        }
}
