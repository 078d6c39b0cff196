/* columns_sense.h - what columns.c begins with: its state, its arithmetic, and what the places see
 * of an input. */
#ifndef EXAMPLES_COLUMNS_SENSE_H
#define EXAMPLES_COLUMNS_SENSE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 2304, CELL_VALUES = 4096, WINDOW = 1024, PLACES = 100 }; /* at most */
enum { UNITS = 1000, OUTPUTS = 12, NOBODY = -1, DIRECTIONS = 8 };
enum { STOCHASTIC, NEAREST, NEVER };           /* column_settle */
enum { MATCH_1 = 1 << 30, TRUST_1 = 1 << 16 }; /* a match, and a trust, of 1 */

/* docs/columns.md says how these follow from keys. */
typedef struct ReferenceRule {
    int height, width, channels; /* of the input; a vector is one row */
    int vector, edges, smooth;   /* of counts: no neighbours; edges, or values; 1-2-1 first */
    int cells_high, cells_wide, window_high, window_wide, stride;
    int group;                        /* of a vector: inputs that stay together */
    int n_places, n_units, n_outputs; /* n_places: of a vector */
    int smooth_shift, edge_shift, root_shift, sum_shift; /* so that sums fit; mostly 0 */
    int64_t norm2;                                       /* S^2 */
    uint64_t silence;                                    /* less contrast is silence */
    int64_t theta, error_gap, down, up, look_cost;       /* of matches */
    int64_t inherit, trust_rate;
    int settle, recycle, recycle_uses, looks;
} ReferenceRule;

typedef struct ReferenceUnit {
    int place;
    int t[WINDOW];                 /* the template, -127 to 127 */
    uint8_t uses, counts[OUTPUTS]; /* codes of numbers */
} ReferenceUnit;

typedef struct ReferencePlace {
    int at[INPUTS]; /* which values of the map it sees; of a vector all, in random order */
    int64_t trust, theta;
    uint32_t silent[OUTPUTS];
    /* Of the present sample: */
    int is_silent, first[WINDOW], x[WINDOW]; /* the patch of the first look, and of the best one */
    int winner;                              /* a unit, or NOBODY */
    int64_t match, z[OUTPUTS];
} ReferencePlace;

typedef struct ReferenceColumns {
    ReferenceRule rule;
    uint32_t seed;
    uint64_t n_learned;
    int window, n_places, n_units; /* window: how many values it has */
    uint32_t totals[OUTPUTS];
    ReferencePlace places[PLACES];
    ReferenceUnit units[UNITS]; /* those of a place in the order in which it got them */
    int map[CELL_VALUES];
    int64_t score[OUTPUTS];
} ReferenceColumns;

/* ---- whole numbers ---- */

/* 256 log2(v), from the highest bit and the eight bits behind it. */
static int64_t log256(uint64_t v) {
    int e = 0;
    while (v >> (e + 1))
        e++;
    return 256 * e + (int64_t)floor(256 * log2(1 + (double)((v << 8 >> e) & 255) / 256) + 0.5);
}

static uint64_t root_of_top(uint64_t top) { /* 64 to 255: the highest bits of a number */
    return (uint64_t)floor(4096 * sqrt((double)top + 0.5));
}

/* 16 sqrt(v) */
static int root16(uint64_t v) {
    int up = 0;
    for (; v > 0 && v < 1 << 22; v <<= 2)
        up++;
    return v == 0 ? 0 : (int)(root_of_top(v >> 16) >> up);
}

/* sqrt(v) = mantissa / 2^shift, with a step of Newton's method */
static int64_t root_mantissa(uint64_t v, int *shift) {
    for (*shift = 0; v < (uint64_t)1 << 30; v <<= 2)
        ++*shift;
    for (; v >= (uint64_t)1 << 32; v >>= 2)
        --*shift;
    uint64_t guess = root_of_top(v >> 24);
    return (int64_t)((guess + v / guess) / 2);
}

/* What a code of eight bits stands for: up to 16 itself, then in growing steps. */
static int64_t number_of(int code) {
    return ((int64_t)(16 + code % 16) << code / 16) - 16;
}

static uint8_t nearest_code(int64_t number) {
    int best = 0;
    for (int code = 1; code < 256; code++)
        if (llabs(number_of(code) - number) < llabs(number_of(best) - number))
            best = code;
    return (uint8_t)best;
}

/* ---- random draws ---- */

enum { DRAWS_OF_PLACE = 24, DRAWS_OF_VIEW = 25 }; /* purposes */

/* Philox4x32-10: four numbers that are a function of these. */
static void random_numbers(uint32_t seed, uint32_t purpose, uint64_t sample, uint32_t block,
                           uint32_t out[4]) {
    uint32_t c[4] = {0, block, (uint32_t)sample, (uint32_t)(sample >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)c[0] * 0xD2511F53, p1 = (uint64_t)c[2] * 0xCD9E8D57;
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ seed;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ purpose;
        c[1] = (uint32_t)p1;
        c[3] = (uint32_t)p0;
        seed += 0x9E3779B9;
        purpose += 0xBB67AE85;
    }
    memcpy(out, c, sizeof c);
}

