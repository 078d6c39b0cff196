/* checks.c - the functions of a kernel one by one. */
#include "checks.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

const char *const path_names[PATHS] = {
    [VISIT_FAR] = "visit far",
    [VISIT_ACROSS] = "visit across 0",
    [VISIT_MIXED] = "visit mixed",
    [DECAY_FAR] = "decay far",
    [DECAY_ACROSS] = "decay across 0",
    [DECAY_MIXED] = "decay mixed",
    [REST_FAR] = "rest far",
    [REST_ACROSS] = "rest across 0",
    [REST_MIXED] = "rest mixed",
    [SLEEP_CEILING] = "sleep at the ceiling",
    [FIRE_SPIKE] = "spike",
    [FIRE_THRESHOLD] = "spike at the threshold",
    [FIRE_FLOOR] = "floor",
    [FIRE_HELD] = "held",
    [FEEL_SHUT] = "gate shut",
    [DRAW_EQUAL] = "draw at the limit",
    [MATCH_NONE] = "no units",
    [MATCH_TIED] = "match tied",
    [MATCH_BEHIND] = "match behind the last",
    [MATCH_BLIND] = "unit of zeros",
    [MATCH_LEAST] = "match below 0",
    [MATCH_SIGNED] = "patch with signs",
    [MATCH_PLAIN] = "patch without signs",
    [MATCH_ODD] = "odd words",
    [MATCH_WIDEST] = "largest products",
    [SETTLE_FAR] = "settle far",
    [SETTLE_STAY] = "settle at an end",
};

/* ---- shared ---- */

static size_t span_blocks(const Case *c) {
    return (c->span.to - c->span.from) / KERNEL_LANES;
}

static const float *now(const World *world, const Case *c) {
    return world->count + (LINES - 1) * c->stride;
}

/* Bytes that KERNEL_LANES columns take in arrays of each kind. */
enum { FLOATS = KERNEL_LANES * sizeof(float), SHORTS = KERNEL_LANES * sizeof(uint16_t), BITS = 2 };

/* Take the span's columns back, of one row of an array of `start`. */
static void take_back(World *end, const World *start, const void *array, size_t row, size_t bytes,
                      const Case *c) {
    size_t blocks = c->stride / KERNEL_LANES, first = c->span.from / KERNEL_LANES;
    size_t at = (size_t)((const char *)array - (const char *)start);
    at += (row * blocks + first) * bytes;
    memcpy((char *)end + at, (const char *)start + at, span_blocks(c) * bytes);
}

static size_t work_row(const Case *c) {
    return span_blocks(c);
}

static size_t work_rows(const Case *c) {
    return span_blocks(c) * c->n_list;
}

/* ---- rows_add, rows_visit ---- */

static size_t call_add(const Kernel *kernel, World *world, const Case *c) {
    AwakeRow rows[LIST_MAX];
    world_listed(world, c, true, rows);
    kernel->rows_add(rows, c->n_list, world->current, c->span);
    return 0;
}

static void undo_add(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->current, 0, FLOATS, c);
}

static size_t call_visit(const Kernel *kernel, World *world, const Case *c) {
    AwakeRow rows[LIST_MAX];
    world_listed(world, c, c->rule.decays, rows);
    kernel->rows_visit(rows, c->n_list, now(world, c), &c->rule, world->current, c->span);
    return 0;
}

static void undo_visit(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->current, 0, FLOATS, c);
    for (size_t k = 0; k < c->n_list; k++)
        take_back(end, start, start->awake, c->list[k], FLOATS * kernel_parts(&c->rule), c);
}

/* One synapse of a row awake, before and after. */
typedef struct Synapse {
    double v, f, M, drive, owed;
    bool across;
} Synapse;

