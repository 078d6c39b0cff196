/* axes.c - chooses round ticks, and draws axes with room for their labels, lines and numbers. */
#include "report/charts/axes.h"

#include <math.h>
#include <stdio.h>

/* ---- ranges and ticks ---- */

void range_take(Range *range, double value) {
    if (!isfinite(value))
        return;
    if (range_is_empty(*range)) {
        *range = (Range){value, value};
        return;
    }
    if (value < range->lo)
        range->lo = value;
    if (value > range->hi)
        range->hi = value;
}

/* The least round number >= `least`, and how many digits it needs. */
static double round_step(double least, int *digits) {
    static const double rounds[] = {1, 2, 5, 10};
    double power = floor(log10(least));
    size_t k = 0;
    while (k < 3 && rounds[k] * pow(10, power) < least * (1 - 1e-9))
        k++;
    if (k == 3)
        power += 1;
    *digits = power < 0 ? (int)-power : 0;
    return (k == 3 ? 1 : rounds[k]) * pow(10, power);
}

/* A range that can be shown: neither empty nor a point, nor so far out that steps vanish. */
static Range sane(Range range) {
    double size = fmax(fabs(range.lo), fabs(range.hi));
    if (range_is_empty(range) || !(size < 1e100))
        return (Range){0, 1};
    if (range.hi - range.lo > size * 1e-9)
        return range;
    if (size == 0) /* all values are 0, and counts are not negative */
        return (Range){0, 1};
    double room = size / 2;
    return (Range){range.lo - room, range.hi + room};
}

static double step_of(Range range, size_t about, bool whole, int *digits) {
    double step = round_step((range.hi - range.lo) / (double)(about > 0 ? about : 1), digits);
    if (!whole || step >= 1)
        return step;
    *digits = 0;
    return 1;
}

Ticks ticks_in(Range range, size_t about, bool whole) {
    Ticks ticks = {0};
    range = sane(range);
    double step = step_of(range, about, whole, &ticks.digits);
    double first = ceil(range.lo / step - 1e-6), last = floor(range.hi / step + 1e-6);
    while (ticks.n < TICKS_MAX && first + (double)ticks.n <= last) {
        ticks.at[ticks.n] = (first + (double)ticks.n) * step + 0.0; /* no -0 */
        ticks.n++;
    }
    return ticks;
}

/* Widening may enlarge the step, so round until nothing changes. */
Range range_round(Range range, size_t about) {
    int digits;
    range = sane(range);
    for (int turn = 0; turn < 4; turn++) {
        double step = step_of(range, about, false, &digits);
        range = (Range){floor(range.lo / step + 1e-6) * step, ceil(range.hi / step - 1e-6) * step};
    }
    return range;
}

/* ---- axes ---- */

enum { LABEL_SIZE = 32 };

static void tick_label(char out[LABEL_SIZE], const Ticks *ticks, size_t k, bool log) {
    double value = ticks->at[k];
    if (ticks->label[k])
        (void)snprintf(out, LABEL_SIZE, "%s", ticks->label[k]);
    else if (log && value >= 0)
        (void)snprintf(out, LABEL_SIZE, "%.0f", pow(10, value));
    else if (log)
        (void)snprintf(out, LABEL_SIZE, "%.*f", (int)-value, pow(10, value));
    else if (fabs(value) >= 1e6 || (value != 0 && fabs(value) < 1e-4))
        (void)snprintf(out, LABEL_SIZE, "%g", value);
    else
        (void)snprintf(out, LABEL_SIZE, "%.*f", ticks->digits, value == 0 ? 0 : value);
}

static double widest(const Ticks *ticks, bool log) {
    double width = 0;
    char label[LABEL_SIZE];
    for (size_t k = 0; k < ticks->n; k++) {
        tick_label(label, ticks, k, log);
        width = fmax(width, svg_text_width(label));
    }
    return width;
}