/* A sequence of 32-bit numbers that begins at one of these. */
static uint64_t next_draw(uint32_t *state) {
    return *state = *state * 1664525 + 1013904223;
}

/* One more event. Codes are 2^e apart: it changes the code in one of 2^e cases. */
static void add_event(uint8_t *code, uint32_t *draws) {
    int e = *code / 16;
    if (*code < 255 && (e == 0 || next_draw(draws) < (uint64_t)1 << (32 - e)))
        ++*code;
}

/* ---- places ---- */

/* A grid of windows in the middle of the map. */
static void choose_windows(ReferenceColumns *r) {
    const ReferenceRule *rule = &r->rule;
    int n = rule->edges ? DIRECTIONS : rule->channels;
    int spare_y = rule->cells_high - rule->window_high, n_high = spare_y / rule->stride + 1;
    int spare_x = rule->cells_wide - rule->window_wide, n_wide = spare_x / rule->stride + 1;
    int top = spare_y % rule->stride / 2, left = spare_x % rule->stride / 2;
    r->n_places = n_high * n_wide;
    r->window = rule->window_high * rule->window_wide * n;
    for (int p = 0; p < r->n_places; p++)
        for (int k = 0; k < r->window; k++) {
            int y = top + p / n_wide * rule->stride + k / n / rule->window_wide;
            int x = left + p % n_wide * rule->stride + k / n % rule->window_wide;
            r->places[p].at[k] = (y * rule->cells_wide + x) * n + k % n;
        }
}

/* Of a vector, random subsets of its groups, all equally likely (Floyd). */
static void choose_groups(ReferenceColumns *r) {
    int group = r->rule.group, n_seen = r->rule.window_wide / group, seen[WINDOW];
    uint32_t n_groups = (uint32_t)(r->rule.width / group), drawn[4];
    r->n_places = r->rule.n_places;
    r->window = r->rule.window_wide;
    for (int p = 0; p < r->n_places; p++)
        for (int k = 0; k < n_seen; k++) {
            uint32_t last = n_groups - (uint32_t)(n_seen - k);
            random_numbers(r->seed, DRAWS_OF_VIEW, (uint64_t)p, last / 4, drawn);
            int pick = (int)((uint64_t)drawn[last % 4] * (last + 1) >> 32);
            for (int i = 0; i < k; i++)
                if (seen[i] == pick)
                    pick = (int)last; /* which none has yet */
            seen[k] = pick;
            for (int i = 0; i < group; i++)
                r->places[p].at[k * group + i] = pick * group + i;
        }
}

/* Of a vector, all inputs in random order, all orders being equally likely (Fisher-Yates). */
static void choose_orders(ReferenceColumns *r) {
    uint32_t drawn[4];
    r->n_places = r->rule.n_places;
    r->window = r->rule.window_wide;
    for (int p = 0; p < r->n_places; p++) {
        int *at = r->places[p].at;
        for (int i = 0; i < r->rule.width; i++)
            at[i] = i;
        for (int last = r->rule.width - 1; last > 0; last--) {
            random_numbers(r->seed, DRAWS_OF_VIEW, (uint64_t)p, (uint32_t)last / 4, drawn);
            int other = (int)((uint64_t)drawn[last % 4] * (uint64_t)(last + 1) >> 32);
            int input = at[last];
            at[last] = at[other];
            at[other] = input;
        }
    }
}

static void reference_start(ReferenceColumns *r, const ReferenceRule *rule, uint32_t seed) {
    memset(r, 0, sizeof *r);
    r->rule = *rule;
    r->seed = seed;
    if (rule->vector && rule->group > 1)
        choose_groups(r);
    else if (rule->vector)
        choose_orders(r);
    else
        choose_windows(r);
    for (int p = 0; p < r->n_places; p++) {
        r->places[p].trust = TRUST_1;
        r->places[p].theta = rule->theta;
    }
}

/* ---- 2: sense ---- */

static int at_least_0_below(int i, int n) {
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* The count of a pixel; beyond the border, that of the nearest one. */
static int64_t pixel(const ReferenceRule *rule, const int *counts, int y, int x, int channel) {
    y = at_least_0_below(y, rule->height);
    x = at_least_0_below(x, rule->width);
    return counts[(y * rule->width + x) * rule->channels + channel];
}

/* 2a: the sum with the neighbours, weighted 1-2-1 in both directions. */
static void smooth(const ReferenceRule *rule, const int *counts, int *out) {
    static int rows[INPUTS];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < rule->height * rule->width * rule->channels; i++) {
            int k = i % rule->channels, x = i / rule->channels % rule->width;
            int y = i / rule->channels / rule->width, dy = pass, dx = !pass;
            const int *from = pass ? rows : counts;
            int64_t sum = pixel(rule, from, y - dy, x - dx, k) + 2 * pixel(rule, from, y, x, k) +
                          pixel(rule, from, y + dy, x + dx, k);
            (pass ? out : rows)[i] = (int)(pass ? sum : sum >> rule->smooth_shift);
        }
}

