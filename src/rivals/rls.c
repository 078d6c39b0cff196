/* rls.c - recursive least squares: ridge regression to targets +-1 on fixed features.
 *
 * Not a network that forgets less, but an honest baseline: its state, A = lambda I + sum x x^T and
 * B = sum x y^T, consists of sums, so the order of the samples does not matter (and double
 * precision hardly rounds). The price is a matrix of features times features. The readout A^-1 B is
 * computed when a prediction is requested.
 *
 * Features are the inputs, or a frozen random layer of ReLU units, plus a constant 1. That layer is
 * drawn like a network's first layer, but wider, from U(-1, 1) sqrt(6 / n_in): units then preserve
 * the mean square of the inputs (He et al. 2015), whatever their number, and lambda keeps its
 * meaning. */
#include "rivals/train.h"

#include <math.h>
#include <string.h>

enum { RAISES_MAX = 20 };

static bool has_layer(const Rival *rival) {
    return rival->params.features == FEATURES_RELU;
}

static tacos_status check(const RivalParams *params, const RivalShape *shape, tacos_error *err) {
    if (params->features == FEATURES_RELU && shape->hidden.n != 1)
        return failure(err, TACOS_INVALID,
                       "rls with features = relu reads one frozen layer of units: hidden must be "
                       "one number, and has %zu",
                       shape->hidden.n);
    return TACOS_OK;
}

/* The network consists of the frozen layer alone. */
static void shape(Rival *rival) {
    RivalShape frozen = {.n_inputs = rival->shape.n_inputs, .n_outputs = rival->shape.n_inputs};
    if (has_layer(rival)) {
        frozen.n_outputs = rival->shape.hidden.value[0];
        mlp_shape(&rival->mlp, &frozen);
    }
    rival->rls.n = frozen.n_outputs + 1;
}

static void carve(Rival *rival, Arena *arena) {
    Rls *rls = &rival->rls;
    size_t n = rls->n, n_outputs = rival->shape.n_outputs, batch = rival->params.batch;
    if (has_layer(rival)) {
        rival->theta = arena_take(arena, rival->mlp.n_theta, sizeof *rival->theta);
        mlp_carve(&rival->mlp, batch, arena);
    }
    rls->gram = arena_take_rows(arena, n, n, sizeof *rls->gram);
    rls->cross = arena_take_rows(arena, n, n_outputs, sizeof *rls->cross);
    rls->factor = arena_take_rows(arena, n, n, sizeof *rls->factor);
    rls->readout = arena_take_rows(arena, n, n_outputs, sizeof *rls->readout);
    rls->x = arena_take_rows(arena, batch, n, sizeof *rls->x);
    rls->y = arena_take_rows(arena, batch, n_outputs, sizeof *rls->y);
}

static void start(Rival *rival) {
    Rls *rls = &rival->rls;
    if (has_layer(rival)) {
        train_start(rival);
        for (size_t i = 0; i < rival->mlp.n_theta; i++)
            rival->theta[i] *= sqrtf(6);
    }
    for (size_t i = 0; i < rls->n; i++)
        rls->gram[i * rls->n + i] = rival->params.ridge;
}

/* Compute the features of a batch into rls.x. */
static void show(Rival *rival, const float *x, size_t n) {
    Rls *rls = &rival->rls;
    size_t n_features = rls->n - 1;
    const float *units = has_layer(rival) ? mlp_forward(&rival->mlp, rival->theta, x, n) : NULL;
    for (size_t i = 0; i < n; i++) {
        double *row = rls->x + i * rls->n;
        for (size_t j = 0; j < n_features; j++)
            row[j] = units ? fmax(0, (double)units[j * n + i]) : (double)x[i * n_features + j];
        row[n_features] = 1;
    }
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    const Blas *blas = rival->mlp.blas;
    Rls *rls = &rival->rls;
    size_t n_outputs = rival->shape.n_outputs;
    int size = (int)rls->n, outputs = (int)n_outputs, rows = (int)n;
    show(rival, x, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_outputs; k++)
            rls->y[i * n_outputs + k] = k == target[i] ? 1 : -1;
    blas_enter(blas);
    blas->dsyrk(BLAS_ROWS, BLAS_UPPER, BLAS_TURNED, size, rows, 1, rls->x, size, 1, rls->gram,
                size);
    blas->dgemm(BLAS_ROWS, BLAS_TURNED, BLAS_AS_IS, size, outputs, rows, 1, rls->x, size, rls->y,
                outputs, 1, rls->cross, outputs);
    blas_leave(blas);
    rival->mlp.macs += (uint64_t)n * (rls->n * (rls->n + 1) / 2 + rls->n * n_outputs);
    rls->solved = false;
}