static Synapse synapse(const World *start, const World *end, const Case *c, size_t r, size_t i) {
    size_t at = r * c->stride * 3 + i / KERNEL_LANES * KERNEL_LANES * 3 + i % KERNEL_LANES;
    const float *lane = start->awake + at, *later = end->awake + at;
    size_t line = c->line[r] * c->stride + i;
    return (Synapse){
        .v = (double)lane[0],
        .f = (double)lane[KERNEL_LANES],
        .M = (double)lane[2 * KERNEL_LANES],
        .drive = (double)start->drive[line],
        .owed = c->rule.decays ? (double)now(start, c)[i] - (double)start->count[line] : 0,
        .across = signbit(lane[2 * KERNEL_LANES]) != signbit(later[2 * KERNEL_LANES]),
    };
}

static bool visit_is_far(const Synapse *s) {
    double z = s->M * s->f * (s->drive + s->owed * s->v);
    return z * z > (double)KERNEL_TURN_MAX;
}

static bool decay_is_far(double x, double a) {
    return x * (1 + fabs(a)) > (double)KERNEL_DECAY_MAX;
}

/* Note what befell each synapse of a block. */
typedef struct Block {
    size_t far, across;
} Block;

static void note_block(size_t taken[PATHS], Path far, Block block) {
    size_t rare = block.far + block.across;
    taken[far] += block.far;
    taken[far + 1] += block.across;
    taken[far + 2] += rare > 0 && rare < KERNEL_LANES;
}

static void count_visit_row(size_t taken[PATHS], const World *start, const World *end,
                            const Case *c, size_t r) {
    for (size_t i = c->span.from; i < c->span.to; i += KERNEL_LANES) {
        Block block = {0};
        for (size_t k = 0; k < KERNEL_LANES; k++) {
            Synapse s = synapse(start, end, c, r, i + k);
            bool far = visit_is_far(&s);
            block.far += far;
            block.across += !far && s.across;
        }
        note_block(taken, VISIT_FAR, block);
    }
}

static void count_visit(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    for (size_t k = 0; c->rule.plastic && k < c->n_list; k++)
        count_visit_row(taken, start, end, c, c->list[k]);
}

/* ---- row_decay ---- */

static size_t call_decay(const Kernel *kernel, World *world, const Case *c) {
    AwakeRow row = world_awake(world, c, c->row, true);
    kernel->row_decay(&row, now(world, c), &c->rule, c->span);
    return 0;
}

static void undo_decay(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->awake, c->row, FLOATS * kernel_parts(&c->rule), c);
}

static void count_decay(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    if (!c->rule.plastic || !c->rule.decays)
        return;
    for (size_t i = c->span.from; i < c->span.to; i += KERNEL_LANES) {
        Block block = {0};
        for (size_t k = 0; k < KERNEL_LANES; k++) {
            Synapse s = synapse(start, end, c, c->row, i + k);
            bool far = decay_is_far(s.owed * s.f, s.M * s.v);
            block.far += far;
            block.across += !far && s.across;
        }
        note_block(taken, DECAY_FAR, block);
    }
}

/* ---- row_rest ---- */

static size_t call_rest(const Kernel *kernel, World *world, const Case *c) {
    Row row = world_row(world, c, true);
    kernel->row_rest(&row, world->owed, c->stride, c->n_samples, &c->rule, c->span);
    return 0;
}

static void undo_weights(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->w, c->row, FLOATS, c);
    take_back(end, start, start->w_ref, c->row, FLOATS, c);
}

static double m_of(const World *world, const Case *c, size_t at) {
    double m = (double)world->m_steps[at] * (double)c->rule.delta_m;
    return c->has_m_steps ? fmin(m, (double)c->rule.m_max) : (double)c->rule.m_all;
}

/* Only the first sample is looked at, since only before it all is known. */
static void count_rest(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    if (!c->rule.plastic || c->n_samples == 0)
        return;
    for (size_t i = c->span.from; i < c->span.to; i += KERNEL_LANES) {
        Block block = {0};
        for (size_t k = i; k < i + KERNEL_LANES; k++) {
            size_t at = c->row * c->stride + k;
            double w = (double)start->w[at], m = m_of(start, c, at);
            double x = (double)start->owed[k] * exp(-fabs(m * w));
            bool far = decay_is_far(x, m * (w - (double)start->w_ref[at]));
            block.far += far;
            block.across += !far && signbit(start->w[at]) != signbit(end->w[at]);
        }
        note_block(taken, REST_FAR, block);
    }
}

