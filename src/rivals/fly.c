/* fly.c - the fruit fly's associative learning (Shen, Dasgupta & Navlakha 2021): many Kenyon cells,
 * of which few fire, and outputs of which only one learns.
 *
 * A cell adds up a few inputs, drawn at random once and for all. Of the cells with a positive sum,
 * the largest fire (on a tie those that come first), with activity a = sum / largest sum. Then, for
 * the weights w of the target's output alone,
 *   w <- min(1, (1 - decay) w + rate a)
 * Weights begin at 0; the score of an output is the sum of w a. */
#include "rivals/method.h"

#include "base/rng.h"
#include "rivals/clones.h"

#include <math.h>

enum {
    LANES = FLY_LANES,
    INPUTS_MAX = UINT16_MAX + 1,
    READS = 2, /* index of the draws of inputs, beside the weights' and biases' of mlp.c */
};

static tacos_status check(const RivalParams *params, const RivalShape *shape, tacos_error *err) {
    (void)params;
    if (shape->hidden.n != 1)
        return failure(err, TACOS_INVALID,
                       "fly has one layer of Kenyon cells: hidden must be one number, and has %zu",
                       shape->hidden.n);
    if (shape->n_inputs > INPUTS_MAX)
        return failure(err, TACOS_INVALID, "fly reads at most %d inputs, and here are %zu",
                       INPUTS_MAX, shape->n_inputs);
    return TACOS_OK;
}

/* A share of n, at least one. */
static size_t part_of(size_t n, double share) {
    size_t part = (size_t)(share * (double)n + 0.5);
    return part < 1 ? 1 : part > n ? n : part;
}

static void shape(Rival *rival) {
    const RivalParams *params = &rival->params;
    size_t n_cells = rival->shape.hidden.value[0];
    rival->fly = (Fly){
        .n_cells = n_cells,
        .n_reads = part_of(rival->shape.n_inputs, params->fly_density),
        .n_active = part_of(n_cells, params->fly_active),
    };
}

static void carve(Rival *rival, Arena *arena) {
    Fly *fly = &rival->fly;
    size_t n_outputs = rival->shape.n_outputs, n_inputs = rival->shape.n_inputs;
    fly->reads = arena_take_rows(arena, fly->n_cells, fly->n_reads, sizeof *fly->reads);
    fly->weights = arena_take_rows(arena, n_outputs, fly->n_cells, sizeof *fly->weights);
    fly->seen = arena_take(arena, n_outputs, sizeof *fly->seen);
    fly->lanes = arena_take_rows(arena, n_inputs, LANES, sizeof *fly->lanes);
    fly->sums = arena_take_rows(arena, LANES, fly->n_cells, sizeof *fly->sums);
    fly->firing = arena_take(arena, fly->n_active, sizeof *fly->firing);
    fly->drawn = arena_take(arena, n_inputs, sizeof *fly->drawn);
}

/* Different inputs, each set equally likely (Floyd's method). */
static void draw_cell(Rival *rival, size_t cell) {
    Fly *fly = &rival->fly;
    uint16_t *reads = fly->reads + cell * fly->n_reads;
    size_t first = rival->shape.n_inputs - fly->n_reads;
    for (size_t j = 0; j < fly->n_reads; j++) {
        RngBlock block = rng_block(rival->seed, RNG_RIVAL, cell, (uint32_t)(j / 4), READS);
        size_t i = (size_t)(((uint64_t)block.word[j % 4] * (first + j + 1)) >> 32);
        reads[j] = (uint16_t)(fly->drawn[i] ? first + j : i);
        fly->drawn[reads[j]] = 1;
    }
    for (size_t j = 0; j < fly->n_reads; j++)
        fly->drawn[reads[j]] = 0;
}

static void start(Rival *rival) {
    for (size_t cell = 0; cell < rival->fly.n_cells; cell++)
        draw_cell(rival, cell);
}

/* ---- which cells fire ---- */

/* Every cell's sum, for several samples side by side. */
CLONES static void add_up(const uint16_t *restrict reads, size_t n_cells, size_t n_reads,
                          const float *restrict lanes, float *restrict sums) {
    for (size_t cell = 0; cell < n_cells; cell++) {
        float sum[LANES] = {0};
        for (size_t j = 0; j < n_reads; j++)
            for (size_t s = 0; s < LANES; s++)
                sum[s] += lanes[reads[cell * n_reads + j] * (size_t)LANES + s];
        for (size_t s = 0; s < LANES; s++)
            sums[s * n_cells + cell] = sum[s];
    }
}