/* A = U^T U. If the ridge is lost in the rounding of A, it is raised until this succeeds; false if
 * it never does, because A contains NaN or infinity. */
static bool factorise(const Blas *blas, Rls *rls) {
    int size = (int)rls->n, info = 1;
    double trace = 0;
    for (size_t i = 0; i < rls->n; i++)
        trace += rls->gram[i * rls->n + i];
    for (int raises = 0; raises < RAISES_MAX && info != 0; raises++) {
        double more = raises ? trace / (double)rls->n * pow(10, raises - 16) : 0;
        memcpy(rls->factor, rls->gram, rls->n * rls->n * sizeof *rls->factor);
        for (size_t i = 0; i < rls->n; i++)
            rls->factor[i * rls->n + i] += more;
        blas_enter(blas);
        /* Cholesky: stored by rows, LAPACK's lower half is our upper one. */
        blas->dpotrf("L", &size, rls->factor, &size, &info);
        blas_leave(blas);
    }
    return info == 0;
}

static void solve(Rival *rival) {
    const Blas *blas = rival->mlp.blas;
    Rls *rls = &rival->rls;
    size_t n = rls->n, n_outputs = rival->shape.n_outputs;
    int size = (int)n, outputs = (int)n_outputs;
    bool solved = factorise(blas, rls);
    for (size_t i = 0; i < n * n_outputs; i++)
        rls->readout[i] = NAN; /* unmistakably not an answer */
    if (solved) {
        memcpy(rls->readout, rls->cross, n * n_outputs * sizeof *rls->readout);
        blas_enter(blas);
        blas->dtrsm(BLAS_ROWS, BLAS_LEFT, BLAS_UPPER, BLAS_TURNED, BLAS_ANY_DIAGONAL, size, outputs,
                    1, rls->factor, size, rls->readout, outputs);
        blas->dtrsm(BLAS_ROWS, BLAS_LEFT, BLAS_UPPER, BLAS_AS_IS, BLAS_ANY_DIAGONAL, size, outputs,
                    1, rls->factor, size, rls->readout, outputs);
        blas_leave(blas);
    }
    rival->learn_macs += (uint64_t)n * n * n / 6 + (uint64_t)n * n * n_outputs;
    rls->solved = true;
}

static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    const Blas *blas = rival->mlp.blas;
    Rls *rls = &rival->rls;
    size_t n_outputs = rival->shape.n_outputs;
    int size = (int)rls->n, outputs = (int)n_outputs, rows = (int)n;
    if (!rls->solved)
        solve(rival);
    show(rival, x, n);
    blas_enter(blas);
    blas->dgemm(BLAS_ROWS, BLAS_AS_IS, BLAS_AS_IS, rows, outputs, size, 1, rls->x, size,
                rls->readout, outputs, 0, rls->y, outputs);
    blas_leave(blas);
    for (size_t i = 0; i < n * n_outputs; i++)
        scores[i] = (float)rls->y[i];
    rival->mlp.macs += (uint64_t)n * rls->n * n_outputs;
}

/* All of A, though one half would do: that is the memory in use. */
static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Rls *rls = &rival->rls;
    Kept pieces[] = {
        {rls->gram, rls->n * rls->n * sizeof *rls->gram, true},
        {rls->cross, rls->n * rival->shape.n_outputs * sizeof *rls->cross, true},
        {rival->theta, rival->mlp.n_theta * sizeof *rival->theta, false},
    };
    if (i >= (has_layer(rival) ? 3 : 2))
        return false;
    *out = pieces[i];
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
