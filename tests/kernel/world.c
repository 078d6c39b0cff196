/* world.c - random worlds: the usual values, and everything odd that a float can be short of
 * infinity. */
#include "world.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

uint32_t dice_word(Dice *dice) {
    uint64_t z = dice->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static float uniform(Dice *dice, float low, float high) {
    return low + (high - low) * rng_unit(dice_word(dice));
}

/* 10^low to 10^high */
static float some_scale(Dice *dice, float low, float high) {
    return powf(10.0f, uniform(dice, low, high));
}

/* Mostly of this scale, now and then something nasty. */
static float some(Dice *dice, float scale) {
    static const float nasty[] = {0.0f, -0.0f, 1e-44f, -1e-44f, 1e-38f, -1e-38f, 1e-20f, -1e-20f,
                                  1.0f, -1.0f, 100.0f, -100.0f, 1e6f,   -1e6f,   1e15f,  -1e15f};
    if (one_in(dice, 32))
        return nasty[dice_below(dice, sizeof nasty / sizeof *nasty)];
    return uniform(dice, -scale, scale);
}

static void fill(Dice *dice, float *values, size_t n, float scale) {
    for (size_t k = 0; k < n; k++)
        values[k] = some(dice, scale);
}

/* ---- views ---- */

AwakeRow world_awake(World *world, const Case *c, size_t r, bool has_w_ref) {
    return (AwakeRow){
        .awake = world->awake + r * c->stride * kernel_parts(&c->rule),
        .w_ref = has_w_ref ? world->w_ref + r * c->stride : NULL,
        .drive = world->drive + c->line[r] * c->stride,
        .before = world->count + c->line[r] * c->stride,
    };
}

void world_listed(World *world, const Case *c, bool has_w_ref, AwakeRow rows[LIST_MAX]) {
    for (size_t k = 0; k < c->n_list; k++)
        rows[k] = world_awake(world, c, c->list[k], has_w_ref);
}

static Row row_at(World *world, const Case *c, size_t r, bool has_w_ref) {
    return (Row){
        .w = world->w + r * c->stride,
        .w_ref = has_w_ref ? world->w_ref + r * c->stride : NULL,
        .m_steps = c->has_m_steps ? world->m_steps + r * c->stride : NULL,
    };
}

Row world_row(World *world, const Case *c, bool has_w_ref) {
    return row_at(world, c, c->row, has_w_ref);
}

/* ---- cases ---- */

/* alpha: the paper's, any, the largest, none. */
static SynapseRule some_synapses(Dice *dice, unsigned number) {
    const float alphas[] = {0.0005f, some_scale(dice, -4, 0), some_scale(dice, -4, -2), 1.0f};
    SynapseRule rule = {
        .plastic = number % 2,
        .decays = number / 2 % 2,
        .alpha = one_in(dice, 16) ? 0.0f : alphas[dice_below(dice, 4)],
        .delta_m = some_scale(dice, -3, 0),
        .m_max = uniform(dice, 1, 50),
        .m_all = one_in(dice, 4) ? 0.0f : uniform(dice, 0, 50),
        .m_ceiling = (uint16_t)(one_in(dice, 4) ? UINT16_MAX : dice_below(dice, 100)),
        .cons_rate = uniform(dice, 0, 0.02f),
    };
    return rule;
}

static NeuronRule some_neurons(Dice *dice) {
    return (NeuronRule){
        .syn = uniform(dice, 0.01f, 1),
        .mem = one_in(dice, 4) ? 0.0f : uniform(dice, 0.01f, 1), /* 0: stays on the threshold */
        .r = uniform(dice, 0.5f, 5),
        .v_th = 1.0f,
        .v_min = -0.1f,
        .hold = (int32_t)dice_below(dice, 6),
        .u = uniform(dice, 0.01f, 1),
        .r_u = uniform(dice, 0, 5),
        .eta = one_in(dice, 8) ? 0.0f : 0.01f,
        .i_min = -1.0f,
        .i_max = 1.5f,
        .alpha = uniform(dice, 0, 0.01f),
    };
}

/* A span anywhere in a row, which may be longer. */
static void some_span(Case *c, Dice *dice) {
    size_t blocks = 1 + dice_below(dice, SPAN_MAX), room = BLOCKS_MAX - blocks;
    size_t before = dice_below(dice, room + 1), after = dice_below(dice, room - before + 1);
    c->stride = (before + blocks + after) * KERNEL_LANES;
    c->span = (Span){before * KERNEL_LANES, (before + blocks) * KERNEL_LANES};
}

/* Some of the rows in any order; the one for functions of one row is a row like any other. */
static void some_list(Case *c, Dice *dice) {
    uint32_t order[ROWS];
    for (uint32_t r = 0; r < ROWS; r++) {
        size_t other = dice_below(dice, r + 1);
        order[r] = order[other];
        order[other] = r;
    }
    c->n_list = dice_below(dice, LIST_MAX + 1);
    memcpy(c->list, order, sizeof c->list);
    c->row = order[LIST_MAX];
    for (size_t r = 0; r < ROWS; r++)
        c->line[r] = dice_below(dice, LINES);
}

/* ---- what a world holds ---- */

static void wake_all(World *world, const Case *c, bool has_w_ref, Span span) {
    for (size_t r = 0; r < ROWS; r++) {
        Row row = row_at(world, c, r, has_w_ref);
        kernel_ref.row_wake(&row, world->awake + r * c->stride * kernel_parts(&c->rule), &c->rule,
                            span);
    }
}

static void fill_synapses(World *world, const Case *c, Dice *dice) {
    float reach = some_scale(dice, -3, 1), spread = some_scale(dice, -4, 0.5f);
    size_t n = ROWS * c->stride;
    for (size_t k = 0; k < n; k++) {
        world->w[k] = some(dice, reach);
        world->w_ref[k] = one_in(dice, 8) ? world->w[k] : world->w[k] + some(dice, reach * spread);
        if (one_in(dice, 8)) /* about to cross 0 */
            world->w[k] = -some_scale(dice, -4, -1) * world->w_ref[k];
        if (one_in(dice, 32)) /* on it, from below: -0 - (-0) is +0 */
            world->w[k] = -0.0f;
        world->m_steps[k] =
            (uint16_t)(one_in(dice, 16) ? c->rule.m_ceiling : dice_word(dice) % 120);
    }
    for (size_t k = 0; k < c->stride; k++)
        world->ready[k] = (uint16_t)(dice_word(dice) % 2);
    wake_all(world, c, c->rule.decays, (Span){0, c->stride});
}

/* Counts only grow, by whole alphas. */
static void fill_histories(World *world, const Case *c, Dice *dice) {
    float scale = some_scale(dice, -6, 0.5f);
    size_t spikes = 1 + dice_below(dice, 10);
    for (size_t line = 0; line < LINES; line++) {
        fill(dice, world->drive + line * c->stride, c->stride, scale);
        for (size_t i = 0; i < c->stride; i++) {
            float *count = world->count + line * c->stride + i;
            *count = (line ? count[-(ptrdiff_t)c->stride] : 0.0f) +
                     (float)dice_below(dice, spikes) * c->rule.alpha;
        }
    }
    for (size_t k = 0; k < STEPS * c->stride; k++)
        world->owed[k] = (float)dice_below(dice, 3 * spikes) * c->rule.alpha;
}

static void fill_neurons(World *world, const Case *c, Dice *dice) {
    const NeuronRule *rule = &c->neuron;
    const float edges[] = {rule->v_th, rule->v_min, nextafterf(rule->v_th, 0), 0.0f, -0.0f};
    const float gates[] = {rule->i_min, rule->i_max, nextafterf(rule->i_min, 0),
                           nextafterf(rule->i_max, 0)};
    fill(dice, world->current, c->stride, 5);
    fill(dice, world->i, c->stride, 2);
    fill(dice, world->u, c->stride, 1);
    fill(dice, world->error, c->stride, 1);
    for (size_t i = 0; i < c->stride; i++) {
        world->v[i] = one_in(dice, 4) ? edges[dice_below(dice, 5)] : uniform(dice, -0.1f, 1.1f);
        if (one_in(dice, 4))
            world->i[i] = gates[dice_below(dice, 4)];
        if (one_in(dice, 8))
            world->u[i] = world->error[i] = 0.0f;
        world->hold[i] = (int32_t)(one_in(dice, 2) ? dice_below(dice, 6) : 0);
    }
}

/* Spikes of rows, from silence to every row at every step. */
static void fill_events(World *world, Dice *dice) {
    size_t n = 0, odds = dice_below(dice, 256);
    for (size_t t = 0; t < STEPS; t++) {
        world->at[t] = n;
        for (uint32_t r = 0; r < ROWS; r++)
            if ((dice_word(dice) & 0xff) < odds)
                world->event[n++] = r;
    }
    world->at[STEPS] = n;
}

/* Of the limits some are a number that will be drawn, which is just enough. */
static void fill_limits(World *world, const Case *c, Dice *dice) {
    for (size_t i = 0; i < KERNEL_LANES; i++) {
        uint32_t step = (uint32_t)dice_below(dice, STEPS), index = dice_word(dice);
        RngBlock block = rng_block(c->key[0], (RngPurpose)c->key[1], c->sample, step / 4, index);
        const uint32_t limits[] = {0, UINT32_MAX, dice_word(dice), block.word[step % 4],
                                   block.word[step % 4] - 1};
        world->index[i] = index;
        world->limit[i] = limits[dice_below(dice, 5)];
    }
}

static void fill_masks(World *world, Dice *dice) {
    uint32_t thin = dice_word(dice);
    for (size_t k = 0; k < STEPS * BLOCKS_MAX; k++)
        world->spiked[k] = (uint16_t)(dice_word(dice) & (one_in(dice, 4) ? UINT32_MAX : thin));
    for (size_t k = 0; k < STRIDE_MAX; k++)
        world->column[k] = dice_word(dice);
    for (size_t k = 0; k < FOUND; k++)
        world->found[k] = dice_word(dice);
}

void case_roll(Case *c, World *world, unsigned number) {
    Dice dice = {.state = number};
    memset(world, 0x5a, sizeof *world);
    *c = (Case){
        .number = number,
        .rule = some_synapses(&dice, number),
        .neuron = some_neurons(&dice),
        .has_w_ref = one_in(&dice, 2),
        .has_m_steps = one_in(&dice, 2),
        .has_ready = one_in(&dice, 2),
        .has_error = !one_in(&dice, 4),
        .n_steps = dice_below(&dice, STEPS + 1),
        .n_samples = dice_below(&dice, STEPS + 1),
        .key = {dice_word(&dice), dice_word(&dice)},
        .sample = (uint64_t)dice_word(&dice) << 32 | dice_word(&dice),
    };
    some_span(c, &dice);
    some_list(c, &dice);
    c->word = dice_below(&dice, c->stride / KERNEL_LANES);
    c->n_words = dice_below(&dice, c->stride / KERNEL_LANES + 1);
    fill_synapses(world, c, &dice);
    fill_histories(world, c, &dice);
    fill_neurons(world, c, &dice);
    fill_events(world, &dice);
    fill_limits(world, c, &dice);
    fill_masks(world, &dice);
    columns_roll(c, world, &dice);
}

/* A hidden layer of 200 that hears 25 of 41 inputs a step; nothing is owed. */
void case_usual(Case *c, World *world) {
    enum { BLOCKS = 13, LISTED = 25 };
    case_roll(c, world, 3); /* plastic, decays */
    memset(world, 0, sizeof *world);
    Dice dice = {.state = 3};
    c->rule.alpha = 0.0005f;
    c->rule.m_ceiling = 0;
    c->rule.delta_m = 0.04f;
    c->neuron = (NeuronRule){.syn = 0.1f,
                             .mem = 0.07f,
                             .r = 1,
                             .v_th = 1,
                             .v_min = -0.1f,
                             .hold = 4,
                             .u = 0.07f,
                             .r_u = 5,
                             .eta = 0.01f,
                             .i_min = -11,
                             .i_max = 13,
                             .alpha = 0.0005f};
    c->has_w_ref = c->has_m_steps = c->has_ready = c->has_error = true;
    c->stride = BLOCKS * KERNEL_LANES;
    c->span = (Span){0, c->stride};
    c->n_list = LISTED;
    c->n_steps = c->n_samples = STEPS - 1;
    c->word = 0;
    c->n_words = BLOCKS;
    for (size_t k = 0; k < ROWS * c->stride; k++) {
        world->w[k] = world->w_ref[k] = uniform(&dice, -1, 1);
        world->m_steps[k] = (uint16_t)(dice_word(&dice) % 100);
    }
    wake_all(world, c, true, c->span);
    for (size_t i = 0; i < c->stride; i++)
        world->error[i] = world->current[i] = uniform(&dice, -1, 1);
    for (size_t t = 0; t <= STEPS; t++)
        world->at[t] = t * LISTED;
    for (size_t k = 0; k < STEPS * LISTED; k++)
        world->event[k] = c->list[k % LISTED];
    for (size_t k = 0; k < STEPS * BLOCKS_MAX; k++) /* one in eight spikes */
        world->spiked[k] = (uint16_t)(dice_word(&dice) & dice_word(&dice) & dice_word(&dice));
    for (size_t k = 0; k < STRIDE_MAX; k++)
        world->column[k] = (uint32_t)k;
    for (size_t i = 0; i < KERNEL_LANES; i++)
        world->limit[i] = world->index[i] = dice_word(&dice);
    columns_usual(c, world, &dice);
}
