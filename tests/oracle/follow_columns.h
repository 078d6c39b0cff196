/* follow_columns.h - examples/columns.c with the keys of an engine: what docs/columns.md says about
 * defaults, units and memory, written a second time. */
#ifndef TESTS_FOLLOW_COLUMNS_H
#define TESTS_FOLLOW_COLUMNS_H

#include "base/rng.h"
#include "net/params.h"

/* What the reference did. */
typedef enum Event {
    MOVED_LOOK_WON,
    TRUSTED,
    THETA_FELL,
    RECYCLED,
    INHERITED,
    SETTLED,
    RECRUITED,
    EVENTS
} Event;

static uint64_t n_events[EVENTS];

#define NOTE(event) (n_events[event]++)
#define COLUMNS_WITHOUT_MAIN
#include "../../examples/columns.c"

_Static_assert((int)STOCHASTIC == (int)SETTLE_STOCHASTIC && (int)NEAREST == (int)SETTLE_NEAREST &&
                   (int)NEVER == (int)SETTLE_NONE,
               "column_settle has the engine's values");

/* ---- geometry ---- */

static int key_or(size_t key, int otherwise) {
    return key > 0 ? (int)key : otherwise;
}

static int lesser(int a, int b) {
    return a < b ? a : b;
}

/* A vector of groups: some of them. */
static int follow_groups(int n, int group, int window) {
    int seen = window > 0 ? window / group : n <= 2 ? n : lesser(8, (3 * n + 3) / 4);
    return (seen > 0 ? seen : 1) * group;
}

/* A plain vector: sums. */
static void follow_vector(ReferenceRule *rule, const Params *p) {
    int n = (int)p->n_inputs, group = (int)p->columns.group, sums = lesser((n + 1) / 2 + 1, 128);
    rule->vector = 1;
    rule->group = group;
    rule->height = rule->channels = rule->cells_high = rule->window_high = rule->stride = 1;
    rule->width = rule->cells_wide = n;
    rule->window_wide = key_or(p->columns.window, lesser(sums, n));
    if (group > 1)
        rule->window_wide = follow_groups(n / group, group, (int)p->columns.window);
    sums = rule->window_wide;
    int places = group > 1 ? 16 : sums > 128 ? 1 : lesser(256 / sums, 16);
    rule->n_places = key_or(p->columns.places, sums == n ? 1 : places);
}

static void follow_windows(ReferenceRule *rule, const Params *p) {
    int high = rule->cells_high, wide = rule->cells_wide;
    int side = high == 1 || wide == 1 ? high * wide : lesser(high, wide);
    int window = lesser(rule->edges ? 3 : lesser(8, (side + 1) / 2 + 1), side);
    window = key_or(p->columns.window, window);
    int spare = side - window;
    rule->stride = key_or(p->columns.stride, spare < 2     ? 1
                                             : rule->edges ? 2
                                                           : lesser(3, spare / 2));
    rule->window_high = lesser(window, high);
    rule->window_wide = lesser(window, wide);
    rule->n_places = ((high - rule->window_high) / rule->stride + 1) *
                     ((wide - rule->window_wide) / rule->stride + 1);
}

static void follow_geometry(ReferenceRule *rule, const Params *p) {
    const Counts *shape = &p->columns.shape;
    if (shape->n == 0) {
        follow_vector(rule, p);
        return;
    }
    rule->group = 1;
    rule->height = (int)shape->value[0];
    rule->width = (int)shape->value[1];
    rule->channels = shape->n == 3 ? (int)shape->value[2] : 1;
    int image = rule->height > 1 && rule->width > 1;
    rule->edges =
        p->columns.features == COLUMN_EDGES || (p->columns.features == COLUMN_AUTO && image);
    int half = lesser(rule->height, rule->width) / 2, edge_cells = lesser(7, half > 1 ? half : 2);
    int cells = key_or(p->columns.cells, rule->edges ? edge_cells : image ? 14 : 128);
    rule->cells_high = lesser(cells, rule->height);
    rule->cells_wide = lesser(cells, rule->width);
    follow_windows(rule, p);
}

