/* axes.h - the plane that lines, bars and histograms are drawn in: ticks, grid and labels. */
#ifndef REPORT_AXES_H
#define REPORT_AXES_H

#include "report/charts/figure.h"
#include "report/charts/scale.h"

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
