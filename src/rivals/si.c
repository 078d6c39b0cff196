/* si.c - synaptic intelligence (Zenke et al. 2017): Omega is what a parameter has contributed to
 * the fall of the loss, by the length of its way. */
#include "rivals/held.h"

#include <string.h>

static void carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    rival->held.path = arena_take(arena, rival->mlp.n_theta, sizeof *rival->held.path);
}

/* theta* is also where the way begins, so the first task needs one. It holds nothing yet. */
static void start(Rival *rival) {
    train_start(rival);
    held_renew(rival);
    rival->held.anchors = NULL;
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, rival->held.anchors, rival->held.path);
}

static void end_task(Rival *rival, RivalBatches *batches, void *user) {
    Held *held = &rival->held;
    float damping = (float)rival->params.damping;
    (void)batches;
    (void)user;
    for (size_t i = 0; i < rival->mlp.n_theta; i++) {
        float way = rival->theta[i] - held->anchor.theta[i];
        held->anchor.omega[i] += held->path[i] / (way * way + damping);
        held->path[i] = 0;
    }
    held_renew(rival);
}

/* The path integral is kept from batch to batch, too. */
static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->held.path);
    return i == 3 || held_kept(rival, i, out);
}

const Method method_si = {
    .info = {.name = "si",
             .about = "holds parameters by what they did for the loss on their way",
             .told_tasks = true},
    .carve = carve,
    .start = start,
    .learn = learn,
    .end_task = end_task,
    .predict = train_predict,
    .kept = kept,
};
