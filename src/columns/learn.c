/* learn.c - how a columns learner answers and learns; the steps are those of docs/columns.md. */
#include "columns/columns.h"

#include "base/draws.h"
#include "base/philox.h"

#include <string.h>

enum {
    TRUST_AFTER = 200, /* samples of an output before trust follows its errors */
    RECYCLE_ABOVE = 8, /* units of a place; smaller places keep theirs */
};

#define NO_UNIT ((int64_t)-1)

/* ---- compete ---- */

static Match best_unit(const Columns *c, ColumnsScratch *s, size_t place, const int8_t *x) {
    const BlockIndex *blocks = c->blocks + c->first_block[place];
    s->macs += (uint64_t)c->place_units[place] * c->geometry.n_values;
    Matching matching = {x,      c->geometry.n_words,  c->templates, c->inverse,
                         blocks, c->place_units[place]};
    return c->kernel->match(&matching);
}

/* The input as it is: decides which places are silent. */
static void look_first(const Columns *c, ColumnsScratch *s) {
    size_t row = c->geometry.row;
    sense_map(c, s, s->input);
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        int8_t *x = s->patch + p * row;
        s->is_silent[p] = !sense_patch(c, s, p, x);
        if (!s->is_silent[p])
            s->win[p] = best_unit(c, s, p, x);
    }
}

static void move_input(const Geometry *g, const uint16_t *from, int dx, int dy, uint16_t *to) {
    size_t row = g->width * g->channels;
    memset(to, 0, g->n_inputs * sizeof *to);
    for (size_t y = 0; y < g->height; y++) {
        size_t source = y + (size_t)dy; /* wraps below 0, and is then too large */
        if (source >= g->height)
            continue;
        size_t shift = dx ? g->channels : 0;
        memcpy(to + y * row + (dx < 0 ? shift : 0), from + source * row + (dx > 0 ? shift : 0),
               (row - shift) * sizeof *to);
    }
}

/* The input moved by a pixel: wins a place if a unit matches better, less the cost of moving. */
static void look_moved(const Columns *c, ColumnsScratch *s, int dx, int dy) {
    size_t row = c->geometry.row;
    move_input(&c->geometry, s->input, dx, dy, s->moved);
    sense_map(c, s, s->moved);
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (s->is_silent[p] || !sense_patch(c, s, p, s->look))
            continue;
        Match match = best_unit(c, s, p, s->look);
        int64_t less = (int64_t)match.match - c->rule.look_cost;
        if (c->place_units[p] == 0 || less <= s->win[p].match)
            continue;
        s->win[p].match = (int32_t)less;
        s->win[p].unit = match.unit;
        memcpy(s->patch + p * row, s->look, row);
    }
}

