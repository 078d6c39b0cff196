/* rls.c - recursive least squares: ridge regression to targets +-1 on fixed features.
 *
 * Not a network that forgets less, but an honest baseline: its state, A = lambda I + sum x x^T and
 * B = sum x y^T, consists of sums, so the order of the samples does not matter (and double
 * precision hardly rounds). The price is a matrix of features times features. The readout A^-1 B is
 * computed when a prediction is requested. Features are those of rivals/frozen.h and a constant 1.
 */
#include "rivals/frozen.h"
#include "rivals/gram.h"

#include <math.h>
#include <string.h>

static tacos_status check(const RivalParams *params, const RivalShape *shape, tacos_error *err) {
    return frozen_check(frozen_kind(params), shape, err);
}

static void shape(Rival *rival) {
    frozen_shape(rival, frozen_kind(&rival->params));
}

static void carve(Rival *rival, Arena *arena) {
    Rls *rls = &rival->rls;
    size_t n = rival->frozen.n + 1, n_outputs = rival->shape.n_outputs;
    size_t batch = rival->params.batch;
    frozen_carve(rival, arena);
    gram_carve(&rls->gram, n, arena);
    rls->cross = arena_take_rows(arena, n, n_outputs, sizeof *rls->cross);
    rls->readout = arena_take_rows(arena, n, n_outputs, sizeof *rls->readout);
    rls->x = arena_take_rows(arena, batch, n, sizeof *rls->x);
    rls->y = arena_take_rows(arena, batch, n_outputs, sizeof *rls->y);
}

static void start(Rival *rival) {
    Gram *gram = &rival->rls.gram;
    frozen_start(rival);
    for (size_t i = 0; i < gram->n; i++)
        gram->sum[i * gram->n + i] = rival->params.ridge;
}

/* The features of a batch into rls.x. */
static void show(Rival *rival, const float *x, size_t n) {
    Rls *rls = &rival->rls;
    frozen_show(rival, x, n, rls->x, rls->gram.n);
    for (size_t i = 0; i < n; i++)
        rls->x[i * rls->gram.n + rival->frozen.n] = 1;
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    const Blas *blas = rival->mlp.blas;
    Rls *rls = &rival->rls;
    size_t n_outputs = rival->shape.n_outputs;
    int size = (int)rls->gram.n, outputs = (int)n_outputs, rows = (int)n;
    show(rival, x, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_outputs; k++)
            rls->y[i * n_outputs + k] = k == target[i] ? 1 : -1;
    gram_add(&rls->gram, blas, rls->x, n);
    blas_enter(blas);
    blas->dgemm(BLAS_ROWS, BLAS_TURNED, BLAS_AS_IS, size, outputs, rows, 1, rls->x, size, rls->y,
                outputs, 1, rls->cross, outputs);
    blas_leave(blas);
    rival->mlp.macs += n * (gram_add_macs(&rls->gram) + rls->gram.n * n_outputs);
    rls->solved = false;
}

static void solve(Rival *rival) {
    Rls *rls = &rival->rls;
    size_t n_outputs = rival->shape.n_outputs, n_weights = rls->gram.n * n_outputs;
    memcpy(rls->readout, rls->cross, n_weights * sizeof *rls->readout);
    if (!gram_solve(&rls->gram, rival->mlp.blas, 1, 0, rls->readout, n_outputs))
        for (size_t i = 0; i < n_weights; i++)
            rls->readout[i] = NAN; /* unmistakably not an answer */
    rival->learn_macs += gram_solve_macs(&rls->gram, n_outputs);
    rls->solved = true;
}

static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    const Blas *blas = rival->mlp.blas;
    Rls *rls = &rival->rls;
    size_t n_outputs = rival->shape.n_outputs;
    int size = (int)rls->gram.n, outputs = (int)n_outputs, rows = (int)n;
    if (!rls->solved)
        solve(rival);
    show(rival, x, n);
    blas_enter(blas);
    blas->dgemm(BLAS_ROWS, BLAS_AS_IS, BLAS_AS_IS, rows, outputs, size, 1, rls->x, size,
                rls->readout, outputs, 0, rls->y, outputs);
    blas_leave(blas);
    for (size_t i = 0; i < n * n_outputs; i++)
        scores[i] = (float)rls->y[i];
    rival->mlp.macs += (uint64_t)n * rls->gram.n * n_outputs;
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Rls *rls = &rival->rls;
    size_t n = rls->gram.n, n_cross = n * rival->shape.n_outputs;
    if (gram_kept(&rls->gram, i, out))
        return true;
    if (i > n)
        return frozen_kept(rival, i - n - 1, out);
    *out = (Kept){rls->cross, n_cross * sizeof *rls->cross, KEPT_DOUBLES};
    return true;
}

const Method method_rls = {
    .check = check,
    .shape = shape,
    .carve = carve,
    .start = start,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};
