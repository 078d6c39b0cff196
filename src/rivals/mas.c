/* mas.c - memory aware synapses (Aljundi et al. 2018): Omega is how much the outputs depend on a
 * parameter, the mean over batches of |d mean(logit^2) / d theta|, added up over tasks. */
#include "rivals/held.h"

#include "rivals/clones.h"
#include "rivals/loss.h"

#include <math.h>
#include <string.h>

static void carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    held_carve_samples(rival, arena);
    rival->held.sum = arena_take(arena, rival->mlp.n_theta, sizeof *rival->held.sum);
}

CLONES static void add_size(size_t n, const float *restrict values, float *restrict sum) {
    for (size_t i = 0; i < n; i++)
        sum[i] += fabsf(values[i]);
}

static void end_task(Rival *rival, RivalBatches *batches, void *user) {
    Held *held = &rival->held;
    Mlp *mlp = &rival->mlp;
    size_t n, n_batches = 0;
    memset(held->sum, 0, mlp->n_theta * sizeof *held->sum);
    for (; (n = batches(user, n_batches, held->x, held->label)) > 0; n_batches++) {
        const float *logits = mlp_forward(mlp, rival->theta, held->x, n);
        (void)loss_mean_square(logits, n, mlp->n_outputs, mlp->slope);
        mlp_backward(mlp, rival->theta, held->x, n, rival->grad);
        add_size(mlp->n_theta, rival->grad, held->sum);
    }
    for (size_t i = 0; n_batches > 0 && i < mlp->n_theta; i++)
        held->anchor.omega[i] += held->sum[i] / (float)n_batches;
    held_renew(rival);
}

const Method method_mas = {
    .info = {.name = "mas",
             .about = "holds parameters by how much the outputs depend on them",
             .told_tasks = true},
    .carve = carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = end_task,
    .predict = train_predict,
    .kept = held_kept,
};