/* The sums of up to LANES samples. */
static void show(Rival *rival, const float *x, size_t n) {
    Fly *fly = &rival->fly;
    size_t n_inputs = rival->shape.n_inputs;
    for (size_t s = 0; s < LANES; s++)
        for (size_t j = 0; j < n_inputs; j++)
            fly->lanes[j * LANES + s] = s < n ? x[s * n_inputs + j] : 0;
    add_up(fly->reads, fly->n_cells, fly->n_reads, fly->lanes, fly->sums);
    rival->mlp.macs += (uint64_t)n * fly->n_cells * fly->n_reads; /* with weights of 1 */
}

/* Does a fire before b? */
static bool is_before(FlyCell a, FlyCell b) {
    return a.activity > b.activity || (a.activity == b.activity && a.cell < b.cell);
}

/* A heap with the last to fire at its top: move the cell at `i` down to its place among n. */
static void sink(FlyCell *heap, size_t n, size_t i) {
    FlyCell moved = heap[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(heap[child], heap[child + 1]))
            child++;
        if (!is_before(moved, heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

size_t fly_choose(const float *sums, size_t n_cells, size_t n_active, FlyCell *firing) {
    size_t n = 0;
    float largest = 0;
    for (size_t cell = 0; cell < n_cells; cell++) {
        FlyCell next = {sums[cell], (uint32_t)cell};
        if (!(next.activity > 0) || (n == n_active && !is_before(next, firing[0])))
            continue;
        largest = next.activity > largest ? next.activity : largest;
        if (n == n_active) {
            firing[0] = next;
            sink(firing, n, 0);
            continue;
        }
        firing[n++] = next;
        if (n == n_active) /* now it must be a heap */
            for (size_t i = n / 2; i-- > 0;)
                sink(firing, n, i);
    }
    for (size_t i = 0; i < n; i++)
        firing[i].activity /= largest;
    return n;
}

/* ---- learning and answering ---- */

static void learn_one(Rival *rival, const float *sums, uint16_t target) {
    Fly *fly = &rival->fly;
    float *weights = fly->weights + target * fly->n_cells;
    float rate = (float)rival->params.fly_rate, kept = (float)(1 - rival->params.fly_decay);
    size_t n = fly_choose(sums, fly->n_cells, fly->n_active, fly->firing);
    for (size_t cell = 0; kept < 1 && cell < fly->n_cells; cell++)
        weights[cell] *= kept;
    for (size_t i = 0; i < n; i++) {
        float *weight = &weights[fly->firing[i].cell];
        *weight += rate * fly->firing[i].activity;
        *weight = *weight > 1 ? 1 : *weight;
    }
    fly->seen[target] = 1;
    rival->mlp.macs += n + (kept < 1 ? fly->n_cells : 0);
}

static void answer_one(Rival *rival, const float *sums, float *scores) {
    Fly *fly = &rival->fly;
    size_t n = fly_choose(sums, fly->n_cells, fly->n_active, fly->firing);
    for (size_t k = 0; k < rival->shape.n_outputs; k++) {
        const float *weights = fly->weights + k * fly->n_cells;
        scores[k] = fly->seen[k] ? 0 : SCORE_UNSEEN;
        for (size_t i = 0; fly->seen[k] && i < n; i++)
            scores[k] += weights[fly->firing[i].cell] * fly->firing[i].activity;
    }
    rival->mlp.macs += (uint64_t)n * rival->shape.n_outputs;
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (i % LANES == 0)
            show(rival, x + i * rival->shape.n_inputs, n - i < LANES ? n - i : LANES);
        learn_one(rival, rival->fly.sums + i % LANES * rival->fly.n_cells, target[i]);
    }
}

static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    for (size_t i = 0; i < n; i++) {
        if (i % LANES == 0)
            show(rival, x + i * rival->shape.n_inputs, n - i < LANES ? n - i : LANES);
        answer_one(rival, rival->fly.sums + i % LANES * rival->fly.n_cells,
                   scores + i * rival->shape.n_outputs);
    }
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Fly *fly = &rival->fly;
    size_t n_outputs = rival->shape.n_outputs;
    Kept pieces[] = {
        {fly->reads, fly->n_cells * fly->n_reads * sizeof *fly->reads, KEPT_WHOLE},
        {fly->weights, n_outputs * fly->n_cells * sizeof *fly->weights, KEPT_FLOATS},
        {fly->seen, n_outputs * sizeof *fly->seen, KEPT_WHOLE},
    };
    if (i >= sizeof pieces / sizeof *pieces)
        return false;
    *out = pieces[i];
    return true;
}

const Method method_fly = {
    .check = check,
    .shape = shape,
    .carve = carve,
    .start = start,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};