/* The cell whose middle is before pixel i of `side`, and the share of the next cell, in 1/8. */
static int share_of_next(int i, int side, int cells, int *cell) {
    int past = (2 * i + 1) * cells + side; /* the middle of cell -1, in cells, times 2 side */
    *cell = past / (2 * side) - 1;
    return (past % (2 * side) * 8 + side) / (2 * side);
}

/* Give a slope to the four nearest cells, as far as there are any. */
static void add_edge(const ReferenceRule *rule, int y, int x, int direction, int64_t size,
                     int64_t *sums) {
    int row, column, down = share_of_next(y, rule->height, rule->cells_high, &row);
    int right = share_of_next(x, rule->width, rule->cells_wide, &column);
    for (int k = 0; k < 4; k++) {
        int cy = row + k / 2, cx = column + k % 2;
        int share = (k / 2 ? down : 8 - down) * (k % 2 ? right : 8 - right);
        if (cy >= 0 && cy < rule->cells_high && cx >= 0 && cx < rule->cells_wide)
            sums[(cy * rule->cells_wide + cx) * DIRECTIONS + direction] += share * size;
    }
}

/* 2b: a slope (dx, dy) is the sum of a part along an axis and one along a diagonal. */
static void see_slope(const ReferenceRule *rule, const int *counts, int y, int x, int64_t *sums) {
    int64_t dx = 0, dy = 0;
    for (int k = 0; k < rule->channels; k++) { /* the steepest channel */
        int64_t kx = pixel(rule, counts, y, x + 1, k) - pixel(rule, counts, y, x - 1, k);
        int64_t ky = pixel(rule, counts, y + 1, x, k) - pixel(rule, counts, y - 1, x, k);
        if (llabs(kx) + llabs(ky) > llabs(dx) + llabs(dy)) {
            dx = kx;
            dy = ky;
        }
    }
    int64_t longer = llabs(dx) < llabs(dy) ? llabs(dy) : llabs(dx);
    int64_t shorter = llabs(dx) + llabs(dy) - longer;
    int axis = llabs(dx) == longer ? (dx > 0 ? 0 : 4) : dy > 0 ? 2 : 6;
    int diagonal = dy >= 0 ? (dx >= 0 ? 1 : 3) : dx >= 0 ? 7 : 5;
    add_edge(rule, y, x, axis, (longer - shorter) >> rule->edge_shift, sums);
    add_edge(rule, y, x, diagonal, shorter * 181 / 128 >> rule->edge_shift, sums);
}

static void see_map(ReferenceColumns *r, const int *counts) {
    static int64_t sums[CELL_VALUES];
    const ReferenceRule *rule = &r->rule;
    memset(sums, 0, sizeof sums);
    for (int y = 0; y < rule->height; y++)
        for (int x = 0; x < rule->width; x++) {
            int cell = y * rule->cells_high / rule->height * rule->cells_wide +
                       x * rule->cells_wide / rule->width;
            if (rule->edges)
                see_slope(rule, counts, y, x, sums);
            for (int k = 0; k < rule->channels && !rule->edges; k++)
                sums[cell * rule->channels + k] += pixel(rule, counts, y, x, k);
        }
    for (int i = 0; i < CELL_VALUES; i++) {
        uint64_t sum = (uint64_t)sums[i] >> rule->root_shift;
        r->map[i] = rule->edges ? root16(sum) : (int)sum;
    }
}

/* Value k of a window. Of a vector: every D-th input, with + and - in turns. */
static int64_t see_value(const ReferenceColumns *r, const int *at, int k) {
    int64_t sum = r->map[at[k]], sign = -1;
    if (!r->rule.vector || r->rule.group > 1)
        return sum;
    for (int i = k + r->window; i < r->rule.width; i += r->window, sign = -sign)
        sum += sign * r->map[at[i]];
    return sum >> r->rule.sum_shift;
}

/* 2c: the patch of a place, scaled to norm S. False: the place is silent. */
static int see_patch(const ReferenceColumns *r, const int *at, int *x) {
    int64_t n = r->window, sum = 0, squares = 0, v[WINDOW], centred[WINDOW];
    for (int k = 0; k < n; k++) {
        v[k] = see_value(r, at, k);
        sum += v[k];
        squares += v[k] * v[k];
    }
    uint64_t contrast = (uint64_t)(r->rule.edges ? squares : n * squares - sum * sum);
    if (contrast == 0 || contrast < r->rule.silence)
        return 0;
    for (int k = 0; k < n; k++)
        centred[k] = r->rule.edges ? v[k] : n * v[k] - sum;
    int shift;
    int64_t root = root_mantissa(r->rule.edges ? contrast : (uint64_t)n * contrast, &shift);
    int64_t s = (int64_t)floor(sqrt((double)r->rule.norm2 * 0x1p32)); /* times 2^16 */
    int64_t factor = s * 32768 / root, half = (int64_t)1 << (30 - shift);
    for (int k = 0; k < n; k++) {
        int64_t size = (llabs(centred[k]) * factor + half) >> (31 - shift);
        size = size < 127 ? size : 127;
        x[k] = (int)(centred[k] < 0 ? -size : size);
    }
    return 1;
}

#endif
