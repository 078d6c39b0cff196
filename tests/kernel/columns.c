/* columns.c - the functions of a kernel for columns: random worlds for them, how to call them, and
 * their rare paths. */
#include "checks.h"

#include "base/draws.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- units ---- */

enum { END = 127 }; /* of the values of patches and templates */

/* Any value, and often an end. */
static int8_t some_value(Dice *dice, bool below_0) {
    int value = one_in(dice, 4) ? END : (int)dice_below(dice, END + 1);
    return (int8_t)(below_0 && one_in(dice, 2) ? -value : value);
}

static int8_t *value_of(World *world, const Case *c, size_t slot, size_t d) {
    size_t block = slot / KERNEL_UNITS, i = slot % KERNEL_UNITS;
    return world->templates + ((block * c->patch_words + d / 4) * KERNEL_UNITS + i) * 4 + d % 4;
}

/* With or without values below 0, or all of it an end, or zeros. */
static void fill_patch(int8_t *x, const Case *c, Dice *dice) {
    bool below_0 = one_in(dice, 2), ends = one_in(dice, 4), zeros = one_in(dice, 16);
    for (size_t d = 0; d < 4 * c->patch_words; d++)
        x[d] = ends ? (below_0 ? -END : END) : zeros ? 0 : some_value(dice, below_0);
}

/* A template like a patch, the opposite of one, like another one, of zeros, or of any values. */
static void fill_template(World *world, const Case *c, size_t slot, Dice *dice) {
    size_t kind = one_in(dice, 2) ? dice_below(dice, 4) : 4, other = dice_below(dice, slot + 1);
    const int8_t *patch = world->patch[dice_below(dice, PATCHES)];
    for (size_t d = 0; d < 4 * c->patch_words; d++) {
        const int8_t values[] = {patch[d], (int8_t)-patch[d], *value_of(world, c, other, d), 0,
                                 some_value(dice, true)};
        *value_of(world, c, slot, d) = values[kind];
    }
}

/* At most 2^30 / (|x| |t|), so that no match overflows. */
static void fill_inverse(World *world, const Case *c) {
    size_t n = 4 * c->patch_words;
    for (size_t slot = 0; slot < UNIT_BLOCKS * KERNEL_UNITS; slot++) {
        double squares = 0;
        for (size_t d = 0; d < n; d++)
            squares += pow(*value_of(world, c, slot, d), 2);
        double product = sqrt(squares) * sqrt((double)n * END * END);
        world->inverse[slot] = product > 0 ? (int32_t)(0x1p30 / product) : 0;
    }
}

static void fill_units(World *world, const Case *c, Dice *dice) {
    for (size_t k = 0; k < PATCHES; k++)
        fill_patch(world->patch[k], c, dice);
    for (size_t slot = 0; slot < UNIT_BLOCKS * KERNEL_UNITS; slot++)
        fill_template(world, c, slot, dice);
    fill_inverse(world, c);
    for (uint32_t b = 0; b < UNIT_BLOCKS; b++) { /* in any order */
        size_t other = dice_below(dice, b + 1);
        world->block[b] = world->block[other];
        world->block[other] = b;
    }
}

/* From none to all units for the patches, which are of one length. */
static void roll_units(Case *c, World *world, Dice *dice) {
    c->patch_words = 1 + dice_below(dice, WORDS_MAX);
    for (size_t k = 0; k < PATCHES; k++)
        c->n_units[k] = dice_below(dice, k % 2 ? 4 : UNIT_BLOCKS * KERNEL_UNITS + 1);
    fill_units(world, c, dice);
}

static Matching matching_of(const World *world, const Case *c, size_t k) {
    return (Matching){.x = world->patch[k],
                      .n_words = c->patch_words,
                      .templates = world->templates,
                      .inverse = world->inverse,
                      .blocks = world->block,
                      .n = c->n_units[k]};
}

static size_t call_match(const Kernel *kernel, World *world, const Case *c) {
    for (size_t k = 0; k < PATCHES; k++) {
        Matching matching = matching_of(world, c, k);
        world->best[k] = kernel->match(&matching);
    }
    return 0;
}

static void undo_match(World *end, const World *start, const Case *c, size_t result) {
    (void)c;
    (void)result;
    memcpy(end->best, start->best, sizeof end->best);
}

/* A unit of the list, as it answers a patch. */
typedef struct Answer {
    int32_t match;
    bool blind, widest; /* of zeros; a pair of products as large as they can be */
} Answer;

static Answer answer_of(const Matching *m, size_t u) {
    size_t block = m->blocks[u / KERNEL_UNITS], i = u % KERNEL_UNITS;
    const int8_t *t = matching_block(m, block) + 4 * i;
    int32_t dot = 0, last = 0;
    bool widest = false;
    for (size_t d = 0; d < 4 * m->n_words; d++) {
        int32_t product = m->x[d] * t[d / 4 * KERNEL_UNITS * 4 + d % 4];
        widest |= d % 2 && product == last && abs(product) == END * END;
        dot += product;
        last = product;
    }
    int32_t inverse = m->inverse[block * KERNEL_UNITS + i];
    return (Answer){dot * inverse, inverse == 0, widest};
}