static size_t work_rest(const Case *c) {
    return span_blocks(c) * c->n_samples;
}

/* ---- row_wake, row_sleep ---- */

static size_t call_wake(const Kernel *kernel, World *world, const Case *c) {
    float *awake = world->awake + c->row * c->stride * kernel_parts(&c->rule);
    Row row = world_row(world, c, c->has_w_ref);
    kernel->row_wake(&row, awake, &c->rule, c->span);
    return 0;
}

static size_t call_sleep(const Kernel *kernel, World *world, const Case *c) {
    const float *awake = world->awake + c->row * c->stride * kernel_parts(&c->rule);
    const uint16_t *ready = c->has_m_steps && c->has_ready ? world->ready : NULL;
    Row row = world_row(world, c, c->has_w_ref);
    kernel->row_sleep(&row, awake, ready, &c->rule, c->span);
    return 0;
}

static void undo_sleep(World *end, const World *start, const Case *c, size_t result) {
    take_back(end, start, start->w, c->row, FLOATS, c);
    if (c->has_w_ref)
        take_back(end, start, start->w_ref, c->row, FLOATS, c);
    if (c->has_m_steps && c->has_ready)
        take_back(end, start, start->m_steps, c->row, SHORTS, c);
    (void)result;
}

static void count_sleep(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    const uint16_t *m_steps = start->m_steps + c->row * c->stride;
    (void)end;
    for (size_t i = c->span.from; c->has_m_steps && c->has_ready && i < c->span.to; i++)
        taken[SLEEP_CEILING] += start->ready[i] && m_steps[i] == c->rule.m_ceiling;
}

/* ---- neurons ---- */

static Neurons neurons_of(World *world) {
    return (Neurons){.i = world->i, .v = world->v, .u = world->u, .hold = world->hold};
}

static size_t call_fire(const Kernel *kernel, World *world, const Case *c) {
    Neurons neurons = neurons_of(world);
    kernel->neurons_fire(&neurons, world->current, &c->neuron, world->spiked, now(world, c),
                         world->after, c->span);
    return 0;
}

static void undo_fire(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->i, 0, FLOATS, c);
    take_back(end, start, start->v, 0, FLOATS, c);
    take_back(end, start, start->hold, 0, FLOATS, c);
    take_back(end, start, start->after, 0, FLOATS, c);
    take_back(end, start, start->spiked, 0, BITS, c);
}

static void count_fire(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    for (size_t i = c->span.from; i < c->span.to; i++) {
        bool spikes = end->spiked[i / KERNEL_LANES] >> i % KERNEL_LANES & 1;
        taken[FIRE_SPIKE] += spikes;
        taken[FIRE_THRESHOLD] += spikes && c->neuron.mem == 0.0f && start->v[i] == c->neuron.v_th;
        taken[FIRE_FLOOR] += end->v[i] == c->neuron.v_min;
        taken[FIRE_HELD] += start->hold[i] > 0 && start->v[i] != 0.0f;
    }
}

static size_t call_feel(const Kernel *kernel, World *world, const Case *c) {
    Neurons neurons = neurons_of(world);
    return kernel->neurons_feel(&neurons, c->has_error ? world->error : NULL, world->drive,
                                &c->neuron, c->span);
}

static void undo_feel(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    take_back(end, start, start->u, 0, FLOATS, c);
    take_back(end, start, start->drive, 0, FLOATS, c);
}

static void count_feel(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    for (size_t i = c->span.from; i < c->span.to; i++)
        taken[FEEL_SHUT] +=
            end->u[i] != 0.0f && (start->i[i] == c->neuron.i_min || start->i[i] == c->neuron.i_max);
}