/* ---- constants ---- */

static int follow_window(const ReferenceRule *rule) {
    return rule->window_high * rule->window_wide * (rule->edges ? DIRECTIONS : rule->channels);
}

/* As many as fit into the memory with what else learning changes. */
static int follow_units(const ReferenceRule *rule, const Params *p) {
    int n_outputs = (int)p->n_outputs, n_blocks = rule->n_places + 1;
    int places = rule->n_places * (12 + 4 * n_outputs) + 4 * n_outputs + 4 * n_blocks;
    double unit = follow_window(rule) + 1 + n_outputs + 4 / 16.0;
    if (p->columns.n_units > 0)
        return (int)p->columns.n_units;
    return (int)((p->columns.memory_kb * 1000 - places) / unit);
}

/* floor(1024 v^(1/3)) */
static int64_t cube_root1024(int64_t v) {
    int64_t root = 0;
    while ((root + 1) * (root + 1) * (root + 1) <= v << 30)
        root++;
    return root;
}

static int64_t follow_theta(const ReferenceRule *rule, const Params *p) {
    if (p->columns.match > 0)
        return (int64_t)(p->columns.match * MATCH_1);
    if (!rule->edges && !(rule->vector && rule->group == 1))
        return MATCH_1 / 20 * (rule->vector ? 16 : 15);
    int64_t d = follow_window(rule), root = (int64_t)floor(1024 * sqrt((double)d));
    int64_t gap = MATCH_1 / 1000 * (rule->vector ? 35 * 1024 * d : 68 * root) /
                  cube_root1024(rule->n_units / rule->n_places + 1);
    return gap < MATCH_1 / 2 ? MATCH_1 - gap : MATCH_1 / 2;
}

/* The spikes that an input of intensity 1 has on average. */
static double follow_full(const Params *p) {
    double odds = fmin(p->input_rate_hz * p->dt_ms / 1000, 1);
    return fmax(floor(odds * (double)p->n_steps + 0.5), 1);
}

/* Shifts, such that smoothed counts fit into 16 bits, sums of edges into 31, and what roots are
 * taken of into 24; sums of values into 15. */
static void follow_shifts(ReferenceRule *rule, const Params *p) {
    int spikes = p->columns.input == COLUMN_INPUT_SPIKES;
    double full = spikes ? follow_full(p) : 255, most = spikes ? (double)p->n_steps : 255;
    double contrast = p->columns.contrast;
    rule->smooth = rule->edges && spikes;
    while (rule->smooth && (long)(16 * most) >> rule->smooth_shift > 65535)
        rule->smooth_shift++;
    double gain = rule->smooth ? 16.0 / (1 << rule->smooth_shift) : 1;
    double sum = ((double)rule->height / rule->cells_high + 1) *
                 ((double)rule->width / rule->cells_wide + 1) * (rule->edges ? 96 : 1) * gain *
                 most;
    while (rule->edges && sum / (1 << rule->edge_shift) >= 0x1p31)
        rule->edge_shift++;
    while (sum / (1 << rule->edge_shift) / (1 << rule->root_shift) >=
           (rule->edges ? 0x1p24 : 0x1p15))
        rule->root_shift++;
    double added =
        rule->vector && rule->group == 1 ? ceil((double)rule->width / rule->window_wide) : 0;
    while (sum / (1 << rule->root_shift) / (1 << rule->sum_shift) * added >= 0x1p15)
        rule->sum_shift++;
    if (contrast <= 0)
        contrast = rule->edges ? 5e-5 : 0.02;
    double least = contrast * gain * full * (rule->height * rule->width) /
                   (rule->cells_high * rule->cells_wide) / (1 << rule->edge_shift) /
                   (1 << rule->root_shift) / (1 << rule->sum_shift);
    double d = follow_window(rule), cells = rule->window_high * rule->window_wide;
    rule->silence = (uint64_t)(rule->edges ? 256 * 64 * least * cells : d * d * least * least);
}

