/* train.c - one step of gradient descent on a batch, and the methods `naive` and `joint`. */
#include "rivals/train.h"

#include "rivals/clones.h"
#include "rivals/loss.h"

#include <string.h>

void train_carve_network(Rival *rival, Arena *arena) {
    size_t n = rival->mlp.n_theta;
    rival->theta = arena_take(arena, n, sizeof *rival->theta);
    rival->grad = arena_take(arena, n, sizeof *rival->grad);
    mlp_carve(&rival->mlp, rival->params.batch, arena);
}

void train_carve(Rival *rival, Arena *arena) {
    train_carve_network(rival, arena);
    optimizer_shape(&rival->optimizer, (OptimizerKind)rival->params.optimizer,
                    rival->params.optimizer_rate);
    optimizer_carve(&rival->optimizer, rival->mlp.n_theta, arena);
}

void train_start(Rival *rival) {
    mlp_start(&rival->mlp, rival->params.batch);
    mlp_draw(&rival->mlp, rival->theta, rival->seed);
}

void train_gradient(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Mlp *mlp = &rival->mlp;
    const float *logits = mlp_forward(mlp, rival->theta, x, n);
    (void)loss_cross_entropy(logits, target, n, mlp->n_outputs, 1 / (float)n, mlp->slope);
    mlp_backward(mlp, rival->theta, x, n, rival->grad);
}

CLONES static void follow(size_t n, const float *restrict grad, const float *restrict theta,
                          const float *restrict before, float *restrict path) {
    for (size_t i = 0; i < n; i++)
        path[i] -= grad[i] * (theta[i] - before[i]);
}

void train_step(Rival *rival, const Anchor *anchors, float *path) {
    float pulled[TRAIN_PIECE], before[TRAIN_PIECE];
    optimizer_begin(&rival->optimizer);
    for (size_t from = 0; from < rival->mlp.n_theta; from += TRAIN_PIECE) {
        size_t n = train_piece(rival, from);
        float *theta = rival->theta + from;
        const float *grad = rival->grad + from;
        if (path)
            memcpy(before, theta, n * sizeof *theta);
        if (anchors) {
            memcpy(pulled, grad, n * sizeof *grad);
            penalty_add(anchors, rival->params.strength, from, n, theta, pulled);
        }
        optimizer_step(&rival->optimizer, from, n, anchors ? pulled : grad, theta);
        if (path)
            follow(n, grad, theta, before, path + from);
    }
}

void train_predict(Rival *rival, const float *x, size_t n, float *scores) {
    size_t n_outputs = rival->mlp.n_outputs;
    const float *logits = mlp_forward(&rival->mlp, rival->theta, x, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_outputs; k++)
            scores[i * n_outputs + k] = logits[k * n + i];
}

Kept train_kept(const Rival *rival, const float *at) {
    return (Kept){at, rival->mlp.n_theta * sizeof *at, KEPT_FLOATS};
}

/* ---- plain training: naive, on one task after another, is the floor; joint, on all tasks at once,
 * the ceiling. They differ only in the samples they are given. ---- */

static void plain_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, NULL, NULL);
}

static bool plain_kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->theta);
    return i == 0;
}

const Method method_naive = {
    .carve = train_carve,
    .start = train_start,
    .learn = plain_learn,
    .predict = train_predict,
    .kept = plain_kept,
};

const Method method_joint = {
    .carve = train_carve,
    .start = train_start,
    .learn = plain_learn,
    .predict = train_predict,
    .kept = plain_kept,
};