/* ---- all steps at once ---- */

static Events events_of(World *world, const Case *c) {
    return (Events){.n_steps = c->n_steps, .at = world->at, .row = world->event};
}

static size_t call_sum(const Kernel *kernel, World *world, const Case *c) {
    Events events = events_of(world, c);
    kernel->steps_sum(world->w, c->stride, &events, world->input, c->span);
    return 0;
}

static void undo_sum(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    for (size_t t = 0; t < c->n_steps; t++)
        take_back(end, start, start->input, t, FLOATS, c);
}

static size_t call_steps(const Kernel *kernel, World *world, const Case *c) {
    Events events = events_of(world, c);
    kernel->steps_fire(world->w, c->stride, &events, &c->neuron, world->spiked, c->span);
    return 0;
}

static void undo_steps(World *end, const World *start, const Case *c, size_t result) {
    (void)result;
    for (size_t t = 0; t < c->n_steps; t++)
        take_back(end, start, start->spiked, t, BITS, c);
}

static size_t work_steps(const Case *c) {
    return span_blocks(c) * c->n_list * c->n_steps; /* as many events a step as rows listed */
}

/* ---- random numbers, lists ---- */

static size_t call_draw(const Kernel *kernel, World *world, const Case *c) {
    kernel->draw(c->key, c->sample, world->index, world->limit, world->spiked + c->word,
                 c->stride / KERNEL_LANES, c->n_steps);
    return 0;
}

static void undo_draw(World *end, const World *start, const Case *c, size_t result) {
    size_t words = c->stride / KERNEL_LANES;
    (void)result;
    for (size_t t = 0; t < c->n_steps; t++)
        end->spiked[t * words + c->word] = start->spiked[t * words + c->word];
}

static void count_draw(size_t taken[PATHS], const World *start, const World *end, const Case *c) {
    (void)end;
    for (size_t i = 0; i < KERNEL_LANES; i++)
        for (size_t t = 0; t < c->n_steps; t++) {
            RngBlock block = rng_block(c->key[0], (RngPurpose)c->key[1], c->sample,
                                       (uint32_t)(t / 4), start->index[i]);
            taken[DRAW_EQUAL] += block.word[t % 4] == start->limit[i];
        }
}

static size_t work_draw(const Case *c) {
    return c->n_steps;
}

/* What lies within KERNEL_LANES after the last is made the same for all. */
static size_t call_collect(const Kernel *kernel, World *world, const Case *c) {
    size_t n = kernel->collect(world->found, world->spiked, c->n_words, world->column);
    memset(world->found + n, 0, KERNEL_LANES * sizeof *world->found);
    return n;
}

static void undo_collect(World *end, const World *start, const Case *c, size_t result) {
    (void)c;
    memcpy(end->found, start->found, (result + KERNEL_LANES) * sizeof *end->found);
}

static size_t work_collect(const Case *c) {
    return c->n_words;
}

const Check checks[] = {
    {"rows_add", call_add, undo_add, NULL, work_rows},
    {"rows_visit", call_visit, undo_visit, count_visit, work_rows},
    {"row_decay", call_decay, undo_decay, count_decay, work_row},
    {"row_rest", call_rest, undo_weights, count_rest, work_rest},
    {"row_wake", call_wake, undo_decay, NULL, work_row},
    {"row_sleep", call_sleep, undo_sleep, count_sleep, work_row},
    {"neurons_fire", call_fire, undo_fire, count_fire, work_row},
    {"neurons_feel", call_feel, undo_feel, count_feel, work_row},
    {"steps_sum", call_sum, undo_sum, NULL, work_steps},
    {"steps_fire", call_steps, undo_steps, NULL, work_steps},
    {"draw", call_draw, undo_draw, count_draw, work_draw},
    {"collect", call_collect, undo_collect, NULL, work_collect},
    {NULL, NULL, NULL, NULL, NULL},
};
