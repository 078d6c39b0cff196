/* rival.c - the table of methods, and the code common to all of them. */
#include "rivals/rival.h"

#include "rivals/method.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define METHOD(id, name, told, keeps, about) &method_##id,
static const Method *const methods[] = {RIVAL_MAP(METHOD)};
#define INFO(id, name, told, keeps, about) {name, about, told, keeps},
static const RivalInfo infos[] = {RIVAL_MAP(INFO)};

enum { N_METHODS = sizeof infos / sizeof *infos };

const RivalInfo *rival_info(size_t i) {
    return i < N_METHODS ? &infos[i] : NULL;
}

int rival_find(const char *name) {
    for (int i = 0; i < N_METHODS; i++)
        if (strcmp(infos[i].name, name) == 0)
            return i;
    return -1;
}

/* BLAS counts in int. */
static bool countable(const RivalParams *params, const RivalShape *shape) {
    bool fits = shape->n_inputs < INT32_MAX && shape->n_outputs <= UINT16_MAX + 1 &&
                params->batch <= INT32_MAX;
    for (size_t l = 0; l < shape->hidden.n; l++)
        fits = fits && shape->hidden.value[l] < INT32_MAX;
    return fits;
}

static tacos_status check(const Method *method, const RivalParams *params, const RivalShape *shape,
                          tacos_error *err) {
    bool empty = shape->n_inputs == 0 || shape->n_outputs == 0 || params->batch == 0;
    for (size_t l = 0; l < shape->hidden.n; l++)
        empty = empty || shape->hidden.value[l] == 0;
    if (empty)
        return failure(err, TACOS_INVALID,
                       "a rival needs inputs, outputs, units in each hidden layer and samples in a "
                       "batch, at least one of each");
    if (!countable(params, shape))
        return failure(err, TACOS_MEMORY, "no memory is large enough for a rival of this size");
    return method->check ? method->check(params, shape, err) : TACOS_OK;
}

/* The whole layout; see arena.h for why it runs twice. */
static Rival *carve(Rival *draft, Arena *arena) {
    Rival *place = arena_take(arena, 1, sizeof *place);
    draft->method->carve(draft, arena);
    return place;
}

tacos_status rival_new(Rival **out, size_t method, const RivalParams *params,
                       const RivalShape *shape, uint32_t seed, tacos_error *err) {
    assert(method < N_METHODS);
    Arena arena = {0};
    Rival draft = {.method = methods[method], .params = *params, .shape = *shape, .seed = seed};
    TRY(check(draft.method, params, shape, err));
    if (draft.method->shape)
        draft.method->shape(&draft);
    else
        mlp_shape(&draft.mlp, shape);
    (void)carve(&draft, &arena);
    if (arena.overflow)
        return failure(err, TACOS_MEMORY, "no memory is large enough for a rival of this size");
    size_t n_bytes = arena.used;
    void *block = aligned_alloc(ARENA_ALIGN, n_bytes);
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory for a rival of %.3g MB",
                       (double)n_bytes / 1e6);
    tacos_status status = blas_open(&draft.blas, err);
    if (status != TACOS_OK) {
        free(block);
        return status;
    }
    memset(block, 0, n_bytes);
    arena = (Arena){.base = block};
    *out = carve(&draft, &arena);
    draft.n_bytes = n_bytes;
    **out = draft;
    (*out)->mlp.blas = &(*out)->blas;
    if ((*out)->method->start)
        (*out)->method->start(*out);
    return TACOS_OK;
}

void rival_free(Rival *rival) {
    if (!rival)
        return;
    if (rival->method->close)
        rival->method->close(rival);
    blas_close(&rival->blas);
    free(rival);
}

/* Charge the multiplications since the last call to learning or predicting. */
static void charge(Rival *rival, uint64_t *macs) {
    *macs += rival->mlp.macs;
    rival->mlp.macs = 0;
}

void rival_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    assert(n > 0 && n <= rival->params.batch);
    rival->method->learn(rival, x, target, n);
    charge(rival, &rival->learn_macs);
}

void rival_begin_task(Rival *rival) {
    if (rival->method->begin_task)
        rival->method->begin_task(rival);
}

void rival_end_task(Rival *rival, RivalBatches *batches, void *user) {
    if (rival->method->end_task)
        rival->method->end_task(rival, batches, user);
    charge(rival, &rival->learn_macs);
}

void rival_predict(Rival *rival, const float *x, size_t n, float *scores) {
    assert(n > 0 && n <= rival->params.batch);
    rival->method->predict(rival, x, n, scores);
    charge(rival, &rival->predict_macs);
}

RivalStats rival_stats(const Rival *rival) {
    Mlp plain;
    Kept kept;
    size_t model_bytes = 0;
    mlp_shape(&plain, &rival->shape);
    for (size_t i = 0; rival->method->kept(rival, i, &kept); i++)
        model_bytes += kept.n_bytes;
    return (RivalStats){
        .learn_macs = rival->learn_macs,
        .predict_macs = rival->predict_macs,
        .model_bytes = model_bytes,
        .baseline_bytes = plain.n_theta * sizeof *rival->theta,
        .workspace_bytes = rival->n_bytes - model_bytes,
    };
}

uint32_t rival_digest(const Rival *rival) {
    Kept kept;
    uLong crc = crc32_z(0, NULL, 0);
    for (size_t i = 0; rival->method->kept(rival, i, &kept); i++)
        crc = crc32_z(crc, kept.at, kept.n_bytes);
    return (uint32_t)crc;
}

static bool are_finite(const Kept *kept) {
    const double *doubles = kept->at;
    const float *floats = kept->at;
    bool finite = true;
    for (size_t i = 0; kept->kind == KEPT_DOUBLES && i < kept->n_bytes / sizeof *doubles; i++)
        finite &= isfinite(doubles[i]);
    for (size_t i = 0; kept->kind == KEPT_FLOATS && i < kept->n_bytes / sizeof *floats; i++)
        finite &= isfinite(floats[i]);
    return finite;
}

bool rival_is_finite(const Rival *rival) {
    Kept kept;
    bool finite = true;
    for (size_t i = 0; finite && rival->method->kept(rival, i, &kept); i++)
        finite = are_finite(&kept);
    return finite;
}
