/* grid.h - a table for people, with columns as wide as their contents.
 *
 * On a narrow terminal the columns are split into blocks, one below the other, each repeating the
 * first column. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "tacos_lab.h"
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

/* "82.56 +- 1.12", without the deviation for a single value, "-" for none. */
void grid_summary(Grid *grid, const tacos_summary *summary);

/* The last cell, in this style. */
void grid_style(Grid *grid, Style style);

/* Print and free it: 0, or -1 if memory ran out. */
int grid_end(Grid *grid);

/* Free it without printing. */
void grid_free(Grid *grid);

#endif
