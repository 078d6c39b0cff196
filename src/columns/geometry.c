/* geometry.c - chooses and checks the places of a columns learner. */
#include "columns/geometry.h"

#include "base/philox.h"
#include "base/status.h"

#include <string.h>

/* ---- the input's shape ---- */

static tacos_status take_shape(Geometry *g, const ColumnsParams *params, tacos_error *err) {
    const Counts *shape = &params->shape;
    if (g->n_inputs == 0)
        return failure(err, TACOS_RANGE, "columns need at least one input");
    size_t n_inputs = g->n_inputs;
    memset(g, 0, sizeof *g);
    g->n_inputs = g->width = n_inputs;
    g->height = g->channels = 1;
    g->vector = shape->n == 0;
    g->group = g->vector && params->group > 1 ? params->group : 1;
    g->summed = g->vector && g->group == 1;
    if (shape->n == 1 || shape->n > 3)
        return failure(err, TACOS_RANGE,
                       "input_shape has %zu numbers; it takes height, width and, optionally, "
                       "channels, or none",
                       shape->n);
    if (shape->n > 0) {
        g->height = shape->value[0];
        g->width = shape->value[1];
        g->channels = shape->n == 3 ? shape->value[2] : 1;
        if (g->height > g->n_inputs || g->width > g->n_inputs || g->channels > g->n_inputs ||
            g->height * g->width * g->channels != g->n_inputs)
            return failure(err, TACOS_RANGE, "input_shape is %zu x %zu x %zu; there are %zu inputs",
                           g->height, g->width, g->channels, g->n_inputs);
    }
    return TACOS_OK;
}

/* ---- the map ---- */

enum { EDGE_CELLS = 7, VALUE_CELLS = 14, SIGNAL_CELLS = 128 }; /* along a side, by default */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Cells of edges along a side, by default: at least two pixels each. */
static size_t choose_cells(const Geometry *g) {
    size_t side = least(g->height, g->width);
    return least(EDGE_CELLS, side / 2 > 1 ? side / 2 : 2);
}

static tacos_status take_map(Geometry *g, const ColumnsParams *params, tacos_error *err) {
    bool image = g->height > 1 && g->width > 1;
    size_t cells = params->cells;
    g->edges = params->features == COLUMN_EDGES || (params->features == COLUMN_AUTO && image);
    if (g->edges && !image)
        return failure(err, TACOS_RANGE,
                       "column_features = edges needs images: an input_shape of at least 2 x 2");
    if (!g->vector && params->group > 1)
        return failure(err, TACOS_RANGE,
                       "column_group = %zu is for plain vectors, without an input_shape",
                       params->group);
    if (g->vector && cells > 0)
        return failure(err, TACOS_RANGE,
                       "column_cells = %zu needs an input_shape: a plain vector has no neighbours",
                       cells);
    if (cells > g->height && cells > g->width)
        return failure(err, TACOS_RANGE, "column_cells = %zu is more than the input has, %zu x %zu",
                       cells, g->height, g->width);
    if (cells == 0)
        cells = g->vector  ? g->width
                : g->edges ? choose_cells(g)
                           : (size_t)(image ? VALUE_CELLS : SIGNAL_CELLS);
    g->map_high = least(cells, g->height);
    g->map_wide = least(cells, g->width);
    g->map_channels = g->edges ? (size_t)EDGE_DIRECTIONS : g->channels;
    if (geometry_map(g) > MAP_MAX)
        return failure(err, TACOS_RANGE, "an input of %zu values is too large for columns",
                       g->n_inputs);
    return TACOS_OK;
}

/* ---- windows ---- */

static size_t count_along(size_t cells, size_t window, size_t stride) {
    return (cells - window) / stride + 1;
}

/* The default: three windows along a side that overlap. */
static size_t choose_window(const Geometry *g, size_t side) {
    return least(side, g->edges ? 3 : least(8, (side + 1) / 2 + 1));
}

static size_t choose_stride(const Geometry *g, size_t spare) {
    return spare < 2 ? 1 : g->edges ? 2 : least(3, spare / 2);
}

