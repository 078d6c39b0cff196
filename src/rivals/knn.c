/* knn.c - k nearest neighbours among a uniform sample of the stream (reservoir sampling, Vitter
 * 1985): as many samples as a memory holds, with 8 bits for a value.
 *
 * The t-th sample is kept with probability capacity / t, in place of any. An output's score is its
 * votes among the nearest, and for equal votes the outputs rank by their own nearest sample. */
#include "rivals/method.h"

#include "base/rng.h"
#include "rivals/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 255, OUTPUT_BITS = 16 };

static size_t sample_bytes(const RivalShape *shape) {
    return shape->n_inputs + sizeof(uint16_t);
}

/* Samples that fit beside the count of all. */
static size_t capacity(const RivalParams *params, const RivalShape *shape) {
    double room = params->memory_kb * 1000 - (double)sizeof(uint64_t);
    return room > 0 ? (size_t)(room / (double)sample_bytes(shape)) : 0;
}

static tacos_status check(const RivalParams *params, const RivalShape *shape, tacos_error *err) {
    if (capacity(params, shape) == 0)
        return failure(err, TACOS_INVALID,
                       "memory_kb = %.3g holds no sample of %zu values; each needs %zu bytes",
                       params->memory_kb, shape->n_inputs, sample_bytes(shape));
    return TACOS_OK;
}

static void shape(Rival *rival) {
    rival->knn.capacity = capacity(&rival->params, &rival->shape);
}

static void carve(Rival *rival, Arena *arena) {
    Knn *knn = &rival->knn;
    size_t n_inputs = rival->shape.n_inputs, n_neighbours = rival->params.neighbours;
    knn->values = arena_take_rows(arena, knn->capacity, n_inputs, sizeof *knn->values);
    knn->label = arena_take(arena, knn->capacity, sizeof *knn->label);
    knn->n_seen = arena_take(arena, 1, sizeof *knn->n_seen);
    knn->square = arena_take(arena, knn->capacity, sizeof *knn->square);
    knn->shown = arena_take(arena, n_inputs, sizeof *knn->shown);
    knn->rank = arena_take(arena, rival->shape.n_outputs, sizeof *knn->rank);
    knn->best = arena_take(arena, n_neighbours, sizeof *knn->best);
    knn->voter = arena_take(arena, n_neighbours, sizeof *knn->voter);
}

static size_t n_kept(const Knn *knn) {
    return *knn->n_seen < knn->capacity ? (size_t)*knn->n_seen : knn->capacity;
}

/* The sample in 8 bits: the pixels before they were shifted and scaled, or counts of spikes. */
static void show(Rival *rival, const float *x) {
    const RivalParams *params = &rival->params;
    bool counts = params->features == FEATURES_SPIKES;
    double scale = counts ? 1 : params->pixel_sd * VALUE_MAX;
    double shift = counts ? 0 : params->pixel_mean * VALUE_MAX;
    for (size_t j = 0; j < rival->shape.n_inputs; j++) {
        double value = (double)x[j] * scale + shift + 0.5;
        rival->knn.shown[j] = (uint8_t)(value >= VALUE_MAX ? VALUE_MAX : value > 0 ? value : 0);
    }
}

/* ---- keeping ---- */

/* Where the next sample goes; capacity if nowhere. */
static size_t choose_slot(const Rival *rival) {
    const Knn *knn = &rival->knn;
    uint64_t seen = *knn->n_seen;
    if (seen < knn->capacity)
        return (size_t)seen;
    RngBlock block = rng_block(rival->seed, RNG_RIVAL_KEEP, seen, 0, 0);
    if (block.word[0] >= rng_odds((double)knn->capacity / ((double)seen + 1)))
        return knn->capacity;
    return (size_t)(((uint64_t)block.word[1] * knn->capacity) >> 32);
}

/* Sums of 32 bits cannot overflow over so many values. */
enum { PIECE = 32768 };

CLONES static uint32_t dot_piece(const uint8_t *restrict a, const uint8_t *restrict b, size_t n) {
    uint32_t sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += (uint32_t)a[j] * b[j];
    return sum;
}