static void compete(const Columns *c, ColumnsScratch *s) {
    static const int8_t moves[][2] = {{0, 0}, {1, 0},  {-1, 0}, {0, 1},  {0, -1},
                                      {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const Geometry *g = &c->geometry;
    if (c->rule.smooth)
        sense_smooth(c, s);
    look_first(c, s);
    if (c->params.looks > 1)
        memcpy(s->unmoved, s->patch, g->n_places * g->row);
    for (size_t k = 1; k < c->params.looks; k++)
        if (moves[k][1] == 0 || g->height > 1)
            look_moved(c, s, moves[k][0], moves[k][1]);
}

/* ---- read out ---- */

/* z_p(c) = log2(2 n_uc + 1) - log2(2 n_c + K), for the winner or for silence. */
static void weigh_place(const Columns *c, ColumnsScratch *s, size_t place) {
    size_t n = c->n_outputs;
    int32_t *z = s->z + place * n;
    if (s->is_silent[place]) {
        for (size_t k = 0; k < n; k++) {
            uint32_t seen = c->silent[place * n + k];
            z[k] = log2_of(columns_tables(c), seen < INT32_MAX ? 2 * seen + 1 : UINT32_MAX) -
                   s->total[k];
        }
        return;
    }
    const uint8_t *counts = columns_counts(c, columns_unit(c, place, s->win[place].unit));
    for (size_t k = 0; k < n; k++)
        z[k] = (int32_t)columns_count_log(c)[counts[k]] - s->total[k];
}

/* A place without units has no opinion. */
static bool votes(const Columns *c, const ColumnsScratch *s, size_t place) {
    return s->is_silent[place] || c->place_units[place] > 0;
}

/* A vote is at most TRUST_MOST times the logarithm of a 32-bit number. */
enum {
    SUM_OF_VOTES_FITS =
        1 / ((int64_t)PLACES_MAX * (TRUST_MOST >> TRUST_SHIFT) * (32 << LOG_SHIFT) <= INT32_MAX)
};

static void sum_votes(const Columns *c, ColumnsScratch *s) {
    uint32_t room = (uint32_t)(c->n_units / c->geometry.n_places) + 1; /* K */
    for (size_t k = 0; k < c->n_outputs; k++) {
        uint32_t seen = c->totals[k] < INT32_MAX / 2 ? 2 * c->totals[k] : INT32_MAX;
        s->total[k] = log2_of(columns_tables(c), seen + room);
        s->score[k] = 0;
    }
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (!votes(c, s, p))
            continue;
        weigh_place(c, s, p);
        const int32_t *z = s->z + p * c->n_outputs;
        int64_t trust = c->trust[p];
        for (size_t k = 0; k < c->n_outputs; k++)
            s->score[k] += (int32_t)(trust * z[k] >> TRUST_SHIFT);
    }
}

/* The likeliest output ever seen other than `except`, or -1. */
static int likeliest(const Columns *c, const ColumnsScratch *s, int except) {
    int best = -1;
    for (size_t k = 0; k < c->n_outputs; k++)
        if (c->totals[k] > 0 && (int)k != except && (best < 0 || s->score[k] > s->score[best]))
            best = (int)k;
    return best;
}

/* ---- novelty ---- */

/* How much better a place likes the output that it likes best of those learned. */
static int32_t dissent(const Columns *c, const ColumnsScratch *s, size_t place, size_t answer) {
    const int32_t *z = s->z + place * c->n_outputs;
    int32_t most = z[answer];
    for (size_t k = 0; k < c->n_outputs; k++)
        if (c->totals[k] > 0 && z[k] > most)
            most = z[k];
    return most - z[answer];
}

static ColumnsNovelty novelty_of(const Columns *c, const ColumnsScratch *s, int answer) {
    ColumnsNovelty novelty = {0, 0};
    int64_t n = 0, gap = MATCH_ONE - c->rule.match > 1 << 10 ? MATCH_ONE - c->rule.match : 1 << 10;
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (!votes(c, s, p))
            continue;
        if (answer >= 0)
            novelty.disagreement += dissent(c, s, p, (size_t)answer);
        if (s->is_silent[p])
            continue;
        int64_t short_of_one = (int64_t)MATCH_ONE - s->win[p].match; /* rounding may exceed 1 */
        novelty.unlikeness += (short_of_one > 0 ? short_of_one : 0) * 256 / gap;
        n++;
    }
    novelty.unlikeness /= n > 0 ? n : 1;
    return novelty;
}

static int answer(const Columns *c, ColumnsScratch *s) {
    compete(c, s);
    sum_votes(c, s);
    int best = likeliest(c, s, -1);
    if (s->wants_novelty)
        s->novelty = novelty_of(c, s, best);
    return best;
}

int columns_predict(const Columns *c, ColumnsScratch *s) {
    int best = answer(c, s);
    int32_t least = best < 0 ? 0 : s->score[best];
    for (size_t k = 0; k < c->n_outputs; k++)
        if (c->totals[k] > 0 && s->score[k] < least)
            least = s->score[k];
    for (size_t k = 0; k < c->n_outputs; k++)
        s->counts[k] = c->totals[k] > 0 ? (uint32_t)s->score[k] - (uint32_t)least + 1 : 0;
    return best;
}

