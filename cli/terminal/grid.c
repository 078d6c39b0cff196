/* grid.c - collects the cells of a table, then prints them in aligned columns. */
#include "terminal/grid.h"

#include "tacos.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct GridCell {
    char *text;
    Style style;
} GridCell;

/* ---- filling it ---- */

static void add(Grid *grid, const char *text, Style style) {
    if (grid->n == grid->room && !grid->no_memory) {
        size_t room = grid->room > 0 ? 2 * grid->room : 64;
        GridCell *cells = realloc(grid->cells, room * sizeof *cells);
        grid->no_memory = !cells;
        if (cells) {
            grid->cells = cells;
            grid->room = room;
        }
    }
    if (grid->no_memory)
        return;
    size_t size = tacos_text_plain(text, NULL, 0) + 1;
    char *plain = malloc(size);
    grid->no_memory = !plain;
    if (!plain)
        return;
    (void)tacos_text_plain(text, plain, size);
    grid->cells[grid->n++] = (GridCell){plain, style};
}

void grid_column(Grid *grid, const char *name, GridColumn column) {
    GridColumn *all = realloc(grid->columns, (grid->n_columns + 1) * sizeof *all);
    if (!all) {
        grid->no_memory = 1;
        return;
    }
    grid->columns = all;
    grid->columns[grid->n_columns++] = column;
    add(grid, name, *name ? STYLE_HEADING : STYLE_PLAIN);
}

void grid_head(Grid *grid, const char *name, int left) {
    grid_column(grid, name, (GridColumn){left, 2, 0});
}

void grid_cell(Grid *grid, const char *format, ...) {
    char text[1200]; /* a key's value has at most 1100 */
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(grid, text, STYLE_PLAIN);
}

void grid_summary(Grid *grid, const tacos_summary *summary) {
    if (summary->n == 0)
        grid_cell(grid, "-");
    else if (summary->n > 1)
        grid_cell(grid, "%.2f +- %.2f", summary->mean, summary->sd);
    else
        grid_cell(grid, "%.2f", summary->mean);
}

void grid_style(Grid *grid, Style style) {
    if (grid->n > 0 && !grid->no_memory)
        grid->cells[grid->n - 1].style = style;
}

void grid_free(Grid *grid) {
    for (size_t i = 0; i < grid->n; i++)
        free(grid->cells[i].text);
    free(grid->cells);
    free(grid->columns);
    *grid = (Grid){0};
}

/* ---- printing it ---- */

/* Narrow columns need two blanks between them. */
static int gap_of(const Grid *grid, size_t column) {
    int gap = grid->columns[column].gap;
    return gap == 1 && terminal_is(stdout) ? 2 : gap;
}

static int width_of(const Grid *grid, size_t column) {
    int width = terminal_is(stdout) ? 0 : grid->columns[column].width;
    for (size_t i = column; i < grid->n; i += grid->n_columns)
        if (terminal_columns(grid->cells[i].text) > width)
            width = terminal_columns(grid->cells[i].text);
    return width;
}

/* The first column, and those from `from` up to `to`. */
typedef struct Block {
    size_t from, to;
} Block;

static int is_in(Block block, size_t column) {
    return column == 0 || (column >= block.from && column < block.to);
}

static Block next_block(const Grid *grid, const int *widths, size_t from) {
    Block block = {from, grid->n_columns};
    int used = gap_of(grid, 0) + widths[0];
    if (!terminal_is(stdout))
        return block;
    for (block.to = from; block.to < grid->n_columns; block.to++) {
        used += gap_of(grid, block.to) + widths[block.to];
        if (used > terminal_width(stdout) && block.to > from)
            break;
    }
    return block;
}

static void print_cell(const GridCell *cell, int gap, int left, int width, int last) {
    int blanks = width - terminal_columns(cell->text);
    print("%*s", gap + (left ? 0 : blanks), "");
    style_print(stdout, cell->style, "%s", cell->text);
    print("%*s", left && !last ? blanks : 0, "");
}

static void print_row(const Grid *grid, Block block, const GridCell *cells, const int *widths) {
    size_t end = block.to;
    while (end > 0 && (!is_in(block, end - 1) || !*cells[end - 1].text))
        end--; /* no blanks at the end of a line */
    for (size_t c = 0; c < end; c++)
        if (is_in(block, c))
            print_cell(&cells[c], gap_of(grid, c), grid->columns[c].left, widths[c], c + 1 == end);
    putchar('\n');
}

static void print_blocks(const Grid *grid, const int *widths) {
    for (size_t from = 1; from == 1 || from < grid->n_columns;) {
        Block block = next_block(grid, widths, from);
        if (from > 1)
            putchar('\n');
        for (size_t i = 0; i < grid->n; i += grid->n_columns)
            print_row(grid, block, grid->cells + i, widths);
        from = block.to > from ? block.to : from + 1;
    }
}

int grid_end(Grid *grid) {
    int *widths = malloc((grid->n_columns + 1) * sizeof *widths);
    int bad = grid->no_memory || !widths;
    for (size_t c = 0; c < grid->n_columns && !bad; c++)
        widths[c] = width_of(grid, c);
    if (!bad && grid->n_columns > 0)
        print_blocks(grid, widths);
    free(widths);
    grid_free(grid);
    return bad ? -1 : 0;
}
