/* axes.h - the coordinate plane of lines, bars and histograms: ticks, grid and labels. */
#ifndef REPORT_AXES_H
#define REPORT_AXES_H

#include "report/charts/figure.h"

/* ---- from values to coordinates, and which values get a tick ---- */

/* The values an axis has to show. Initially empty; values that are not finite are ignored. */
typedef struct Range {
    double lo, hi;
} Range;

#define RANGE_EMPTY ((Range){1, 0})

static inline bool range_is_empty(Range range) {
    return range.lo > range.hi;
}

void range_take(Range *range, double value);

/* Maps values from lo to hi to coordinates from `from` to `to`. */
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
    const char *label[TICKS_MAX]; /* NULL: the number */
    int digits;                   /* after the point, to distinguish them */
} Ticks;

/* About `about` round values (multiples of 1, 2 or 5 times a power of ten) within a range; `whole`:
 * no fractions. */
Ticks ticks_in(Range range, size_t about, bool whole);

/* The range widened to begin and end at a tick. An empty range, or 0 alone, becomes 0 to 1; a
 * single value gets room on both sides. */
Range range_round(Range range, size_t about);

/* ---- axes ---- */

typedef struct Axes {
    Box box;                        /* including labels */
    Range x, y;                     /* drawn as given: see range_round */
    bool whole_x;                   /* ticks at whole numbers */
    bool log_y;                     /* y is the decimal logarithm of what is shown */
    const Ticks *x_ticks, *y_ticks; /* NULL: round numbers */
    const char *x_label;            /* below; NULL: none */
    const char *y_label;            /* above the axis, where it is easier to read; NULL: none */
    const char *title;              /* of one panel of several; NULL: none */
    bool no_x_ticks;                /* the caller puts names there */
    double left;                    /* least width left of the axis; 0: as the ticks need */
} Axes;

typedef struct Plane {
    Box inner;
    Scale x, y;
} Plane;

Plane axes_draw(Figure *figure, const Axes *axes);

/* A dashed line from top to bottom. */
void plane_rule(Figure *figure, const Plane *plane, double x);

#endif