/* ---- learn ---- */

/* Places that spoke for the right answer gain trust, those that spoke for the wrong one lose it. */
static void move_trust(Columns *c, const ColumnsScratch *s, size_t target) {
    const int64_t least = TRUST_LEAST, most = TRUST_MOST;
    int other = likeliest(c, s, (int)target);
    if (other < 0 || c->totals[target] <= TRUST_AFTER || c->rule.trust_rate == 0)
        return;
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (s->is_silent[p] || !votes(c, s, p))
            continue;
        const int32_t *z = s->z + p * c->n_outputs;
        int64_t step = (int64_t)(z[target] - z[other]) * c->rule.trust_rate;
        int64_t trust = c->trust[p] + ((step + (1 << 15)) >> 16);
        c->trust[p] = (int32_t)(trust < least ? least : trust > most ? most : trust);
    }
}

static uint32_t settle_nearest(const Settling *s) {
    uint32_t squares = 0;
    for (size_t k = 0; k < s->n; k++) {
        s->t[k] = (int8_t)(s->t[k] + (((s->x[k] - s->t[k]) * s->rate + (1 << 15)) >> 16));
        squares += (uint32_t)(s->t[k] * s->t[k]);
    }
    return squares;
}

/* t += (x - t) / (1 + uses) */
static void settle_unit(Columns *c, size_t unit, const int8_t *x, uint32_t draws) {
    uint32_t uses = count_value(c->uses[unit]);
    int32_t rate = uses < 65535 ? (int32_t)(65536 / (1 + uses)) : 1;
    int8_t t[WINDOW_MAX];
    Settling settling = {t, x, c->geometry.row, rate, draws};
    if (c->params.settle == SETTLE_NONE)
        return;
    columns_read_template(c, unit, t);
    bool nearest = c->params.settle == SETTLE_NEAREST;
    uint32_t squares = nearest ? settle_nearest(&settling) : c->kernel->settle(&settling);
    columns_write_template(c, unit, t, squares);
}

/* An eighth of the parent's counts, but at most kappa in all; rounded at random. */
static void inherit(Columns *c, size_t parent, uint8_t *counts, uint32_t *draws) {
    const uint8_t *from = columns_counts(c, parent);
    uint64_t sum = 0;
    for (size_t k = 0; k < c->n_outputs; k++)
        sum += count_value(from[k]);
    uint64_t most = sum << 5 < c->rule.inherit ? sum << 5 : c->rule.inherit; /* times 256 */
    for (size_t k = 0; sum > 0 && k < c->n_outputs; k++) {
        uint64_t part = count_value(from[k]) * most / sum;
        counts[k] = count_code((part >> 8) + (draw_next(draws) >> 24 < (part & 255)));
    }
}

static uint32_t squares_of(const int8_t *x, size_t n) {
    uint32_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (uint32_t)(x[k] * x[k]);
    return sum;
}

/* The unit becomes a new one that has seen this patch; `parent` is the place's best so far, or
 * none. */
static void begin_unit(Columns *c, size_t unit, const int8_t *x, int64_t parent, uint32_t *draws) {
    uint8_t *counts = columns_counts(c, unit);
    memset(counts, 0, c->n_outputs);
    if (parent != NO_UNIT && c->rule.inherit > 0)
        inherit(c, (size_t)parent, counts, draws);
    c->uses[unit] = 1;
    columns_write_template(c, unit, x, squares_of(x, c->geometry.row));
}

/* In a vector, whose tasks may have nothing in common, what is little grows with the samples: a
 * quarter of the mean of all units. */