static ReferenceRule follow_rule(const Params *p) {
    const ColumnsParams *keys = &p->columns;
    ReferenceRule rule = {.n_outputs = (int)p->n_outputs};
    follow_geometry(&rule, p);
    rule.n_units = follow_units(&rule, p);
    follow_shifts(&rule, p);
    int d = follow_window(&rule);
    rule.norm2 = d > 49 ? 127 * 127 * d / 49 : 127 * 127;
    rule.theta = follow_theta(&rule, p);
    rule.error_gap = 65536 / 2;
    if (keys->match_error > 0 && rule.theta < MATCH_1)
        rule.error_gap =
            (int64_t)((1 - keys->match_error) * MATCH_1 / (double)(MATCH_1 - rule.theta) * 65536);
    rule.error_gap = rule.error_gap < 65536 ? rule.error_gap : 65536;
    rule.down = (int64_t)(keys->match_step * MATCH_1);
    rule.up = (int64_t)(keys->match_step * 0.1 / (1 - 0.1) * MATCH_1);
    rule.look_cost = (int64_t)(keys->look_cost * MATCH_1);
    rule.inherit = (int64_t)(keys->inherit * 256);
    rule.trust_rate = (int64_t)(keys->trust * log(2) / 256 * TRUST_1 * 65536 + 0.5);
    rule.settle = keys->settle;
    rule.recycle = (int)keys->recycle;
    rule.recycle_uses = (int)keys->recycle_uses;
    rule.looks = (int)keys->looks;
    return rule;
}

/* ---- novelty ---- */

typedef struct FollowedNovelty {
    int64_t disagreement, unlikeness;
} FollowedNovelty;

/* Of the sample that was answered last. */
static FollowedNovelty follow_novelty(const ReferenceColumns *r, int answer) {
    FollowedNovelty sum = {0, 0};
    int64_t n = 0, gap = MATCH_1 - r->rule.theta;
    gap = gap > 1024 ? gap : 1024;
    for (int p = 0; p < r->n_places; p++) {
        const ReferencePlace *place = &r->places[p];
        int64_t most = 0;
        for (int c = 0; c < r->rule.n_outputs && has_a_vote(place) && answer != NOBODY; c++)
            if (r->totals[c] > 0 && place->z[c] - place->z[answer] > most)
                most = place->z[c] - place->z[answer];
        sum.disagreement += most;
        if (place->is_silent || place->winner == NOBODY)
            continue;
        sum.unlikeness += place->match < MATCH_1 ? (MATCH_1 - place->match) * 256 / gap : 0;
        n++;
    }
    sum.unlikeness /= n > 0 ? n : 1;
    return sum;
}

/* ---- 1: counts ---- */

/* Of an intensity: its value, or its spikes as they are drawn for this sample. */
static void follow_intensities(const Params *p, uint32_t seed, RngPurpose purpose, uint64_t sample,
                               const float *intensity, int *counts) {
    for (size_t j = 0; j < p->n_inputs; j++) {
        double chance = (double)intensity[j] * p->input_rate_hz * p->dt_ms / 1000;
        counts[j] = 0;
        if (p->columns.input == COLUMN_INPUT_VALUES)
            counts[j] = (int)(intensity[j] * 255.0f + 0.5f);
        for (size_t t = 0; t < p->n_steps && p->columns.input == COLUMN_INPUT_SPIKES; t++) {
            RngBlock block = rng_block(seed, purpose, sample, (uint32_t)(t / 4), (uint32_t)j);
            counts[j] += block.word[t % 4] / 0x1p32 < chance;
        }
    }
}

/* Of given spikes: their number; as a value, in proportion to that of a full input. */
static void follow_spikes(const Params *p, const uint8_t *spikes, size_t n_steps, int *counts) {
    int full = (int)follow_full(p);
    for (size_t j = 0; j < p->n_inputs; j++) {
        counts[j] = 0;
        for (size_t t = 0; t < n_steps; t++)
            counts[j] += spikes[t * p->n_inputs + j] != 0;
        if (p->columns.input == COLUMN_INPUT_VALUES)
            counts[j] = lesser((counts[j] * 255 + full / 2) / full, 255);
    }
}

#endif
