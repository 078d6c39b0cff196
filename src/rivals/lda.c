/* lda.c - linear discriminant analysis of a stream: a mean for each output, and one covariance that
 * all share.
 *
 * slda (Hayes & Kanan 2020) works on the features of rivals/frozen.h, randumb (Prabhu et al. 2024)
 * on random Fourier features. With the covariance C of samples around their means, the shrinkage
 * epsilon and the inverse L of (1 - epsilon) C + epsilon I, an output with mean m has the score
 *
 *   x^T L m - m^T L m / 2
 *
 * which is largest for the mean that is nearest in Mahalanobis distance. Outputs have no priors.
 *
 * Hayes and Kanan weigh a new sample's square by t / (t + 1), with t the samples seen of all
 * outputs. Here t counts those of its own output, which makes C the exact covariance, whatever the
 * order of the samples. In n samples of an output the two differ by about ln n squares. */
#include "rivals/frozen.h"
#include "rivals/means.h"

#include <math.h>

static tacos_status slda_check(const RivalParams *params, const RivalShape *shape,
                               tacos_error *err) {
    return frozen_check(frozen_kind(params), shape, err);
}

static void slda_shape(Rival *rival) {
    frozen_shape(rival, frozen_kind(&rival->params));
}

static tacos_status randumb_check(const RivalParams *params, const RivalShape *shape,
                                  tacos_error *err) {
    (void)params;
    return frozen_check(FROZEN_FOURIER, shape, err);
}

static void randumb_shape(Rival *rival) {
    frozen_shape(rival, FROZEN_FOURIER);
}

static void carve(Rival *rival, Arena *arena) {
    Lda *lda = &rival->lda;
    size_t n = rival->frozen.n, n_outputs = rival->shape.n_outputs, batch = rival->params.batch;
    frozen_carve(rival, arena);
    means_carve(&lda->means, n, n_outputs, arena);
    gram_carve(&lda->scatter, n, arena);
    lda->readout = arena_take_rows(arena, n, n_outputs, sizeof *lda->readout);
    lda->offset = arena_take(arena, n_outputs, sizeof *lda->offset);
    lda->x = arena_take_rows(arena, batch, n, sizeof *lda->x);
    lda->y = arena_take_rows(arena, batch, n_outputs, sizeof *lda->y);
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Lda *lda = &rival->lda;
    size_t n_features = rival->frozen.n;
    frozen_show(rival, x, n, lda->x, n_features);
    for (size_t i = 0; i < n; i++)
        means_add(&lda->means, lda->x + i * n_features, target[i]);
    gram_add(&lda->scatter, rival->mlp.blas, lda->x, n);
    rival->mlp.macs += n * (gram_add_macs(&lda->scatter) + 2 * n_features);
    lda->solved = false;
}

static void solve(Rival *rival) {
    Lda *lda = &rival->lda;
    size_t n = rival->frozen.n, n_outputs = rival->shape.n_outputs;
    double shrinkage = rival->params.shrinkage, total = 0;
    for (size_t k = 0; k < n_outputs; k++)
        total += (double)lda->means.count[k];
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n_outputs; k++)
            lda->readout[j * n_outputs + k] = (double)lda->means.mean[k * n + j];
    if (!gram_solve(&lda->scatter, rival->mlp.blas, (1 - shrinkage) / fmax(total, 1), shrinkage,
                    lda->readout, n_outputs))
        for (size_t i = 0; i < n * n_outputs; i++)
            lda->readout[i] = NAN; /* unmistakably not an answer */
    for (size_t k = 0; k < n_outputs; k++) {
        lda->offset[k] = 0;
        for (size_t j = 0; j < n; j++)
            lda->offset[k] +=
                lda->readout[j * n_outputs + k] * (double)lda->means.mean[k * n + j] / 2;
    }
    rival->learn_macs += gram_solve_macs(&lda->scatter, n_outputs) + n * n_outputs;
    lda->solved = true;
}

static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    const Blas *blas = rival->mlp.blas;
    Lda *lda = &rival->lda;
    size_t n_outputs = rival->shape.n_outputs;
    int size = (int)rival->frozen.n, outputs = (int)n_outputs, rows = (int)n;
    if (!lda->solved)
        solve(rival);
    frozen_show(rival, x, n, lda->x, rival->frozen.n);
    blas_enter(blas);
    blas->dgemm(BLAS_ROWS, BLAS_AS_IS, BLAS_AS_IS, rows, outputs, size, 1, lda->x, size,
                lda->readout, outputs, 0, lda->y, outputs);
    blas_leave(blas);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_outputs; k++) {
            size_t at = i * n_outputs + k;
            scores[at] = lda->means.count[k] ? (float)(lda->y[at] - lda->offset[k]) : SCORE_UNSEEN;
        }
    rival->mlp.macs += (uint64_t)n * rival->frozen.n * n_outputs;
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Lda *lda = &rival->lda;
    size_t n = lda->scatter.n;
    return i < n       ? gram_kept(&lda->scatter, i, out)
           : i < n + 2 ? means_kept(&lda->means, rival->shape.n_outputs, i - n, out)
                       : frozen_kept(rival, i - n - 2, out);
}

const Method method_slda = {
    .check = slda_check,
    .shape = slda_shape,
    .carve = carve,
    .start = frozen_start,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};

const Method method_randumb = {
    .check = randumb_check,
    .shape = randumb_shape,
    .carve = carve,
    .start = frozen_start,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};
