/* histogram.h - how often values occur, several kinds over each other. */
#ifndef REPORT_HISTOGRAM_H
#define REPORT_HISTOGRAM_H

#include "report/charts/axes.h"

enum { HISTOGRAM_BINS = 48 };

/* Counts of values between lo and hi; what lies outside is in the first or last bin. */
typedef struct Counting {
    double lo, hi;
    size_t bin[HISTOGRAM_BINS];
    size_t n;
} Counting;

/* hi must be above lo. */
Counting counting_begin(double lo, double hi);
void counting_take(Counting *counting, double value);

typedef struct Histogram {
    Box box;
    const char *title, *x_label; /* title: of one panel of several, or NULL */
    size_t n;
    const Counting *counting;  /* [n], of the same lo and hi */
    const size_t *series;      /* [n], of figure_key */
    const char *const *labels; /* [n], for tips and the table */
} Histogram;

/* In percent of all, on a logarithmic axis: one value is often far more frequent than the others.
 */
void histogram_draw(Figure *figure, const Histogram *histogram);

/* Rows of the figure's table; `what` is the panel. */
void histogram_table(Figure *figure, const Histogram *histogram, const char *what);

#endif
