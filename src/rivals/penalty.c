/* penalty.c - methods that hold parameters in place by a quadratic penalty: l2, ewc, online-ewc, si
 * and mas. They differ in how they compute Omega. */
#include "rivals/train.h"

#include "rivals/clones.h"
#include "rivals/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

CLONES static void add_even(size_t n, const float *restrict theta, const float *restrict anchor,
                            float factor, float *restrict grad) {
    for (size_t i = 0; i < n; i++)
        grad[i] += factor * (theta[i] - anchor[i]);
}

CLONES static void add_weighted(size_t n, const float *restrict theta, const float *restrict anchor,
                                const float *restrict omega, float factor, float *restrict grad) {
    for (size_t i = 0; i < n; i++)
        grad[i] += factor * omega[i] * (theta[i] - anchor[i]);
}

void penalty_add(const Anchor *anchors, double strength, size_t from, size_t n, const float *theta,
                 float *grad) {
    for (const Anchor *a = anchors; a; a = a->before)
        if (a->omega)
            add_weighted(n, theta, a->theta + from, a->omega + from, (float)(2 * strength), grad);
        else
            add_even(n, theta, a->theta + from, (float)(2 * strength), grad);
}

void penalty_merge(Anchor *into, const float *omega, const float *theta, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float sum = into->omega[i] + omega[i];
        /* In this form, a parameter that only one side holds stays exactly there. */
        if (sum > 0)
            into->theta[i] += omega[i] / sum * (theta[i] - into->theta[i]);
        into->omega[i] = sum;
    }
}

/* ---- shared: one pair (Omega, theta*), renewed when a task ends ---- */

static void held_carve(Rival *rival, Arena *arena) {
    size_t n = rival->mlp.n_theta;
    Anchor *anchor = &rival->held.anchor;
    train_carve(rival, arena);
    anchor->omega = arena_take(arena, n, sizeof *anchor->omega);
    anchor->theta = arena_take(arena, n, sizeof *anchor->theta);
}

/* Room for a second look at the task's samples. */
static void held_carve_samples(Rival *rival, Arena *arena) {
    Held *held = &rival->held;
    size_t batch = rival->params.batch;
    held->x = arena_take_rows(arena, batch, rival->shape.n_inputs, sizeof *held->x);
    held->label = arena_take(arena, batch, sizeof *held->label);
}

static void held_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, rival->held.anchors, NULL);
}

/* From now on, hold parameters where they are. */
static void held_renew(Rival *rival) {
    Held *held = &rival->held;
    memcpy(held->anchor.theta, rival->theta, rival->mlp.n_theta * sizeof *rival->theta);
    held->anchors = &held->anchor;
}

/* theta, Omega, theta* */
static bool held_kept(const Rival *rival, size_t i, Kept *out) {
    const Anchor *anchor = &rival->held.anchor;
    const float *pieces[] = {rival->theta, anchor->omega, anchor->theta};
    if (i >= sizeof pieces / sizeof *pieces)
        return false;
    *out = train_kept(rival, pieces[i]);
    return true;
}

/* The squared gradient of log p(y), y being the most probable output, averaged over the task's
 * samples, into the rival's gradient. */
static void held_fisher(Rival *rival, RivalBatches *batches, void *user) {
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

/* ---- l2: all parameters are held alike, where the last task left them ---- */

/* Omega is 1 and takes no memory. */
static void l2_carve(Rival *rival, Arena *arena) {
    Anchor *anchor = &rival->held.anchor;
    train_carve(rival, arena);
    anchor->theta = arena_take(arena, rival->mlp.n_theta, sizeof *anchor->theta);
}

static void l2_end_task(Rival *rival, RivalBatches *batches, void *user) {
    (void)batches;
    (void)user;
    held_renew(rival);
}

static bool l2_kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, i == 0 ? rival->theta : rival->held.anchor.theta);
    return i < 2;
}

const Method method_l2 = {
    .carve = l2_carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = l2_end_task,
    .predict = train_predict,
    .kept = l2_kept,
};

/* ---- elastic weight consolidation (Kirkpatrick et al. 2017) ----
 *
 * Omega is the Fisher information of the task. `ewc` keeps a pair (Omega, theta*) per task;
 * `online-ewc` (Schwarz et al. 2018) keeps one: a running sum, scaled by gamma before each new task
 * is added, around the latest theta*. */

