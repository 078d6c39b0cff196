/* edges.c - how much brightness rises in each of eight directions, summed over the cells of a map.
 *
 * Row by row of an image: how it changes at each position, which compilers turn into vectors; a
 * list of the positions where it does; the sums of the row; and their shares in two rows of cells.
 */
#include "columns/columns.h"

#include <string.h>

static inline int32_t size_of(int32_t x) {
    return x < 0 ? -x : x;
}

/* ---- slopes ---- */

/* A row of an image and its neighbours. */
typedef struct Rows {
    const uint16_t *above, *here, *below;
    size_t channels;
} Rows;

/* How brightness changes, to the right and downwards, at positions from one to another of a row,
 * which have neighbours `left` and `right` of them; outside of the image it does not change. Of
 * several channels, the one that changes most. */
static inline __attribute__((always_inline)) void find_slopes(Rows rows, Span span, size_t left,
                                                              size_t right, EdgeRoom *room) {
    int32_t *restrict slope_x = room->slope_x, *restrict slope_y = room->slope_y;
    for (size_t x = span.from; x < span.to; x++) {
        size_t at = x * rows.channels;
        int32_t along = rows.here[at + right] - rows.here[at - left];
        int32_t down = rows.below[at] - rows.above[at];
        for (size_t k = at + 1; k < at + rows.channels; k++) {
            int32_t other_along = rows.here[k + right] - rows.here[k - left];
            int32_t other_down = rows.below[k] - rows.above[k];
            bool more = size_of(other_along) + size_of(other_down) > size_of(along) + size_of(down);
            along = more ? other_along : along;
            down = more ? other_down : down;
        }
        slope_x[x] = along;
        slope_y[x] = down;
    }
}

static void find_row(const Geometry *g, const uint16_t *input, size_t y, EdgeRoom *room) {
    size_t n = g->channels, row = g->width * n, last = g->width - 1;
    const uint16_t *here = input + y * row;
    Rows rows = {y > 0 ? here - row : here, here, y + 1 < g->height ? here + row : here, n};
    Span left = {0, 1}, middle = {1, last}, right = {last, last + 1};
    find_slopes(rows, left, 0, n, room);
    find_slopes(rows, right, n, 0, room);
    if (n > 1) {
        find_slopes(rows, middle, n, n, room);
    } else {
        rows.channels = 1;
        find_slopes(rows, middle, 1, 1, room);
    }
}

/* Positions with a slope; without a branch, since they come at random. Returns how many. */
static size_t list_slopes(size_t width, EdgeRoom *room) {
    size_t n = 0;
    for (size_t x = 0; x < width; x++) {
        room->listed[n] = (uint32_t)x;
        n += (room->slope_x[x] | room->slope_y[x]) != 0;
    }
    return n;
}

/* ---- edges ---- */

/* A slope is the sum of its two neighbours among the directions, one along an axis and one
 * diagonal: (5, 2) is 3 along x, and 2 sqrt(2) along the diagonal. */
static const struct {
    uint8_t axis, diagonal;
} directions[2][2][2] = {/* [rather along y][to the left][up] */
                         {{{0, 1}, {0, 7}}, {{4, 3}, {4, 5}}},
                         {{{2, 1}, {6, 7}}, {{2, 3}, {6, 5}}}};

static inline void add_edge(uint32_t *line, CellShare share, int32_t along, int32_t down,
                            int shift) {
    uint32_t x = (uint32_t)size_of(along), y = (uint32_t)size_of(down), less = x < y ? x : y;
    size_t axis = directions[x < y][along < 0][down < 0].axis;
    size_t diagonal = directions[x < y][along < 0][down < 0].diagonal;
    uint32_t on_axis = (x + y - 2 * less) >> shift;
    uint32_t on_diagonal = (less * 181 >> 7) >> shift; /* sqrt(2) */
    uint32_t *cell = line + share.cell * EDGE_DIRECTIONS, *next = cell + EDGE_DIRECTIONS;
    cell[axis] += share.here * on_axis;
    cell[diagonal] += share.here * on_diagonal;
    next[axis] += share.next * on_axis;
    next[diagonal] += share.next * on_diagonal;
}

static void add_line(uint32_t *restrict cells, const uint32_t *restrict line, uint32_t share,
                     size_t n) {
    for (size_t i = 0; share > 0 && i < n; i++)
        cells[i] += share * line[i];
}

void edges_sum(const Columns *c, const uint16_t *input, EdgeRoom *room, uint32_t *sums) {
    const Geometry *g = &c->geometry;
    size_t n = g->map_wide * EDGE_DIRECTIONS;
    memset(sums, 0, geometry_map(g) * sizeof *sums);
    for (size_t y = 0; y < g->height; y++) {
        find_row(g, input, y, room);
        size_t n_listed = list_slopes(g->width, room);
        if (n_listed == 0)
            continue;
        memset(room->line, 0, n * sizeof *room->line);
        for (size_t k = 0; k < n_listed; k++) {
            size_t x = room->listed[k];
            add_edge(room->line, g->columns[x], room->slope_x[x], room->slope_y[x],
                     c->rule.edge_shift);
        }
        uint32_t *cells = sums + g->rows[y].cell * n;
        add_line(cells, room->line, g->rows[y].here, n);
        add_line(cells + n, room->line, g->rows[y].next, n);
    }
}
