/* ewc.c - elastic weight consolidation (Kirkpatrick et al. 2017): Omega is the Fisher information
 * of the task. `ewc` keeps a pair (Omega, theta*) for each task, `online-ewc` (Schwarz et al. 2018)
 * one: the sum of all, of which each new task lets gamma stand, around the latest theta*. */
#include "rivals/held.h"

#include <stdlib.h>
#include <string.h>

/* ---- One pair for all tasks ---- */

static void carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    held_carve_samples(rival, arena);
}

static void end_task_online(Rival *rival, RivalBatches *batches, void *user) {
    float *omega = rival->held.anchor.omega, gamma = (float)rival->params.gamma;
    held_fisher(rival, batches, user);
    for (size_t i = 0; i < rival->mlp.n_theta; i++)
        omega[i] = gamma * omega[i] + rival->grad[i];
    held_renew(rival);
}

const Method method_online_ewc = {
    .info = {.name = "online-ewc",
             .about = "holds parameters by their Fisher information, added up over tasks",
             .told_tasks = true},
    .carve = carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = end_task_online,
    .predict = train_predict,
    .kept = held_kept,
};

/* ---- One pair a task ---- */

typedef struct Pair {
    Anchor anchor;
    float values[]; /* Omega and theta*: [2][n_theta] */
} Pair;

/* The first pair is part of the rival. Others are taken when a task ends: how many there will be is
 * not known before. NULL if there is no memory. */
static Anchor *pair_new(Rival *rival) {
    size_t n = rival->mlp.n_theta, n_bytes = sizeof(Pair) + 2 * n * sizeof(float);
    if (!rival->held.anchors)
        return &rival->held.anchor;
    Pair *pair = malloc(n_bytes);
    if (!pair)
        return NULL;
    pair->anchor = (Anchor){.omega = pair->values, .theta = pair->values + n};
    rival->n_bytes += n_bytes;
    return &pair->anchor;
}

static void end_task(Rival *rival, RivalBatches *batches, void *user) {
    Held *held = &rival->held;
    size_t n_bytes = rival->mlp.n_theta * sizeof *rival->theta;
    Anchor *pair = pair_new(rival);
    held_fisher(rival, batches, user);
    if (pair) {
        memcpy(pair->omega, rival->grad, n_bytes);
        memcpy(pair->theta, rival->theta, n_bytes);
        pair->before = held->anchors;
        held->anchors = pair;
    } else {
        /* The last pair takes the new one in, which but for rounding is the same. */
        penalty_merge(held->anchors, rival->grad, rival->theta, rival->mlp.n_theta);
    }
}

static void close(Rival *rival) {
    for (Anchor *pair = rival->held.anchors; pair && pair != &rival->held.anchor;) {
        Anchor *before = pair->before;
        free(pair); /* an anchor is where its pair begins */
        pair = before;
    }
}

/* theta, and the two halves of each pair. */
static bool kept(const Rival *rival, size_t i, Kept *out) {
    const Anchor *pair = rival->held.anchors;
    for (size_t skip = (i + 1) / 2; skip > 1 && pair; skip--)
        pair = pair->before;
    if (i > 0 && !pair)
        return false;
    *out = train_kept(rival, i == 0 ? rival->theta : i % 2 ? pair->omega : pair->theta);
    return true;
}

const Method method_ewc = {
    .info = {.name = "ewc",
             .about = "holds parameters by their Fisher information, for each task anew",
             .told_tasks = true},
    .carve = carve,
    .start = train_start,
    .close = close,
    .learn = held_learn,
    .end_task = end_task,
    .predict = train_predict,
    .kept = kept,
};
