/* merge.c - merges columns; the steps are those of docs/columns.md.
 *
 * Nothing depends on the order of the parts: units are sorted by what they are, and sums are of
 * whole numbers. */
#include "columns/merge.h"

#include "base/allocator.h"
#include "base/arena.h"
#include "base/pack.h"
#include "base/status.h"

#include <string.h>

enum { NOT_KEPT = -1 };

/* A unit of a part. */
typedef struct Unit {
    const Columns *from;
    size_t at;
    uint32_t place;
    uint32_t uses; /* at least 1 */
    uint32_t lot;  /* a checksum of what it is: decides between units of equal use */
    int64_t kept;  /* if it is kept: its number in its place */
} Unit;

typedef struct Merge {
    Columns *out;
    size_t n_units, most_kept; /* of all parts; of those, in one place, at most so many are kept */
    int32_t alike;
    Unit *units;   /* [n_units] */
    int8_t *x;     /* [4 n_words] a template */
    int64_t *sums; /* of the units that are kept in a place: see sum_row */
} Merge;

int32_t merge_default_match(const Columns *out) {
    return MATCH_ONE - (MATCH_ONE - out->rule.match) / 3;
}

/* ---- memory ---- */

/* Of a unit: the values, its uses, its counts. */
static size_t sum_row(const Columns *out) {
    return out->geometry.n_values + 1 + out->n_outputs;
}

static void count_units(Merge *m, const ColumnsPart *parts, size_t n) {
    for (size_t p = 0; p < m->out->geometry.n_places; p++) {
        size_t here = 0;
        for (size_t k = 0; k < n; k++)
            here += parts[k].columns->place_units[p];
        m->n_units += here;
        m->most_kept = here > m->most_kept ? here : m->most_kept;
    }
    if (m->most_kept > m->out->most_units)
        m->most_kept = m->out->most_units;
}

static void carve(Merge *m, Arena *arena) {
    m->units = arena_take(arena, m->n_units, sizeof *m->units);
    m->x = arena_take(arena, m->out->geometry.n_words, 4);
    m->sums = arena_take_rows(arena, m->most_kept, sum_row(m->out), sizeof *m->sums);
}

/* ---- units, in an order of their own ---- */

static uint32_t draw_lot(const Columns *from, size_t at, uint32_t place) {
    uint32_t lot = crc_add(0, &(uint8_t[]){place & 255, place >> 8 & 255}, 2);
    for (size_t d = 0; d < from->geometry.n_values; d++)
        lot = crc_add(lot, columns_value(from, at, d), 1);
    return crc_add(lot, columns_counts(from, at), from->n_outputs);
}

/* The most used first. */
static int compare_units(const void *a, const void *b) {
    const Unit *x = a, *y = b;
    if (x->uses != y->uses)
        return x->uses > y->uses ? -1 : 1;
    if (x->lot != y->lot)
        return x->lot < y->lot ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    for (size_t d = 0; d < x->from->geometry.n_values; d++) {
        int diff = *columns_value(x->from, x->at, d) - *columns_value(y->from, y->at, d);
        if (diff != 0)
            return diff;
    }
    return memcmp(columns_counts(x->from, x->at), columns_counts(y->from, y->at),
                  x->from->n_outputs);
}