static bool is_used_little(const Columns *c, size_t place, size_t unit) {
    uint64_t uses = count_value(c->uses[unit]), samples = 0;
    if (uses <= c->params.recycle_uses)
        return true;
    for (size_t k = 0; c->geometry.vector && k < c->n_outputs; k++)
        samples += c->totals[k];
    return 4 * uses * c->place_units[place] <= samples;
}

/* Once all units are in use: the least used of a few at random, if it is used little. */
static int64_t recycled(const Columns *c, size_t place, size_t winner, uint32_t *draws) {
    uint32_t n = c->place_units[place];
    int64_t best = NO_UNIT;
    if (n <= RECYCLE_ABOVE)
        return NO_UNIT;
    for (size_t k = 0; k < c->params.recycle; k++) {
        size_t unit = columns_unit(c, place, draw_below(draws, n));
        if (unit != winner && (best == NO_UNIT || c->uses[unit] < c->uses[best]))
            best = (int64_t)unit;
    }
    return best != NO_UNIT && is_used_little(c, place, (size_t)best) ? best : NO_UNIT;
}

/* theta, or theta_E if the answer was wrong, at a constant fraction of the way to 1. */
static int32_t least_match(const Columns *c, size_t place, bool wrong) {
    int32_t theta = c->match[place];
    uint64_t gap = (uint64_t)(MATCH_ONE - theta) * c->rule.error_gap >> 16;
    return wrong ? MATCH_ONE - (int32_t)gap : theta;
}

/* Once all units are in use, a place that would recruit often becomes less demanding. */
static void move_match(Columns *c, size_t place, bool would_recruit) {
    int32_t theta = c->match[place] + (would_recruit ? -c->rule.match_down : c->rule.match_up);
    c->match[place] = theta > c->rule.match ? c->rule.match : theta < 0 ? 0 : theta;
}

/* The unit that will stand for the patch from now on: a free one, a recycled one, or none. */
static int64_t recruit(Columns *c, size_t place, int64_t winner, uint32_t *draws) {
    if (c->n_units < c->most_units)
        return (int64_t)columns_add_unit(c, place);
    return winner == NO_UNIT ? NO_UNIT : recycled(c, place, (size_t)winner, draws);
}

static void learn_place(Columns *c, const ColumnsScratch *s, size_t place, size_t target,
                        bool wrong, RngBlock random) {
    size_t row = c->geometry.row;
    bool empty = c->place_units[place] == 0;
    int64_t winner = empty ? NO_UNIT : (int64_t)columns_unit(c, place, s->win[place].unit);
    int64_t fresh = NO_UNIT;
    bool unlike = empty || s->win[place].match < least_match(c, place, wrong);
    if (c->n_units == c->most_units)
        move_match(c, place, unlike);
    if (unlike)
        fresh = recruit(c, place, winner, &random.word[1]);
    if (fresh != NO_UNIT) {
        begin_unit(c, (size_t)fresh, s->unmoved + place * row, winner, &random.word[2]);
        count_add(columns_counts(c, (size_t)fresh) + target, &random.word[3]);
    } else if (winner != NO_UNIT) {
        const int8_t *x = unlike ? s->unmoved : s->patch;
        count_add(&c->uses[winner], &random.word[2]);
        count_add(columns_counts(c, (size_t)winner) + target, &random.word[3]);
        settle_unit(c, (size_t)winner, x + place * row, random.word[0]);
    }
}

static void add_one(uint32_t *count) {
    *count += *count < UINT32_MAX;
}

void columns_learn(Columns *c, ColumnsScratch *s, uint64_t number, size_t target) {
    bool wrong = answer(c, s) != (int)target;
    if (wrong)
        move_trust(c, s, target);
    add_one(&c->totals[target]);
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (s->is_silent[p])
            add_one(&c->silent[p * c->n_outputs + target]);
        else
            learn_place(c, s, p, target, wrong,
                        rng_block(c->seed, RNG_COLUMNS, number, (uint32_t)p, 0));
    }
}