static tacos_status take_windows(Geometry *g, const ColumnsParams *params, tacos_error *err) {
    bool line = g->map_high == 1 || g->map_wide == 1;
    size_t side = line ? g->map_high * g->map_wide : least(g->map_high, g->map_wide);
    size_t window = params->window > 0 ? params->window : choose_window(g, side);
    if (window > side)
        return failure(err, TACOS_RANGE,
                       "column_window = %zu is larger than the input, which has %zu x %zu cells",
                       window, g->map_high, g->map_wide);
    size_t stride = params->stride > 0 ? params->stride : choose_stride(g, side - window);
    g->window_wide = least(window, g->map_wide);
    g->window_high = least(window, g->map_high);
    g->stride = stride;
    g->places_high = count_along(g->map_high, g->window_high, stride);
    g->places_wide = count_along(g->map_wide, g->window_wide, stride);
    g->first_y = (g->map_high - g->window_high - (g->places_high - 1) * stride) / 2;
    g->first_x = (g->map_wide - g->window_wide - (g->places_wide - 1) * stride) / 2;
    return TACOS_OK;
}

/* A vector of groups: by default most of a few, since places should differ, and 8 of many. */
enum { GROUPS_SEEN = 8, VECTOR_PLACES = 16 };

static tacos_status take_groups(Geometry *g, const ColumnsParams *params, tacos_error *err) {
    if (g->n_inputs % g->group != 0)
        return failure(err, TACOS_RANGE, "column_group = %zu does not divide the %zu inputs",
                       g->group, g->n_inputs);
    size_t n = g->n_inputs / g->group, seen = params->window / g->group;
    if (params->window == 0)
        seen = n <= 2 ? n : least(GROUPS_SEEN, (3 * n + 3) / 4);
    seen = seen > 0 ? seen : 1;
    if (seen > n)
        return failure(err, TACOS_RANGE,
                       "column_window = %zu inputs per place; there are only %zu inputs",
                       params->window, g->n_inputs);
    g->window_high = 1;
    g->window_wide = seen * g->group;
    g->stride = 1;
    g->places_high = 1;
    g->places_wide = params->places > 0 ? params->places : seen == n ? 1 : VECTOR_PLACES;
    return TACOS_OK;
}

/* A plain vector: by default half as many sums as there are inputs, in a few places; more places
 * if they are small, but only one if it sees the inputs themselves. */
enum { SUMS = 128, SUMS_OF_ALL = 256 }; /* at most */

static tacos_status take_sums(Geometry *g, const ColumnsParams *params, tacos_error *err) {
    size_t n = g->n_inputs, sums = params->window;
    if (sums > n)
        return failure(err, TACOS_RANGE,
                       "column_window = %zu sums per place; there are only %zu inputs", sums, n);
    if (sums == 0)
        sums = least(n, least((n + 1) / 2 + 1, SUMS));
    size_t places = least(SUMS_OF_ALL / sums + (sums > SUMS_OF_ALL), VECTOR_PLACES);
    g->window_high = 1;
    g->window_wide = sums;
    g->stride = 1;
    g->places_high = 1;
    g->places_wide = params->places > 0 ? params->places : sums == n ? 1 : places;
    return TACOS_OK;
}

tacos_status geometry_shape(Geometry *out, const ColumnsParams *params, size_t n_inputs,
                            tacos_error *err) {
    out->n_inputs = n_inputs;
    TRY(take_shape(out, params, err));
    TRY(take_map(out, params, err));
    if (out->summed)
        TRY(take_sums(out, params, err));
    else if (out->vector)
        TRY(take_groups(out, params, err));
    else
        TRY(take_windows(out, params, err));
    out->n_places = out->places_high * out->places_wide;
    out->n_values = out->window_high * out->window_wide * out->map_channels;
    if (out->n_values == 0 || out->n_values > WINDOW_MAX)
        return failure(err, TACOS_RANGE, "a window of %zu values is too large; at most %d",
                       out->n_values, WINDOW_MAX);
    out->n_summed = out->summed ? (out->n_inputs - 1) / out->n_values + 1 : 1;
    out->run = out->summed ? 1 : out->vector ? out->group : out->window_wide * out->map_channels;
    out->n_runs = out->summed   ? out->n_inputs
                  : out->vector ? out->n_values / out->group
                                : out->window_high;
    out->n_words = (out->n_values + 3) / 4;
    out->row = (out->n_values + SETTLE_LANES - 1) / SETTLE_LANES * SETTLE_LANES;
    if (out->n_places > PLACES_MAX)
        return failure(err, TACOS_RANGE, "%zu places are too many; at most %d", out->n_places,
                       PLACES_MAX);
    return TACOS_OK;
}

