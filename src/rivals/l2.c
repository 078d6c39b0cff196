/* l2.c - every parameter is held alike where the last task left it. */
#include "rivals/held.h"

/* Omega is 1 and takes no memory. */
static void carve(Rival *rival, Arena *arena) {
    Anchor *anchor = &rival->held.anchor;
    train_carve(rival, arena);
    anchor->theta = arena_take(arena, rival->mlp.n_theta, sizeof *anchor->theta);
}

static void end_task(Rival *rival, RivalBatches *batches, void *user) {
    (void)batches;
    (void)user;
    held_renew(rival);
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, i == 0 ? rival->theta : rival->held.anchor.theta);
    return i < 2;
}

const Method method_l2 = {
    .info = {.name = "l2",
             .about = "holds all parameters where the last task left them",
             .told_tasks = true},
    .carve = carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = end_task,
    .predict = train_predict,
    .kept = kept,
};
