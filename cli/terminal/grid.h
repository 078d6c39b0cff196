/* grid.h - a table for people: columns are as wide as what is in them.
 *
 * On a terminal that is too narrow the columns come in several blocks, one below the other, each
 * with the first column again. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "terminal/terminal.h"

#include <stddef.h>

typedef struct GridColumn {
    int left;  /* 1: text, which begins where its head begins; 0: numbers */
    int gap;   /* blanks before it */
    int width; /* at least, but for terminals, where room is dear */
} GridColumn;

/* {0} to begin with. Heads first, then cells, row by row. */
typedef struct Grid {
    size_t n_columns;
    size_t n, room;
    struct GridCell *cells; /* [n] heads and all */
    GridColumn *columns;    /* [n_columns] */
    int no_memory;
} Grid;

/* A column with two blanks before it; or a column like this. */
void grid_head(Grid *grid, const char *name, int left);
void grid_column(Grid *grid, const char *name, GridColumn column);

void grid_cell(Grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last cell, in this style. */
void grid_style(Grid *grid, Style style);

/* Print it and let it go: 0, or -1 if there was no memory. */
int grid_end(Grid *grid);

/* Let it go unprinted. */
void grid_free(Grid *grid);

#endif
