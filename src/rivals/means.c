/* means.c - running means, and the method `ncm`: the output whose mean is nearest. */
#include "rivals/means.h"

#include "rivals/clones.h"

#include <math.h>

void means_carve(Means *means, size_t n, size_t n_outputs, Arena *arena) {
    means->n = n;
    means->mean = arena_take_rows(arena, n_outputs, n, sizeof *means->mean);
    means->count = arena_take(arena, n_outputs, sizeof *means->count);
}

CLONES static void move(size_t n, double step, double weight, float *restrict mean,
                        double *restrict x) {
    for (size_t j = 0; j < n; j++) {
        double off = x[j] - (double)mean[j];
        mean[j] = (float)((double)mean[j] + step * off);
        x[j] = weight * off;
    }
}

void means_add(Means *means, double *x, uint16_t target) {
    double count = (double)++means->count[target];
    move(means->n, 1 / count, sqrt((count - 1) / count), means->mean + target * means->n, x);
}

bool means_kept(const Means *means, size_t n_outputs, size_t i, Kept *out) {
    Kept pieces[] = {
        {means->mean, n_outputs * means->n * sizeof *means->mean, KEPT_FLOATS},
        {means->count, n_outputs * sizeof *means->count, KEPT_WHOLE},
    };
    if (i >= 2)
        return false;
    *out = pieces[i];
    return true;
}

/* ---- ncm ---- */

static void ncm_carve(Rival *rival, Arena *arena) {
    Ncm *ncm = &rival->ncm;
    size_t n = rival->shape.n_inputs;
    means_carve(&ncm->means, n, rival->shape.n_outputs, arena);
    ncm->x = arena_take(arena, n, sizeof *ncm->x);
}

static void ncm_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Ncm *ncm = &rival->ncm;
    size_t n_inputs = rival->shape.n_inputs;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n_inputs; j++)
            ncm->x[j] = (double)x[i * n_inputs + j];
        means_add(&ncm->means, ncm->x, target[i]);
    }
    rival->mlp.macs += (uint64_t)n * n_inputs;
}

/* In several sums, which the compiler may compute side by side. */
CLONES static double square_distance(const float *restrict a, const float *restrict b, size_t n) {
    enum { SUMS = 8 };
    double sum[SUMS] = {0}, all = 0;
    size_t j = 0;
    for (; j + SUMS <= n; j += SUMS)
        for (size_t s = 0; s < SUMS; s++) {
            double off = (double)a[j + s] - (double)b[j + s];
            sum[s] += off * off;
        }
    for (; j < n; j++) {
        double off = (double)a[j] - (double)b[j];
        sum[0] += off * off;
    }
    for (size_t s = 0; s < SUMS; s++)
        all += sum[s];
    return all;
}

static void ncm_predict(Rival *rival, const float *x, size_t n, float *scores) {
    const Means *means = &rival->ncm.means;
    size_t n_outputs = rival->shape.n_outputs;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_outputs; k++) {
            const float *mean = means->mean + k * means->n;
            double far = square_distance(x + i * means->n, mean, means->n);
            scores[i * n_outputs + k] = means->count[k] ? -(float)far : SCORE_UNSEEN;
        }
    rival->mlp.macs += (uint64_t)n * means->n * n_outputs;
}

static bool ncm_kept(const Rival *rival, size_t i, Kept *out) {
    return means_kept(&rival->ncm.means, rival->shape.n_outputs, i, out);
}

const Method method_ncm = {
    .carve = ncm_carve,
    .learn = ncm_learn,
    .predict = ncm_predict,
    .kept = ncm_kept,
};
