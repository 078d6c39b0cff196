/* lines.c - line charts: bands, then lines, then points with their tooltips. */
#include "report/charts/charts.h"

#include "report/charts/text.h"

#include <math.h>
#include <stdio.h>

/* Beyond this many points only lines are drawn: points would hide them and bloat the page. */
enum { POINTS_MAX = 900, BANDS_MAX = 6 };

static double spread(const Line *line, size_t i) {
    return line->sd && isfinite(line->sd[i]) ? line->sd[i] : 0;
}

static double paper_at(const Line *line, size_t i) {
    return line->paper ? line->paper[i] : NAN;
}

static void find_ranges(const Lines *lines, Axes *axes) {
    Range x = RANGE_EMPTY, y = RANGE_EMPTY;
    for (size_t k = 0; k < lines->n; k++)
        for (size_t i = 0; i < lines->line[k].n; i++) {
            const Line *line = &lines->line[k];
            range_take(&x, line->x[i]);
            range_take(&y, line->y[i] - spread(line, i));
            range_take(&y, line->y[i] + spread(line, i));
            range_take(&y, paper_at(line, i));
        }
    if (lines->zero)
        range_take(&y, 0);
    if (lines->chance > 0) /* with room below, or the axis would hide it */
        range_take(&y, fmax(lines->chance - 2, 0));
    if (range_is_empty(axes->x))
        axes->x = x.lo < x.hi ? x : (Range){x.lo - 0.5, x.lo + 0.5};
    if (range_is_empty(axes->y))
        axes->y = range_round(y, 5);
    if (lines->percent) {
        axes->y.lo = fmax(axes->y.lo, 0);
        axes->y.hi = fmin(axes->y.hi, 100);
    }
    if (lines->not_negative)
        axes->y.lo = fmax(axes->y.lo, 0);
}

static double within(const Plane *plane, double y) {
    double at = scale_at(&plane->y, y);
    return fmin(fmax(at, plane->inner.y), plane->inner.y + plane->inner.height);
}

/* From gap to gap: along the upper edge and back along the lower. */
static void draw_band(Figure *figure, const Plane *plane, const Line *line) {
    for (size_t i = 0, end; i < line->n; i = end + 1) {
        for (end = i; end < line->n && isfinite(line->y[end]);)
            end++;
        if (end - i < 2)
            continue;
        svg_path_begin(&figure->marks, "band");
        for (size_t k = i; k < end; k++)
            svg_path_to(&figure->marks, k == i, scale_at(&plane->x, line->x[k]),
                        within(plane, line->y[k] + spread(line, k)));
        for (size_t k = end; k-- > i;)
            svg_path_to(&figure->marks, false, scale_at(&plane->x, line->x[k]),
                        within(plane, line->y[k] - spread(line, k)));
        text_add(&figure->marks, "z");
        svg_path_end(&figure->marks, NULL);
    }
}

static void draw_line(Figure *figure, const Plane *plane, const Line *line, const char *tip) {
    bool move = true;
    svg_path_begin(&figure->marks, line->faint ? "line faint" : "line");
    for (size_t i = 0; i < line->n; i++) {
        if (isfinite(line->y[i]))
            svg_path_to(&figure->marks, move, scale_at(&plane->x, line->x[i]),
                        within(plane, line->y[i]));
        move = !isfinite(line->y[i]);
    }
    svg_path_end(&figure->marks, tip);
}

static void tip_place(Tip *tip, const Lines *lines, const Line *line, size_t i) {
    tip_add(tip, "\n%s %.10g: ", lines->axes.x_label ? lines->axes.x_label : "at", line->x[i]);
}

static void draw_points(Figure *figure, const Plane *plane, const Lines *lines, const Line *line) {
    unsigned shape = figure->keys[line->series].colour;
    for (size_t i = 0; i < line->n; i++) {
        Tip tip = {.n = 0};
        if (!isfinite(line->y[i]))
            continue;
        tip_add(&tip, "%s", line->label);
        tip_place(&tip, lines, line, i);
        tip_value(&tip, lines->digits, lines->unit, line->y[i], line->sd ? line->sd[i] : NAN,
                  paper_at(line, i));
        svg_shape(&figure->marks, "dot", shape, scale_at(&plane->x, line->x[i]),
                  within(plane, line->y[i]), figure->sizes.em * (line->n > 24 ? 0.17 : 0.27),
                  tip.text);
    }
}

static void draw_paper(Figure *figure, const Plane *plane, const Lines *lines) {
    figure_series(figure, lines->paper_series);
    for (size_t k = 0; k < lines->n; k++)
        for (size_t i = 0; i < lines->line[k].n; i++) {
            const Line *line = &lines->line[k];
            Tip tip = {.n = 0};
            if (!isfinite(paper_at(line, i)))
                continue;
            tip_add(&tip, "%s in the paper", line->label);
            tip_place(&tip, lines, line, i);
            tip_value(&tip, lines->digits, lines->unit, paper_at(line, i), NAN, NAN);
            /* In the line's colour, since there may be several at one place. */
            figure_paper_mark(figure, line->series, true, scale_at(&plane->x, line->x[i]),
                              within(plane, paper_at(line, i)), figure->sizes.em * 0.33, tip.text);
        }
    figure_series_end(figure);
}

