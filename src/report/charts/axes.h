/* axes.h - the plane that lines, bars and histograms are drawn in: ticks, grid and labels. */
#ifndef REPORT_AXES_H
#define REPORT_AXES_H

#include "report/charts/figure.h"

/* ---- from values to places, and which values get a tick ---- */

/* The values an axis has to show. Empty at the start; what is not finite is passed over. */
typedef struct Range {
    double lo, hi;
} Range;

#define RANGE_EMPTY ((Range){1, 0})

static inline bool range_is_empty(Range range) {
    return range.lo > range.hi;
}

void range_take(Range *range, double value);

/* Values from lo to hi at the places `from` to `to`. */
typedef struct Scale {
    double lo, hi, from, to;
} Scale;

static inline double scale_at(const Scale *scale, double value) {
    return scale->from +
           (scale->to - scale->from) * ((value - scale->lo) / (scale->hi - scale->lo));
}

enum { TICKS_MAX = 24 };

typedef struct Ticks {
    size_t n;
    double at[TICKS_MAX];
    int digits; /* behind the point, to tell them apart */
} Ticks;

/* About so many round values (multiples of 1, 2 or 5 times a power of ten) within a range; `whole`:
 * no fractions. */
Ticks ticks_in(Range range, size_t about, bool whole);

/* The range widened to begin and end with a tick; an empty one becomes 0 to 1, one of a single
 * value gets room about it, and 0 becomes 0 to 1, too. */
Range range_round(Range range, size_t about);

/* ---- axes ---- */

typedef struct Axes {
    Box box;             /* all of it, with labels */
    Range x, y;          /* as wide as they are given: see range_round */
    bool whole_x;        /* ticks at whole numbers */
    bool log_y;          /* y is the logarithm of what is shown, to the base of ten */
    const char *x_label; /* below; NULL: none */
    const char *y_label; /* above the axis, since it is read more easily there; NULL: none */
    const char *title;   /* of one panel of several; NULL: none */
    bool no_x_ticks;     /* whoever draws has names to put there */
    double left;         /* least width for what stands left of the axis; 0: as ticks need */
} Axes;

typedef struct Plane {
    Box inner;
    Scale x, y;
} Plane;

Plane axes_draw(Figure *figure, const Axes *axes);

/* A dashed line from top to bottom. */
void plane_rule(Figure *figure, const Plane *plane, double x);

#endif