static uint64_t dot(const uint8_t *a, const uint8_t *b, size_t n) {
    uint64_t sum = 0;
    for (size_t from = 0; from < n; from += PIECE)
        sum += dot_piece(a + from, b + from, n - from < PIECE ? n - from : PIECE);
    return sum;
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Knn *knn = &rival->knn;
    size_t n_inputs = rival->shape.n_inputs;
    for (size_t i = 0; i < n; i++) {
        size_t slot = choose_slot(rival);
        ++*knn->n_seen;
        if (slot == knn->capacity)
            continue;
        show(rival, x + i * n_inputs);
        memcpy(knn->values + slot * n_inputs, knn->shown, n_inputs);
        knn->label[slot] = target[i];
        knn->square[slot] = dot(knn->shown, knn->shown, n_inputs);
        rival->mlp.macs += n_inputs;
    }
}

/* ---- answering ---- */

/* A whole number, so that equal distances are equal: the square of Euclid's, or 1 - cosine times
 * 2^40. Less than 2^48, for which n_inputs < 2^31. */
static uint64_t distance(int metric, uint64_t both, uint64_t a, uint64_t b) {
    if (metric == METRIC_EUCLID)
        return a + b - 2 * both;
    double lengths = sqrt((double)a) * sqrt((double)b);
    double cosine = lengths > 0 ? (double)both / lengths : 0;
    return (uint64_t)(0x1p40 * fmax(0, 1 - cosine));
}

/* Insert a voter in order of distance; of equally distant ones, those kept first are nearer. */
static void nominate(Knn *knn, size_t n, uint64_t far, uint16_t label) {
    size_t i = n;
    if (far >= knn->best[n - 1])
        return;
    for (; i-- > 1 && knn->best[i - 1] > far;) {
        knn->best[i] = knn->best[i - 1];
        knn->voter[i] = knn->voter[i - 1];
    }
    knn->best[i] = far;
    knn->voter[i] = label;
}

static int by_rank(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Compare shown with all samples: fills best and voter, and rank with distance and output. */
static void compare_all(Rival *rival) {
    Knn *knn = &rival->knn;
    size_t n_inputs = rival->shape.n_inputs;
    uint64_t square = dot(knn->shown, knn->shown, n_inputs);
    for (size_t k = 0; k < rival->shape.n_outputs; k++)
        knn->rank[k] = (UINT64_MAX >> OUTPUT_BITS << OUTPUT_BITS) | k;
    for (size_t i = 0; i < rival->params.neighbours; i++)
        knn->best[i] = UINT64_MAX;
    for (size_t s = 0; s < n_kept(knn); s++) {
        uint16_t label = knn->label[s];
        uint64_t both = dot(knn->shown, knn->values + s * n_inputs, n_inputs);
        uint64_t far = distance(rival->params.metric, both, square, knn->square[s]);
        uint64_t rank = far << OUTPUT_BITS | label;
        knn->rank[label] = rank < knn->rank[label] ? rank : knn->rank[label];
        nominate(knn, rival->params.neighbours, far, label);
    }
    rival->mlp.macs += (uint64_t)(n_kept(knn) + 1) * n_inputs;
}

static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    Knn *knn = &rival->knn;
    size_t n_outputs = rival->shape.n_outputs;
    for (size_t i = 0; i < n; i++) {
        float *row = scores + i * n_outputs;
        show(rival, x + i * rival->shape.n_inputs);
        compare_all(rival);
        qsort(knn->rank, n_outputs, sizeof *knn->rank, by_rank);
        for (size_t place = 0; place < n_outputs; place++) {
            size_t k = knn->rank[place] & (((uint64_t)1 << OUTPUT_BITS) - 1);
            bool unseen = knn->rank[place] >> OUTPUT_BITS == UINT64_MAX >> OUTPUT_BITS;
            row[k] = unseen ? SCORE_UNSEEN : (float)(n_outputs - 1 - place) / (float)n_outputs;
        }
        for (size_t v = 0; v < rival->params.neighbours && knn->best[v] < UINT64_MAX; v++)
            row[knn->voter[v]]++;
    }
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Knn *knn = &rival->knn;
    Kept pieces[] = {
        {knn->values, knn->capacity * rival->shape.n_inputs * sizeof *knn->values, KEPT_WHOLE},
        {knn->label, knn->capacity * sizeof *knn->label, KEPT_WHOLE},
        {knn->n_seen, sizeof *knn->n_seen, KEPT_WHOLE},
    };
    if (i >= sizeof pieces / sizeof *pieces)
        return false;
    *out = pieces[i];
    return true;
}

const Method method_knn = {
    .check = check,
    .shape = shape,
    .carve = carve,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};
