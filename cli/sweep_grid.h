/* sweep_grid.h - a table for people: columns are as wide as what is in them. */
#ifndef CLI_SWEEP_GRID_H
#define CLI_SWEEP_GRID_H

#include <stddef.h>

/* {0} to begin with. Heads first, then cells, row by row. */
typedef struct Grid {
    size_t n_columns;
    size_t n, room;
    char **cells; /* [n] heads and all */
    int *left;    /* [n_columns] 1: text, which begins where its head begins; 0: numbers */
    int no_memory;
} Grid;

void grid_head(Grid *grid, const char *name, int left);
void grid_cell(Grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print it, indented, and let it go: 0, or -1 if there was no memory. */
int grid_end(Grid *grid);

#endif
