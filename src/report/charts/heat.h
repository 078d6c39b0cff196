/* heat.h - a matrix as coloured cells, with the numbers in them where there is room. */
#ifndef REPORT_HEAT_H
#define REPORT_HEAT_H

#include "report/charts/axes.h"

typedef struct Heat {
    Box box;
    const char *title; /* of one panel of several, or NULL */
    const char *row_label, *column_label;
    size_t n_rows, n_columns;
    size_t first_row;     /* the rows' numbers begin here; the columns' begin at 1 */
    const double *values; /* [n_rows][n_columns]; NaN: no cell */
    const double *sd;     /* the same, for tips; NULL: none */
    Range range;          /* of the ramp */
    bool bar;             /* draw the ramp beside it */
} Heat;

void heat_draw(Figure *figure, const Heat *heat);

/* How high a panel of this width becomes if its cells are to be squares, but no larger than suits
 * numbers. */
double heat_height(const Figure *figure, double width, size_t n_rows, size_t n_columns);

#endif