static int compare_places(const void *a, const void *b) {
    const Unit *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void list_units(Merge *m, const ColumnsPart *parts, size_t n_parts) {
    size_t n = 0;
    for (size_t k = 0; k < n_parts; k++) {
        const Columns *from = parts[k].columns;
        for (uint32_t p = 0; p < from->geometry.n_places; p++)
            for (size_t u = 0; u < from->place_units[p]; u++) {
                size_t at = columns_unit(from, p, u);
                uint32_t uses = count_value(from->uses[at]);
                m->units[n++] = (Unit){.from = from,
                                       .at = at,
                                       .place = p,
                                       .uses = uses > 0 ? uses : 1,
                                       .lot = draw_lot(from, at, p),
                                       .kept = NOT_KEPT};
            }
    }
}

/* ---- which units are kept ---- */

/* The unit of the result that is nearest to a unit of a part, whose template is then in m->x. */
static Match nearest(Merge *m, const Unit *unit) {
    const Columns *out = m->out;
    for (size_t d = 0; d < out->geometry.n_values; d++)
        m->x[d] = *columns_value(unit->from, unit->at, d);
    return out->kernel->match(&(Matching){.x = m->x,
                                          .n_words = out->geometry.n_words,
                                          .templates = out->templates,
                                          .inverse = out->inverse,
                                          .blocks = out->blocks + out->first_block[unit->place],
                                          .n = out->place_units[unit->place]});
}

/* A match is in proportion to the length of the patch, which here is a template. */
static bool is_alike(const Merge *m, const Unit *unit, Match match) {
    if (match.unit == UINT32_MAX)
        return false;
    int64_t shorter = (int64_t)unit->from->inverse[unit->at] * m->out->rule.norm2; /* S / |t| */
    return match.match * shorter / MATCH_ONE >= m->alike;
}

/* From the most used on, for as long as there is room: those that are not like one before. */
static void keep_units(Merge *m) {
    Columns *out = m->out;
    for (size_t i = 0; i < m->n_units && out->n_units < out->most_units; i++) {
        Unit *unit = &m->units[i];
        if (is_alike(m, unit, nearest(m, unit)))
            continue;
        unit->kept = out->place_units[unit->place];
        size_t at = columns_add_unit(out, unit->place);
        for (size_t d = 0; d < out->geometry.n_values; d++)
            *columns_value(out, at, d) = m->x[d];
        columns_set_inverse(out, at);
    }
}

/* ---- what they become ---- */

static void add_to_sums(Merge *m, const Unit *unit) {
    const Columns *out = m->out;
    size_t d = out->geometry.n_values;
    Match match = nearest(m, unit);
    size_t joins = unit->kept != NOT_KEPT ? (size_t)unit->kept : match.unit;
    int64_t *row = m->sums + joins * sum_row(out);
    for (size_t k = 0; k < d; k++)
        row[k] += (int64_t)unit->uses * m->x[k];
    row[d] += unit->uses;
    for (size_t k = 0; k < out->n_outputs; k++)
        row[d + 1 + k] += count_value(columns_counts(unit->from, unit->at)[k]);
}

/* To the nearest; n > 0. */
static int64_t divide(int64_t sum, int64_t n) {
    return (2 * sum + (sum < 0 ? -n : n)) / (2 * n);
}

static void take_sums(Columns *out, size_t unit, const int64_t *row) {
    size_t d = out->geometry.n_values;
    for (size_t k = 0; k < d; k++)
        *columns_value(out, unit, k) = (int8_t)divide(row[k], row[d]);
    columns_set_inverse(out, unit);
    out->uses[unit] = count_code((uint64_t)row[d]);
    for (size_t k = 0; k < out->n_outputs; k++)
        columns_counts(out, unit)[k] = count_code((uint64_t)row[d + 1 + k]);
}

/* Every unit joins the nearest that is kept in its place: no count is lost. */
static void join_place(Merge *m, uint32_t place, const Unit *units, size_t n) {
    Columns *out = m->out;
    size_t kept = out->place_units[place], row = sum_row(out);
    if (kept == 0)
        return;
    memset(m->sums, 0, kept * row * sizeof *m->sums);
    for (size_t i = 0; i < n; i++)
        add_to_sums(m, &units[i]);
    for (size_t u = 0; u < kept; u++)
        take_sums(out, columns_unit(out, place, u), m->sums + u * row);
}

static void merge_units(Merge *m, const ColumnsPart *parts, size_t n_parts) {
    list_units(m, parts, n_parts);
    qsort(m->units, m->n_units, sizeof *m->units, compare_units);
    keep_units(m);
    qsort(m->units, m->n_units, sizeof *m->units, compare_places);
    for (size_t from = 0, to; from < m->n_units; from = to) {
        for (to = from; to < m->n_units && m->units[to].place == m->units[from].place; to++)
            continue;
        join_place(m, m->units[from].place, m->units + from, to - from);
    }
}

/* ---- all but the units ---- */

static void add_count(uint32_t *count, uint32_t more) {
    *count = *count < UINT32_MAX - more ? *count + more : UINT32_MAX;
}

static void add_counts(Columns *out, const Columns *part) {
    for (size_t k = 0; k < out->n_outputs; k++)
        add_count(&out->totals[k], part->totals[k]);
    for (size_t k = 0; k < out->geometry.n_places * out->n_outputs; k++)
        add_count(&out->silent[k], part->silent[k]);
}

/* Trust and theta of each place: means of the parts, by samples. */
static void average_places(Columns *out, const ColumnsPart *parts, size_t n) {
    const uint64_t most = ((uint64_t)1 << 30) / n; /* so that no sum overflows */
    int shift = 0;
    int64_t total = 0;
    for (size_t k = 0; k < n; k++)
        while (parts[k].n_learned >> shift > most)
            shift++;
    for (size_t k = 0; k < n; k++)
        total += (int64_t)(parts[k].n_learned >> shift);
    for (size_t p = 0; p < out->geometry.n_places && total > 0; p++) {
        int64_t trust = 0, match = 0;
        for (size_t k = 0; k < n; k++) {
            int64_t weight = (int64_t)(parts[k].n_learned >> shift);
            trust += weight * parts[k].columns->trust[p];
            match += weight * parts[k].columns->match[p];
        }
        match = divide(match, total);
        out->trust[p] = (int32_t)divide(trust, total);
        out->match[p] = match < out->rule.match ? (int32_t)match : out->rule.match;
    }
}

tacos_status columns_merge(Columns *out, const ColumnsPart *parts, size_t n, int32_t alike,
                           tacos_error *err) {
    Merge merge = {.out = out, .alike = alike};
    Arena arena = {0};
    count_units(&merge, parts, n);
    carve(&merge, &arena);
    void *room = arena.overflow ? NULL : arena_default_alloc(NULL, arena.used, ARENA_ALIGN);
    if (!room)
        return failure(err, TACOS_MEMORY, "no memory to merge %zu units", merge.n_units);
    arena = (Arena){.base = room};
    carve(&merge, &arena);
    memset(merge.x, 0, 4 * out->geometry.n_words);
    merge_units(&merge, parts, n);
    for (size_t k = 0; k < n; k++)
        add_counts(out, parts[k].columns);
    average_places(out, parts, n);
    free(room);
    return TACOS_OK;
}
