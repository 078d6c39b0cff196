/* lwf.c - learning without forgetting (Li & Hoiem 2017), weighted as in van de Ven & Tolias (2019):
 * in task t the loss is (1/t) CE + (1 - 1/t) T^2 CE(softmax(z_old / T), softmax(z / T)), where
 * z_old are the logits that the network after the last task gives for this task's samples. */
#include "rivals/train.h"

#include "rivals/loss.h"

#include <string.h>

static void carve(Rival *rival, Arena *arena) {
    Lwf *lwf = &rival->lwf;
    train_carve(rival, arena);
    lwf->old = arena_take(arena, rival->mlp.n_theta, sizeof *lwf->old);
    lwf->old_logits =
        arena_take_rows(arena, rival->mlp.n_outputs, rival->params.batch, sizeof *lwf->old_logits);
}

/* Copied before the first task too, so that the digest is well defined. */
static void keep_network(Rival *rival) {
    memcpy(rival->lwf.old, rival->theta, rival->mlp.n_theta * sizeof *rival->theta);
}

static void start(Rival *rival) {
    train_start(rival);
    keep_network(rival);
}

static void begin_task(Rival *rival) {
    rival->lwf.task++;
}

static void end_task(Rival *rival, RivalBatches *batches, void *user) {
    (void)batches;
    (void)user;
    keep_network(rival);
}

static void learn_later_task(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Mlp *mlp = &rival->mlp;
    Lwf *lwf = &rival->lwf;
    double new_part = 1 / (double)lwf->task, t = rival->params.temperature;
    size_t n_outputs = mlp->n_outputs;
    const float *logits = mlp_forward(mlp, lwf->old, x, n);
    memcpy(lwf->old_logits, logits, n_outputs * n * sizeof *logits);
    logits = mlp_forward(mlp, rival->theta, x, n);
    (void)loss_cross_entropy(logits, target, n, n_outputs, (float)(new_part / (double)n),
                             mlp->slope);
    (void)loss_distil(logits, lwf->old_logits, n, n_outputs, (float)t,
                      (float)((1 - new_part) * t * t / (double)n), mlp->slope);
    mlp_backward(mlp, rival->theta, x, n, rival->grad);
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    if (rival->lwf.task > 1)
        learn_later_task(rival, x, target, n);
    else
        train_gradient(rival, x, target, n);
    train_step(rival, NULL, NULL);
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, i == 0 ? rival->theta : rival->lwf.old);
    return i < 2;
}

const Method method_lwf = {
    .carve = carve,
    .start = start,
    .begin_task = begin_task,
    .learn = learn,
    .end_task = end_task,
    .predict = train_predict,
    .kept = kept,
};
