/* sense.c - from the counts of an input to the patches that units are compared with. */
#include "columns/columns.h"

#include <string.h>

/* ---- smoothing ---- */

/* 1-2-1 along a line of n counts, `step` apart; beyond the ends it continues as it ends. */
static void smooth_line(const uint16_t *from, size_t n, size_t step, int shift, uint16_t *to) {
    for (size_t i = 0; i < n; i++) {
        uint32_t before = from[(i > 0 ? i - 1 : 0) * step], here = from[i * step];
        uint32_t after = from[(i + 1 < n ? i + 1 : i) * step];
        to[i * step] = (uint16_t)((before + 2 * here + after) >> shift);
    }
}

/* Spikes come at random, and differences of their counts would be mostly noise. */
void sense_smooth(const Columns *c, ColumnsScratch *scratch) {
    const Geometry *g = &c->geometry;
    size_t row = g->width * g->channels;
    for (size_t y = 0; y < g->height; y++)
        for (size_t k = 0; k < g->channels; k++)
            smooth_line(scratch->input + y * row + k, g->width, g->channels, c->rule.smooth_shift,
                        scratch->moved + y * row + k);
    for (size_t x = 0; x < row; x++)
        smooth_line(scratch->moved + x, g->height, row, 0, scratch->input + x);
}

/* ---- values ---- */

static void sum_values(const Geometry *g, const uint16_t *input, uint32_t *sums) {
    memset(sums, 0, geometry_map(g) * sizeof *sums);
    for (size_t y = 0; y < g->height; y++)
        for (size_t x = 0; x < g->width; x++) {
            uint32_t *cell =
                sums + (g->rows[y].cell * g->map_wide + g->columns[x].cell) * g->channels;
            for (size_t k = 0; k < g->channels; k++)
                cell[k] += input[(y * g->width + x) * g->channels + k];
        }
}

void sense_map(const Columns *c, ColumnsScratch *scratch, const uint16_t *input) {
    const Geometry *g = &c->geometry;
    size_t n = geometry_map(g);
    if (g->edges)
        edges_sum(c, input, &scratch->edges, scratch->sums);
    else
        sum_values(g, input, scratch->sums);
    for (size_t i = 0; i < n; i++) {
        uint32_t sum = scratch->sums[i] >> c->rule.root_shift;
        scratch->map[i] = (uint16_t)(g->edges ? root_of(columns_tables(c), sum) : sum);
    }
}

/* ---- patches ---- */

/* x = v S / |v|, rounded, where |v|^2 = norm2. */
typedef struct Scale {
    uint64_t factor;
    int shift;
} Scale;

static Scale scale_to(const Columns *c, uint64_t norm2) {
    Root root = root_scaled(columns_tables(c), norm2);
    Scale scale = {((uint64_t)c->rule.norm << 15) / root.mantissa, 31 - root.shift};
    return scale;
}

static int8_t scaled(Scale scale, int64_t v) {
    uint64_t size = (uint64_t)(v < 0 ? -v : v) * scale.factor + ((uint64_t)1 << (scale.shift - 1));
    int8_t x = (int8_t)(size >> scale.shift < 127 ? size >> scale.shift : 127);
    return v < 0 ? (int8_t)-x : x;
}

/* Differences of values from their mean. */
static void scale_values(Scale scale, const uint16_t *v, size_t n, uint64_t sum, int8_t *x) {
    for (size_t k = 0; k < n; k++)
        x[k] = scaled(scale, (int64_t)n * v[k] - (int64_t)sum);
}

/* Edges as they are, in 32 bits: v factor / 2^shift is (v high + v low / 2^16) / 2^(shift - 16). */
static void scale_edges(Scale scale, const uint16_t *v, size_t n, int8_t *x) {
    /* shift is above 16, since a root is 0, or 16 and more */
    uint32_t high = (uint32_t)(scale.factor >> 16), low = (uint32_t)scale.factor & 0xffff;
    uint32_t half = (uint32_t)1 << (scale.shift - 17);
    int shift = scale.shift - 16;
    for (size_t k = 0; k < n; k++) {
        uint32_t size = (v[k] * high + (v[k] * low >> 16) + half) >> shift;
        x[k] = (int8_t)(size < 127 ? size : 127);
    }
}

typedef struct Sums {
    uint64_t sum, squares;
} Sums;

/* Squares have 32 bits; the sums of their halves do too. */
static Sums sums_of(const uint16_t *v, size_t n) {
    uint32_t sum = 0, low = 0, high = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t square = (uint32_t)v[k] * v[k];
        sum += v[k];
        low += square & 0xffff;
        high += square >> 16;
    }
    Sums sums = {sum, ((uint64_t)high << 16) + low};
    return sums;
}

/* Every D-th input of a random order, with + and - in turns. Only what differs from the mean will
 * matter, so a constant keeps the sums positive. */
static void sum_vector(const Columns *c, const uint16_t *map, size_t place, uint16_t *window) {
    const Geometry *g = &c->geometry;
    const uint32_t *at = g->at + place * g->n_runs;
    for (size_t k = 0; k < g->n_values; k++) {
        int64_t sum = 0;
        for (size_t i = k, sign = 0; i < g->n_inputs; i += g->n_values, sign = !sign)
            sum += sign ? -(int64_t)map[at[i]] : map[at[i]];
        window[k] = (uint16_t)((1 << 15) + (sum >> c->rule.sum_shift));
    }
}

static void look_through(const Columns *c, const uint16_t *map, size_t place, uint16_t *window) {
    const Geometry *g = &c->geometry;
    if (g->summed) {
        sum_vector(c, map, place, window);
        return;
    }
    const uint32_t *at = g->at + place * g->n_runs;
    for (size_t k = 0; k < g->n_runs; k++)
        memcpy(window + k * g->run, map + at[k], g->run * sizeof *window);
}

bool sense_patch(const Columns *c, ColumnsScratch *scratch, size_t place, int8_t *x) {
    const Geometry *g = &c->geometry;
    size_t d = g->n_values;
    look_through(c, scratch->map, place, scratch->window);
    Sums of = sums_of(scratch->window, d);
    /* Edges as they are; of values, what differs from their mean, times D. */
    uint64_t spread = g->edges ? of.squares : (uint64_t)d * of.squares - of.sum * of.sum;
    if (spread == 0 || spread < c->rule.silence)
        return false;
    if (g->edges)
        scale_edges(scale_to(c, spread), scratch->window, d, x);
    else
        scale_values(scale_to(c, (uint64_t)d * spread), scratch->window, d, of.sum, x);
    memset(x + d, 0, g->row - d);
    return true;
}
