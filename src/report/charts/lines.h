/* lines.h - lines over a whole number, such as the tasks learned, each with a band about it. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/charts/axes.h"

typedef struct Line {
    size_t series; /* of figure_key */
    const char *label;
    size_t n;
    const double *x, *y; /* [n]; y that is NaN is a gap */
    const double *sd;    /* [n], the band is one to both sides; NULL: none */
    const double *paper; /* [n], marked where it is a number; NULL: none */
    bool faint;          /* one of many, behind the others: no points, no band */
} Line;

typedef struct Lines {
    Axes axes;        /* x and y are found where they are empty */
    const char *unit; /* of y, in tips: " %" */
    int digits;       /* of y, in tips */
    bool percent;     /* y is from 0 to 100, and so is the axis at most */
    bool smooth;      /* a function: lines without points */
    bool zero;        /* a y-axis that begins or ends at 0 at least */
    size_t n;
    const Line *line;    /* [n] */
    const double *rules; /* [n_rules] dashed lines, from top to bottom */
    size_t n_rules;
    size_t paper_series; /* of the paper's marks */
} Lines;

void lines_draw(Figure *figure, const Lines *lines);

/* Head (once) and rows of the figure's table: the panel, where there are several (else NULL),
 * series, x, mean, sd, and the paper's value where any has one. */
void lines_table(Figure *figure, const Lines *lines, const char *panel, const char *x_name);

#endif
