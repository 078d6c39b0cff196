/* bgd.c - Bayesian gradient descent (Zeno et al. 2018): each parameter is a normal distribution
 * (mu, sigma), and the more certain it is, the less it learns. Biases are treated like weights.
 *
 * K networks mu + sigma epsilon are drawn per batch; g is the gradient of the batch's mean loss
 * (with the summed loss, the published sigmas do not give the published accuracies:
 * docs/rivals.md), and E the mean over draws:
 *   mu    <- mu - eta sigma^2 E[g], eta = 1
 *   sigma <- sigma sqrt(1 + (sigma E[g epsilon] / 2)^2) - sigma^2 E[g epsilon] / 2
 * Predictions use mu. */
#include "rivals/train.h"

#include "rivals/clones.h"
#include "rivals/loss.h"
#include "rivals/noise.h"

#include <math.h>
#include <string.h>

static void carve(Rival *rival, Arena *arena) {
    Bgd *bgd = &rival->bgd;
    size_t n = rival->mlp.n_theta;
    train_carve_network(rival, arena);
    bgd->sigma = arena_take(arena, n, sizeof *bgd->sigma);
    bgd->drawn = arena_take(arena, n, sizeof *bgd->drawn);
    bgd->epsilon = arena_take(arena, n, sizeof *bgd->epsilon);
    bgd->slope = arena_take(arena, n, sizeof *bgd->slope);
    bgd->moment = arena_take(arena, n, sizeof *bgd->moment);
}

static void start(Rival *rival) {
    train_start(rival);
    for (size_t i = 0; i < rival->mlp.n_theta; i++)
        rival->bgd.sigma[i] = (float)rival->params.sigma_init;
}

CLONES static void blur(size_t n, const float *restrict mu, const float *restrict sigma,
                        const float *restrict epsilon, float *restrict drawn) {
    for (size_t i = 0; i < n; i++)
        drawn[i] = mu[i] + sigma[i] * epsilon[i];
}

static void draw_piece(Rival *rival, size_t k, size_t from, size_t n) {
    Bgd *bgd = &rival->bgd;
    float noise[TRAIN_PIECE];
    NoiseStream stream = {.seed = rival->seed, .sample = bgd->n_batches * rival->params.draws + k};
    noise_normal(stream, from, (n + NOISE_GROUP - 1) / NOISE_GROUP * NOISE_GROUP, noise);
    memcpy(bgd->epsilon + from, noise, n * sizeof *noise);
    blur(n, rival->theta + from, bgd->sigma + from, noise, bgd->drawn + from);
}

CLONES static void add_draw(size_t n, const float *restrict grad, const float *restrict epsilon,
                            bool first, float *restrict slope, float *restrict moment) {
    for (size_t i = 0; i < n; i++) {
        slope[i] = (first ? 0 : slope[i]) + grad[i];
        moment[i] = (first ? 0 : moment[i]) + grad[i] * epsilon[i];
    }
}

/* sqrt(1 + h^2) - h, in a form that avoids cancellation for large h. */
CLONES static void update(size_t n, const float *restrict slope, const float *restrict moment,
                          float per_draw, float *restrict mu, float *restrict sigma) {
    for (size_t i = 0; i < n; i++) {
        float s = sigma[i], half = 0.5f * s * (per_draw * moment[i]);
        float sum = sqrtf(1.0f + half * half) + fabsf(half);
        mu[i] -= s * s * (per_draw * slope[i]);
        sigma[i] = half > 0 ? s / sum : s * sum;
    }
}

/* The gradient of the drawn network. */
static void go_through(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Mlp *mlp = &rival->mlp;
    const float *logits = mlp_forward(mlp, rival->bgd.drawn, x, n);
    (void)loss_cross_entropy(logits, target, n, mlp->n_outputs, 1 / (float)n, mlp->slope);
    mlp_backward(mlp, rival->bgd.drawn, x, n, rival->grad);
}

/* Everything between two networks in one pass over memory: accumulate the previous draw, if any,
 * then draw the next one or, after the last, take the step. */
static void turn_over(Rival *rival, size_t k) {
    Bgd *bgd = &rival->bgd;
    size_t draws = rival->params.draws;
    for (size_t from = 0; from < rival->mlp.n_theta; from += TRAIN_PIECE) {
        size_t n = train_piece(rival, from);
        float *slope = bgd->slope + from, *moment = bgd->moment + from;
        if (k > 0)
            add_draw(n, rival->grad + from, bgd->epsilon + from, k == 1, slope, moment);
        if (k < draws)
            draw_piece(rival, k, from, n);
        else
            update(n, slope, moment, 1 / (float)draws, rival->theta + from, bgd->sigma + from);
    }
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    turn_over(rival, 0);
    for (size_t k = 0; k < rival->params.draws; k++) {
        go_through(rival, x, target, n);
        turn_over(rival, k + 1);
    }
    rival->bgd.n_batches++;
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, i == 0 ? rival->theta : rival->bgd.sigma);
    return i < 2;
}

const Method method_bgd = {
    .carve = carve,
    .start = start,
    .learn = learn,
    .predict = train_predict,
    .kept = kept,
};