static void draw_y(Figure *figure, const Plane *plane, const Ticks *ticks, bool log) {
    double em = figure->sizes.em;
    char label[LABEL_SIZE];
    for (size_t k = 0; k < ticks->n; k++) {
        double y = scale_at(&plane->y, ticks->at[k]);
        tick_label(label, ticks, k, log);
        svg_line(&figure->marks, "grid", plane->inner.x, y, plane->inner.x + plane->inner.width, y);
        svg_text(&figure->marks, "muted e", plane->inner.x - em * 0.5, y + em * 0.35, label);
    }
}

static void draw_x(Figure *figure, const Plane *plane, const Ticks *ticks) {
    double em = figure->sizes.em, bottom = plane->inner.y + plane->inner.height;
    char label[LABEL_SIZE];
    for (size_t k = 0; k < ticks->n; k++) {
        double x = scale_at(&plane->x, ticks->at[k]);
        tick_label(label, ticks, k, false);
        svg_line(&figure->marks, "axis", x, bottom, x, bottom + em * 0.3);
        svg_text(&figure->marks, "muted m", x, bottom + em * 1.35, label);
    }
}

static void draw_labels(Figure *figure, const Axes *axes, const Plane *plane) {
    double em = figure->sizes.em, middle = plane->inner.x + plane->inner.width / 2;
    if (axes->title)
        svg_text(&figure->marks, "strong m", middle, axes->box.y + em * 0.9, axes->title);
    if (axes->y_label)
        svg_text(&figure->marks, "muted", axes->box.x, plane->inner.y - em * 0.95, axes->y_label);
    if (axes->x_label)
        svg_text(&figure->marks, "muted m", middle, axes->box.y + axes->box.height - em * 0.3,
                 axes->x_label);
}

/* As many ticks as fit; on a logarithmic axis, whole decades. */
static Ticks y_ticks_of(const Axes *axes, double height, double em) {
    double room = height / (em * 1.5);
    if (axes->y_ticks)
        return *axes->y_ticks;
    if (axes->log_y)
        return ticks_in(axes->y, (size_t)fmax(fmin(axes->y.hi - axes->y.lo, room), 1), true);
    return ticks_in(axes->y, room < 5 ? (size_t)fmax(room, 2) : 5, false);
}

static Ticks x_ticks_of(const Axes *axes, double width, double em) {
    size_t about = (size_t)fmax(2, width / (em * (axes->whole_x ? 2.2 : 4)));
    if (axes->x_ticks)
        return *axes->x_ticks;
    return ticks_in(axes->x, about < 10 ? about : 10, axes->whole_x);
}

Plane axes_draw(Figure *figure, const Axes *axes) {
    double em = figure->sizes.em;
    Box box = axes->box;
    double top = em * (0.6 + (axes->title ? 1.2 : 0) + (axes->y_label ? 1.6 : 0));
    double bottom = em * (1.8 + (axes->x_label ? 1.3 : 0));
    Ticks y_ticks = y_ticks_of(axes, box.height - top - bottom, em);
    double left = fmax(em * (widest(&y_ticks, axes->log_y) + 1.0), axes->left);
    double right = em * 0.9;
    Plane plane = {
        .inner = {box.x + left, box.y + top, box.width - left - right, box.height - top - bottom}};
    Box inner = plane.inner;
    plane.x = (Scale){axes->x.lo, axes->x.hi, inner.x, inner.x + inner.width};
    plane.y = (Scale){axes->y.lo, axes->y.hi, inner.y + inner.height, inner.y};
    draw_y(figure, &plane, &y_ticks, axes->log_y);
    if (!axes->no_x_ticks) {
        Ticks x_ticks = x_ticks_of(axes, inner.width, em);
        draw_x(figure, &plane, &x_ticks);
    }
    svg_line(&figure->marks, "axis", inner.x, inner.y + inner.height, inner.x + inner.width,
             inner.y + inner.height);
    draw_labels(figure, axes, &plane);
    return plane;
}

void plane_rule(Figure *figure, const Plane *plane, double x) {
    double at = scale_at(&plane->x, x);
    svg_line(&figure->marks, "rule", at, plane->inner.y, at, plane->inner.y + plane->inner.height);
}
