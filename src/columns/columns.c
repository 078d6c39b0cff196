/* columns.c - the state of a columns learner: its size, its constants, its units. */
#include "columns/columns.h"

#include <string.h>

/* ---- size ---- */

size_t columns_count_blocks(const Columns *c) {
    size_t begun = KERNEL_UNITS > 1 ? c->geometry.n_places : 0; /* the last one of each place */
    return (c->most_units + KERNEL_UNITS - 1) / KERNEL_UNITS + begun;
}

/* Of what learning changes: templates, uses and counts of units; of places the silent counts, the
 * trust, theta and the number of units; totals; and which blocks are whose. */
size_t columns_state_bytes(const Columns *c) {
    size_t n_places = c->geometry.n_places;
    size_t unit = c->geometry.n_values + 1 + c->n_outputs;
    return c->most_units * unit + n_places * (4 * c->n_outputs + 12) + 4 * c->n_outputs +
           4 * columns_count_blocks(c);
}

/* ---- constants ---- */

void columns_take_norm(Columns *c) {
    const size_t plain = 49, d = c->geometry.n_values;
    c->rule.norm2 = (uint32_t)(127 * 127 * (d > plain ? d : plain) / plain);
    c->rule.norm = exact_root((uint64_t)c->rule.norm2 << 32);
}

/* By default theta rises with the units that a place may have, U, and falls with the values that
 * they compare, D: 1 - theta = 0.068 sqrt(D) / cbrt(U) for edges, 0.035 D / cbrt(U) for sums.
 * Found on held-out images, from 16 kB to 4 MB. Groups were tried on tables of numbers. */
int32_t columns_default_match(const Columns *c) {
    const Geometry *g = &c->geometry;
    if (!g->edges && !g->summed)
        return g->vector ? MATCH_ONE / 20 * 16 : MATCH_ONE / 20 * 15;
    uint64_t units = c->most_units / g->n_places + 1;
    uint64_t root = exact_root((uint64_t)g->n_values << 32); /* times 2^16 */
    uint64_t cube_root = exact_cube_root(units << 30);       /* times 2^10 */
    uint64_t gap = g->edges ? MATCH_ONE / 1000 * 68 * (root >> 6) / cube_root
                            : MATCH_ONE / 1000 * 35 * (uint64_t)(g->n_values << 10) / cube_root;
    return gap < MATCH_ONE / 2 ? (int32_t)(MATCH_ONE - gap) : MATCH_ONE / 2;
}

/* ---- memory ---- */

void columns_carve(Columns *c, Arena *arena) {
    size_t n_places = c->geometry.n_places, n_slots = c->most_blocks * KERNEL_UNITS;
    geometry_carve(&c->geometry, arena);
    ARENA_TAKE(arena, c->totals, c->n_outputs);
    ARENA_TAKE_ROWS(arena, c->silent, n_places, c->n_outputs);
    ARENA_TAKE(arena, c->trust, n_places);
    ARENA_TAKE(arena, c->match, n_places);
    ARENA_TAKE(arena, c->place_units, n_places);
    ARENA_TAKE(arena, c->wanted, n_places);
    ARENA_TAKE(arena, c->blocks, c->most_blocks);
    ARENA_TAKE_ROWS(arena, c->templates, n_slots, 4 * c->geometry.n_words);
    ARENA_TAKE(arena, c->uses, n_slots);
    ARENA_TAKE_ROWS(arena, c->counts, n_slots, c->n_outputs);
    ARENA_TAKE(arena, c->first_block, n_places + 1);
    ARENA_TAKE(arena, c->inverse, n_slots);
}

void columns_start(Columns *c, uint32_t seed, const Kernel *kernel) {
    size_t n_places = c->geometry.n_places, n_slots = c->most_blocks * KERNEL_UNITS;
    c->seed = seed;
    c->kernel = kernel;
    c->n_units = c->n_blocks = 0;
    geometry_fill(&c->geometry, seed);
#ifndef COLUMNS_SMALL
    tables_fill(&c->tables);
    for (size_t code = 0; code <= COUNT_MOST; code++)
        c->count_log[code] = (uint16_t)log2_of(&c->tables, 2 * count_value((uint8_t)code) + 1);
#endif
    memset(c->totals, 0, c->n_outputs * sizeof *c->totals);
    memset(c->silent, 0, n_places * c->n_outputs * sizeof *c->silent);
    memset(c->place_units, 0, n_places * sizeof *c->place_units);
    memset(c->blocks, 0, c->most_blocks * sizeof *c->blocks);
    memset(c->first_block, 0, (n_places + 1) * sizeof *c->first_block);
    memset(c->templates, 0, n_slots * c->geometry.n_words * 4);
    memset(c->uses, 0, n_slots);
    memset(c->counts, 0, n_slots * c->n_outputs);
    memset(c->inverse, 0, n_slots * sizeof *c->inverse);
    for (size_t p = 0; p < n_places; p++) {
        c->trust[p] = TRUST_ONE;
        c->match[p] = c->rule.match;
    }
}