static void draw_marks(Figure *figure, const Plane *plane, const Lines *lines) {
    figure_series(figure, lines->mark_series);
    for (size_t k = 0; k < lines->n_marks; k++) {
        double at = lines->marks[k];
        Tip tip = {.n = 0};
        tip_add(&tip, "%s\n%s %.10g", figure->keys[lines->mark_series].label,
                lines->axes.x_label ? lines->axes.x_label : "at", at);
        plane_rule(figure, plane, at);
        figure_paper_mark(figure, lines->mark_series, false, scale_at(&plane->x, at),
                          plane->inner.y, figure->sizes.em * 0.4, tip.text);
    }
    figure_series_end(figure);
}

/* What answers without any knowledge have. */
static void draw_chance(Figure *figure, const Plane *plane, double chance) {
    double em = figure->sizes.em, y = scale_at(&plane->y, chance);
    double end = plane->inner.x + plane->inner.width;
    Tip tip = {.n = 0};
    tip_add(&tip, "chance\n%.3g %%", chance);
    text_add(&figure->marks, "<g class=\"chance\">");
    svg_line(&figure->marks, "rule", plane->inner.x, y, end, y);
    svg_rect(&figure->marks, "hit",
             (Box){plane->inner.x, y - em * 0.3, plane->inner.width, em * 0.6}, tip.text);
    text_add(&figure->marks, "</g>\n");
}

/* Its name, over the lines. */
static void name_chance(Figure *figure, const Plane *plane, double chance) {
    double em = figure->sizes.em, y = scale_at(&plane->y, chance);
    text_add(&figure->marks, "<g class=\"chance\">");
    svg_text(&figure->marks, "muted small e", plane->inner.x + plane->inner.width,
             y + (y - em < plane->inner.y ? em : -em * 0.3), "chance");
    text_add(&figure->marks, "</g>\n");
}

static bool has_paper(const Lines *lines) {
    for (size_t k = 0; k < lines->n; k++)
        for (size_t i = 0; i < lines->line[k].n; i++)
            if (isfinite(paper_at(&lines->line[k], i)))
                return true;
    return false;
}

void lines_draw(Figure *figure, const Lines *lines) {
    Axes axes = lines->axes;
    size_t n_points = 0, n_strong = 0;
    find_ranges(lines, &axes);
    Plane plane = axes_draw(figure, &axes);
    for (size_t i = 0; i < lines->n_rules; i++)
        plane_rule(figure, &plane, lines->rules[i]);
    if (lines->chance > 0)
        draw_chance(figure, &plane, lines->chance);
    for (size_t k = 0; k < lines->n; k++)
        if (!lines->line[k].faint) {
            n_points += lines->line[k].n;
            n_strong++;
        }
    bool pointless = n_points > POINTS_MAX || lines->smooth;
    for (size_t k = 0; k < lines->n; k++) {
        const Line *line = &lines->line[k];
        figure_series(figure, line->series);
        if (line->sd && !line->faint && n_strong <= BANDS_MAX)
            draw_band(figure, &plane, line);
        draw_line(figure, &plane, line, pointless || line->faint ? line->label : NULL);
        if (!pointless && !line->faint)
            draw_points(figure, &plane, lines, line);
        figure_series_end(figure);
    }
    if (has_paper(lines))
        draw_paper(figure, &plane, lines);
    if (lines->chance > 0)
        name_chance(figure, &plane, lines->chance);
    if (lines->n_marks > 0)
        draw_marks(figure, &plane, lines);
}

void lines_table(Figure *figure, const Lines *lines, const char *panel, const char *x_name) {
    bool paper = has_paper(lines);
    const char *const head[] = {"panel", "series", x_name, "mean", "sd", paper ? "paper" : NULL,
                                NULL};
    if (figure->csv.n == 0)
        csv_head(&figure->csv, panel ? head : head + 1);
    for (size_t k = 0; k < lines->n; k++)
        for (size_t i = 0; i < lines->line[k].n; i++) {
            const Line *line = &lines->line[k];
            if (panel)
                csv_word(&figure->csv, panel);
            csv_word(&figure->csv, line->label);
            csv_real(&figure->csv, line->x[i]);
            csv_real(&figure->csv, line->y[i]);
            csv_real(&figure->csv, line->sd ? line->sd[i] : NAN);
            if (paper)
                csv_real(&figure->csv, paper_at(line, i));
            csv_end(&figure->csv);
        }
}
