/* geometry.h - where the places of a columns learner look.
 *
 * An input becomes a map: a grid of cells with some channels. A place is a window of cells; all
 * windows have the same size, so units are interchangeable between places. A place of a plain
 * vector sees random sums and differences of all its values, or some of the groups in which they
 * come. */
#ifndef COLUMNS_GEOMETRY_H
#define COLUMNS_GEOMETRY_H

#include "base/arena.h"
#include "columns/params.h"
#include "kernel/units.h"

#include <stdbool.h>
#include <stdint.h>

/* So many places that the sum of their votes fits into 32 bits (learn.c). */
enum { EDGE_DIRECTIONS = 8, MAP_MAX = 1 << 22, PLACES_MAX = 16383 };
#ifndef WINDOW_MAX
#define WINDOW_MAX 2048
#endif
enum { CELL_SHARES = 8 }; /* an input's share in a cell is a multiple of 1/8 */

/* The cells along one axis that an input belongs to: `cell`, and the one after it. */
typedef struct CellShare {
    uint32_t cell;
    uint8_t here, next; /* in 1/CELL_SHARES, here > 0; what would be outside of the map is lost */
} CellShare;

typedef struct Geometry {
    size_t n_inputs;
    size_t height, width, channels; /* of the input; a vector is one row */
    bool edges;                     /* else values */
    bool vector;                    /* without neighbours */
    bool summed;                    /* a vector without groups: places see sums of its values */
    size_t group;                   /* of a vector: inputs that stay together */
    size_t map_high, map_wide, map_channels;   /* in cells */
    size_t window_high, window_wide;           /* in cells */
    size_t first_y, first_x, stride;           /* of the windows, in cells */
    size_t places_high, places_wide, n_places; /* n_places = high * wide */
    size_t n_values;                           /* D: of a window */
    size_t n_summed;                           /* values of the map in one of a window, at most */
    size_t n_words;                            /* D / 4, rounded up */
    size_t row;                /* D, rounded up: the bytes of a patch, those behind it 0 */
    size_t n_runs;             /* of values side by side: rows of a window, groups of a vector */
    size_t run;                /* values of each */
    uint32_t *at;              /* [n_places][n_runs]: where they begin in the map; of sums, all
                                  values in random order */
    CellShare *rows, *columns; /* [height], [width] */
} Geometry;

/* Everything but `at`. Fails, with the reason, if no place fits. */
tacos_status geometry_shape(Geometry *out, const ColumnsParams *params, size_t n_inputs,
                            tacos_error *err);

void geometry_carve(Geometry *geometry, Arena *arena);
void geometry_fill(Geometry *geometry, uint32_t seed);

static inline size_t geometry_map(const Geometry *geometry) {
    return geometry->map_high * geometry->map_wide * geometry->map_channels;
}

#ifndef COLUMNS_SMALL
/* Which value of the map is value d of a place's window. */
static inline size_t geometry_value(const Geometry *geometry, size_t place, size_t d) {
    return geometry->at[place * geometry->n_runs + d / geometry->run] + d % geometry->run;
}
#endif

#endif
