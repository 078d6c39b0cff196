/* held.c - one pair (Omega, theta*), and the Fisher information that fills it for EWC. */
#include "rivals/held.h"

#include "rivals/loss.h"

#include <string.h>

void held_carve(Rival *rival, Arena *arena) {
    size_t n = rival->mlp.n_theta;
    Anchor *anchor = &rival->held.anchor;
    train_carve(rival, arena);
    anchor->omega = arena_take(arena, n, sizeof *anchor->omega);
    anchor->theta = arena_take(arena, n, sizeof *anchor->theta);
}

void held_carve_samples(Rival *rival, Arena *arena) {
    Held *held = &rival->held;
    size_t batch = rival->params.batch;
    held->x = arena_take_rows(arena, batch, rival->shape.n_inputs, sizeof *held->x);
    held->label = arena_take(arena, batch, sizeof *held->label);
}

void held_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, rival->held.anchors, NULL);
}

void held_renew(Rival *rival) {
    Held *held = &rival->held;
    memcpy(held->anchor.theta, rival->theta, rival->mlp.n_theta * sizeof *rival->theta);
    held->anchors = &held->anchor;
}

bool held_kept(const Rival *rival, size_t i, Kept *out) {
    const Anchor *anchor = &rival->held.anchor;
    const float *pieces[] = {rival->theta, anchor->omega, anchor->theta};
    if (i >= sizeof pieces / sizeof *pieces)
        return false;
    *out = train_kept(rival, pieces[i]);
    return true;
}

void held_fisher(Rival *rival, RivalBatches *batches, void *user) {
    Held *held = &rival->held;
    Mlp *mlp = &rival->mlp;
    size_t n, n_samples = 0;
    memset(rival->grad, 0, mlp->n_theta * sizeof *rival->grad);
    for (size_t at = 0; (n = batches(user, at, held->x, held->label)) > 0; at++) {
        const float *logits = mlp_forward(mlp, rival->theta, held->x, n);
        loss_argmax(logits, n, mlp->n_outputs, held->label);
        (void)loss_cross_entropy(logits, held->label, n, mlp->n_outputs, 1, mlp->slope);
        mlp_add_squares(mlp, rival->theta, held->x, n, rival->grad);
        n_samples += n;
    }
    for (size_t i = 0; n_samples > 0 && i < mlp->n_theta; i++)
        rival->grad[i] /= (float)n_samples;
}