/* ---- which values each place sees ---- */

void geometry_carve(Geometry *geometry, Arena *arena) {
    ARENA_TAKE_ROWS(arena, geometry->at, geometry->n_places, geometry->n_runs);
    ARENA_TAKE(arena, geometry->rows, geometry->height);
    ARENA_TAKE(arena, geometry->columns, geometry->width);
}

/* Values belong to one cell. Edges are shared by the two nearest, in proportion to how near they
 * are, so that moving an image by a pixel changes little. */
static CellShare share(const Geometry *g, size_t i, size_t side, size_t cells) {
    CellShare value = {(uint32_t)(i * cells / side), CELL_SHARES, 0};
    if (!g->edges)
        return value;
    /* Where the middle of input i is between the middles of cells, times 2 side. */
    size_t unit = 2 * side, middle = (2 * i + 1) * cells;
    if (middle < side) { /* before the first */
        CellShare edge = {0, (uint8_t)((CELL_SHARES * (middle + side) + side) / unit), 0};
        return edge;
    }
    size_t cell = (middle - side) / unit, past = (middle - side) % unit;
    uint8_t next = (uint8_t)((CELL_SHARES * past + side) / unit);
    bool whole = next == CELL_SHARES, lost = cell + 1 >= cells;
    CellShare between = {(uint32_t)(cell + whole),
                         (uint8_t)(whole ? CELL_SHARES : CELL_SHARES - next),
                         (uint8_t)(whole || lost ? 0 : next)};
    return between;
}

static void fill_window(const Geometry *g, size_t place, uint32_t *at) {
    size_t y = g->first_y + place / g->places_wide * g->stride;
    size_t x = g->first_x + place % g->places_wide * g->stride;
    for (size_t i = 0; i < g->window_high; i++)
        at[i] = (uint32_t)(((y + i) * g->map_wide + x) * g->map_channels);
}

/* Floyd's way to choose some of n without a list of all n: each group as likely as any other. */
static void fill_groups(const Geometry *g, size_t place, uint32_t seed, uint32_t *at) {
    size_t n = g->n_inputs / g->group, wanted = g->n_values / g->group, chosen = 0;
    for (size_t last = n - wanted; last < n; last++) {
        uint32_t pick = (uint32_t)rng_partner(seed, RNG_PLACES, place, last);
        for (size_t k = 0; k < chosen; k++)
            if (at[k] == pick) {
                pick = (uint32_t)last;
                break;
            }
        at[chosen++] = pick;
    }
    for (size_t k = 0; k < wanted; k++)
        at[k] *= (uint32_t)g->group;
}

void geometry_fill(Geometry *geometry, uint32_t seed) {
    for (size_t y = 0; y < geometry->height; y++)
        geometry->rows[y] = share(geometry, y, geometry->height, geometry->map_high);
    for (size_t x = 0; x < geometry->width; x++)
        geometry->columns[x] = share(geometry, x, geometry->width, geometry->map_wide);
    for (size_t p = 0; p < geometry->n_places; p++) {
        uint32_t *at = geometry->at + p * geometry->n_runs;
        if (geometry->summed)
            rng_order(at, geometry->n_inputs, seed, RNG_PLACES, p);
        else if (geometry->vector)
            fill_groups(geometry, p, seed, at);
        else
            fill_window(geometry, p, at);
    }
}