/* The definition once more: the first of the largest. */
static void check_best(const Matching *m, Match best) {
    for (size_t u = 0; u < m->n; u++) {
        Answer answer = answer_of(m, u);
        if (answer.match > best.match || (answer.match == best.match && u < best.unit)) {
            fprintf(stderr, "match: unit %zu is better than %" PRIu32 "\n", u, best.unit);
            abort();
        }
    }
}

static void count_match_of(size_t taken[PATHS], const Matching *m, Match best) {
    size_t all = (m->n + KERNEL_UNITS - 1) / KERNEL_UNITS * KERNEL_UNITS, tied = 0;
    bool behind = false, below_0 = false;
    check_best(m, best);
    for (size_t u = 0; u < all; u++) {
        Answer answer = answer_of(m, u);
        tied += u < m->n && answer.match == best.match;
        behind |= u >= m->n && answer.match > best.match;
        taken[MATCH_BLIND] += answer.blind;
        taken[MATCH_WIDEST] += answer.widest;
    }
    for (size_t d = 0; d < 4 * m->n_words; d++)
        below_0 |= m->x[d] < 0;
    taken[MATCH_NONE] += m->n == 0;
    taken[MATCH_TIED] += tied > 1;
    taken[MATCH_BEHIND] += behind;
    taken[MATCH_LEAST] += m->n > 0 && best.match < 0;
    taken[MATCH_SIGNED] += m->n > 0 && below_0;
    taken[MATCH_PLAIN] += m->n > 0 && !below_0;
    taken[MATCH_ODD] += m->n > 0 && m->n_words % 2;
}

static void count_match(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    for (size_t k = 0; k < PATCHES; k++) {
        Matching matching = matching_of(start, c, k);
        count_match_of(taken, &matching, end->best[k]);
    }
}

static size_t work_match(const Case *c) {
    size_t sum = 0;
    for (size_t k = 0; k < PATCHES; k++)
        sum += (c->n_units[k] + KERNEL_UNITS - 1) / KERNEL_UNITS;
    return sum;
}

/* ---- settling ---- */

static void roll_settling(Case *c, World *world, Dice *dice) {
    c->n_settled = SETTLE_LANES * dice_below(dice, SETTLED_MAX / SETTLE_LANES + 1);
    c->settle_rate = (int32_t)(one_in(dice, 2) ? 32768 : dice_below(dice, 32768));
    c->draws = dice_word(dice);
    for (size_t k = 0; k < SETTLED_MAX; k++) {
        world->settled[k] = some_value(dice, true);
        world->toward[k] = some_value(dice, true);
    }
}

static size_t call_settle(const Kernel *kernel, World *world, const Case *c) {
    world->squares = kernel->settle(
        &(Settling){world->settled, world->toward, c->n_settled, c->settle_rate, c->draws});
    return 0;
}

static void undo_settle(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    memcpy(end->settled, start->settled, c->n_settled);
    end->squares = start->squares;
}

/* The definition, value by value. */
static int8_t settled_value(int8_t t, int8_t x, int32_t rate, uint32_t *draws) {
    return (int8_t)(t + (((x - t) * rate + (int32_t)(draw_next(draws) >> 16)) >> 16));
}

static void count_settle(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    uint32_t draws = c->draws, squares = 0;
    bool good = true;
    for (size_t k = 0; k < c->n_settled; k++) {
        int8_t t = start->settled[k], x = start->toward[k];
        good &= end->settled[k] == settled_value(t, x, c->settle_rate, &draws);
        squares += (uint32_t)(end->settled[k] * end->settled[k]);
        taken[SETTLE_FAR] += abs(x - t) == 2 * END;
        taken[SETTLE_STAY] += x == t && abs(t) == END;
    }
    if (!good || squares != end->squares) {
        fprintf(stderr, "settle: other values than by its definition\n");
        abort();
    }
}

static size_t work_settle(const Case *c) {
    return c->n_settled / SETTLE_LANES;
}

/* ---- all ---- */

void columns_roll(Case *c, World *world, Dice *dice) {
    roll_units(c, world, dice);
    roll_settling(c, world, dice);
}

/* A small place of a learner of digits. */
void columns_usual(Case *c, World *world, Dice *dice) {
    c->patch_words = 18;
    fill_units(world, c, dice);
    roll_settling(c, world, dice);
    c->n_settled = 5 * SETTLE_LANES;
    for (size_t k = 0; k < PATCHES; k++) {
        c->n_units[k] = UNIT_BLOCKS * KERNEL_UNITS;
        for (size_t d = 0; d < 4 * c->patch_words; d++)
            world->patch[k][d] = (int8_t)abs(world->patch[k][d]);
    }
}

const Check column_checks[] = {
    {"match", call_match, undo_match, count_match, work_match},
    {"settle", call_settle, undo_settle, count_settle, work_settle},
    {NULL, NULL, NULL, NULL, NULL},
};