/* One pair for all tasks. */
static void ewc_carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    held_carve_samples(rival, arena);
}

static void ewc_end_task_online(Rival *rival, RivalBatches *batches, void *user) {
    float *omega = rival->held.anchor.omega, gamma = (float)rival->params.gamma;
    held_fisher(rival, batches, user);
    for (size_t i = 0; i < rival->mlp.n_theta; i++)
        omega[i] = gamma * omega[i] + rival->grad[i];
    held_renew(rival);
}

const Method method_online_ewc = {
    .carve = ewc_carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = ewc_end_task_online,
    .predict = train_predict,
    .kept = held_kept,
};

/* One pair per task. */
typedef struct Pair {
    Anchor anchor;
    float values[]; /* Omega and theta*: [2][n_theta] */
} Pair;

/* The first pair is part of the rival. Others are allocated as tasks end, since their number is not
 * known in advance. NULL if out of memory. */
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

static void ewc_end_task(Rival *rival, RivalBatches *batches, void *user) {
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
        /* Out of memory: merge into the last pair, which is the same up to rounding. */
        penalty_merge(held->anchors, rival->grad, rival->theta, rival->mlp.n_theta);
    }
}

static void ewc_close(Rival *rival) {
    for (Anchor *pair = rival->held.anchors; pair && pair != &rival->held.anchor;) {
        Anchor *before = pair->before;
        free(pair); /* an anchor is the start of its pair */
        pair = before;
    }
}

/* theta, then both halves of each pair. */
static bool ewc_kept(const Rival *rival, size_t i, Kept *out) {
    const Anchor *pair = rival->held.anchors;
    for (size_t skip = (i + 1) / 2; skip > 1 && pair; skip--)
        pair = pair->before;
    if (i > 0 && !pair)
        return false;
    *out = train_kept(rival, i == 0 ? rival->theta : i % 2 ? pair->omega : pair->theta);
    return true;
}

const Method method_ewc = {
    .carve = ewc_carve,
    .start = train_start,
    .close = ewc_close,
    .learn = held_learn,
    .end_task = ewc_end_task,
    .predict = train_predict,
    .kept = ewc_kept,
};

/* ---- memory aware synapses (Aljundi et al. 2018) ----
 *
 * Omega is how strongly the outputs depend on a parameter: the mean over batches of |d
 * mean(logit^2) / d theta|, summed over tasks. */

static void mas_carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    held_carve_samples(rival, arena);
    rival->held.sum = arena_take(arena, rival->mlp.n_theta, sizeof *rival->held.sum);
}

CLONES static void add_size(size_t n, const float *restrict values, float *restrict sum) {
    for (size_t i = 0; i < n; i++)
        sum[i] += fabsf(values[i]);
}

static void mas_end_task(Rival *rival, RivalBatches *batches, void *user) {
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
    .carve = mas_carve,
    .start = train_start,
    .learn = held_learn,
    .end_task = mas_end_task,
    .predict = train_predict,
    .kept = held_kept,
};

/* ---- synaptic intelligence (Zenke et al. 2017) ----
 *
 * Omega is a parameter's contribution to the fall of the loss, divided by the squared distance it
 * moved. */

static void si_carve(Rival *rival, Arena *arena) {
    held_carve(rival, arena);
    rival->held.path = arena_take(arena, rival->mlp.n_theta, sizeof *rival->held.path);
}

/* theta* is also where the path begins, so the first task needs one. It holds nothing yet. */
static void si_start(Rival *rival) {
    train_start(rival);
    held_renew(rival);
    rival->held.anchors = NULL;
}

static void si_learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, rival->held.anchors, rival->held.path);
}

static void si_end_task(Rival *rival, RivalBatches *batches, void *user) {
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

/* The path integral is kept between batches too. */
static bool si_kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->held.path);
    return i == 3 || held_kept(rival, i, out);
}

const Method method_si = {
    .carve = si_carve,
    .start = si_start,
    .learn = si_learn,
    .end_task = si_end_task,
    .predict = train_predict,
    .kept = si_kept,
};
