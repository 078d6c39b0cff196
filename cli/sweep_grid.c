/* sweep_grid.c - cells are kept until all are known. */
#include "sweep_grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(Grid *grid, const char *text) {
    if (grid->n == grid->room && !grid->no_memory) {
        size_t room = grid->room > 0 ? 2 * grid->room : 64;
        char **cells = realloc(grid->cells, room * sizeof *cells);
        grid->no_memory = !cells;
        if (cells) {
            grid->cells = cells;
            grid->room = room;
        }
    }
    if (grid->no_memory)
        return;
    grid->cells[grid->n] = strdup(text);
    if (grid->cells[grid->n])
        grid->n++;
    else
        grid->no_memory = 1;
}

void grid_head(Grid *grid, const char *name, int left) {
    int *all = realloc(grid->left, (grid->n_columns + 1) * sizeof *all);
    if (!all) {
        grid->no_memory = 1;
        return;
    }
    grid->left = all;
    grid->left[grid->n_columns++] = left;
    add(grid, name);
}

void grid_cell(Grid *grid, const char *format, ...) {
    char text[1200]; /* a key's value has at most 1100 */
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(grid, text);
}

static int width_of(const Grid *grid, size_t column) {
    size_t width = 0;
    for (size_t i = column; i < grid->n; i += grid->n_columns)
        if (strlen(grid->cells[i]) > width)
            width = strlen(grid->cells[i]);
    return (int)width;
}

static void print_row(const Grid *grid, char *const *cells, const int *widths) {
    size_t n = grid->n_columns;
    while (n > 0 && !*cells[n - 1]) /* no blanks at the end of a line */
        n--;
    for (size_t c = 0; c < n; c++) {
        if (!grid->left[c])
            printf("  %*s", widths[c], cells[c]);
        else
            printf("  %-*s", c + 1 == n ? 0 : widths[c], cells[c]);
    }
    putchar('\n');
}

int grid_end(Grid *grid) {
    int *widths = malloc((grid->n_columns + 1) * sizeof *widths);
    int bad = grid->no_memory || !widths;
    for (size_t c = 0; c < grid->n_columns && !bad; c++)
        widths[c] = width_of(grid, c);
    for (size_t i = 0; i < grid->n && !bad; i += grid->n_columns)
        print_row(grid, grid->cells + i, widths);
    free(widths);
    for (size_t i = 0; i < grid->n; i++)
        free(grid->cells[i]);
    free(grid->cells);
    free(grid->left);
    *grid = (Grid){0};
    return bad ? -1 : 0;
}