static void carve_edges(EdgeRoom *room, const Geometry *g, Arena *arena) {
    size_t width = g->edges ? g->width : 0, cells = g->edges ? g->map_wide + 1 : 0;
    ARENA_TAKE(arena, room->slope_x, width);
    ARENA_TAKE(arena, room->slope_y, width);
    ARENA_TAKE(arena, room->listed, width);
    ARENA_TAKE_ROWS(arena, room->line, cells, EDGE_DIRECTIONS);
}

void columns_scratch_carve(ColumnsScratch *s, const Columns *c, Arena *arena) {
    const Geometry *g = &c->geometry;
    size_t row = g->row;
    bool looks = c->params.looks > 1;
    s->macs = 0;
    s->wants_novelty = false;
#ifndef COLUMNS_SMALL
    if (c->n_steps > 0)
        raster_carve(&s->raster, c->n_steps, g->n_inputs, arena);
#endif
    ARENA_TAKE(arena, s->input, g->n_inputs);
    ARENA_TAKE(arena, s->moved, looks || c->rule.smooth ? g->n_inputs : 0);
    ARENA_TAKE(arena, s->sums, geometry_map(g));
    ARENA_TAKE(arena, s->map, geometry_map(g));
    ARENA_TAKE(arena, s->window, g->n_values);
    carve_edges(&s->edges, g, arena);
    ARENA_TAKE_ROWS(arena, s->patch, g->n_places, row);
    s->unmoved = s->patch;
    if (looks)
        ARENA_TAKE_ROWS(arena, s->unmoved, g->n_places, row);
    ARENA_TAKE(arena, s->look, looks ? row : 0);
    ARENA_TAKE(arena, s->is_silent, g->n_places);
    ARENA_TAKE(arena, s->win, g->n_places);
    ARENA_TAKE_ROWS(arena, s->z, g->n_places, c->n_outputs);
    ARENA_TAKE(arena, s->total, c->n_outputs);
    ARENA_TAKE(arena, s->score, c->n_outputs);
    ARENA_TAKE(arena, s->counts, c->n_outputs);
}

/* ---- units ---- */

/* A place whose blocks are full gets another one, behind its own in the list of all. */
static void add_block(Columns *c, size_t place) {
    uint32_t at = c->first_block[place + 1];
    memmove(c->blocks + at + 1, c->blocks + at, (c->n_blocks - at) * sizeof *c->blocks);
    c->blocks[at] = (BlockIndex)c->n_blocks++;
    for (size_t p = place + 1; p <= c->geometry.n_places; p++)
        c->first_block[p]++;
}

size_t columns_add_unit(Columns *c, size_t place) {
    size_t u = c->place_units[place];
    if (u % KERNEL_UNITS == 0)
        add_block(c, place);
    c->place_units[place]++;
    c->n_units++;
    return columns_unit(c, place, u);
}

/* A template's words are KERNEL_UNITS words apart. */
enum { WORD = 4, WORDS_APART = KERNEL_UNITS * WORD };

void columns_read_template(const Columns *c, size_t unit, int8_t *out) {
    const Geometry *g = &c->geometry;
    const int8_t *from = columns_value(c, unit, 0);
    for (size_t k = 0; k < g->n_words; k++)
        memcpy(out + k * WORD, from + k * WORDS_APART, WORD);
    memset(out + g->n_words * WORD, 0, g->row - g->n_words * WORD);
}

void columns_write_template(Columns *c, size_t unit, const int8_t *t, uint32_t squares) {
    int8_t *to = columns_value(c, unit, 0);
    for (size_t k = 0; k < c->geometry.n_words; k++)
        memcpy(to + k * WORDS_APART, t + k * WORD, WORD);
    if (squares == 0) {
        c->inverse[unit] = 0;
        return;
    }
    Root root = root_scaled(columns_tables(c), (uint64_t)squares * c->rule.norm2);
    c->inverse[unit] = (int32_t)(((uint64_t)1 << (30 + root.shift)) / root.mantissa);
}

void columns_set_inverse(Columns *c, size_t unit) {
    int8_t t[WINDOW_MAX];
    uint32_t squares = 0;
    columns_read_template(c, unit, t);
    for (size_t d = 0; d < c->geometry.n_values; d++)
        squares += (uint32_t)(t[d] * t[d]);
    columns_write_template(c, unit, t, squares);
}
