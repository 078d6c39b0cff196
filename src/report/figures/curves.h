/* curves.h - room for the numbers of a chart: several series over the same places. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report/charts/bars.h"
#include "report/charts/lines.h"

/* n series of m values; every number is NaN at the start. */
typedef struct Curves {
    size_t n, m;
    Line *line;         /* [n] */
    BarSeries *bar;     /* [n], over the same numbers */
    double *numbers;    /* [n][5][m]: x, y, sd, paper, the paper's sd */
    const char **names; /* [m] of groups; not owned */
    char (*words)[64];  /* [m], room for them */
} Curves;

tacos_status curves_make(Curves *out, size_t n, size_t m, tacos_error *err);
void curves_free(Curves *curves);

/* Begin a series: its place in the legend, its name, and what it has; then its values one by one. A
 * spread is shown only if there is more than one run. */
void curves_series(Curves *curves, size_t s, size_t series, const char *label);
void curves_set(Curves *curves, size_t s, size_t i, double x, tacos_summary value);
void curves_set_paper(Curves *curves, size_t s, size_t i, double value, double sd);

/* Has the paper any number? */
bool curves_any_paper(const Curves *curves);

/* All of a figure: lines over the tasks learned, with the paper's numbers where it has any. `style`
 * has the unit and the digits, and what the y-axis shows. TACOS_MISSING if no value is defined, as
 * with one task. Frees the curves. */
tacos_status curves_draw_tasks(Curves *curves, Figure *figure, const char *y_label, Lines style,
                               tacos_error *err);

#endif
