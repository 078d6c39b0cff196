/* plain.c - training and nothing else: `naive` on one task after the other, which is the floor, and
 * `joint` on all tasks at once, which is the ceiling. They differ in what they are given. */
#include "rivals/train.h"

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, NULL, NULL);
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->theta);
    return i == 0;
}

const Method method_naive = {
    .info = {.name = "naive", .about = "training alone, task after task"},
    .carve = train_carve,
    .start = train_start,
    .learn = learn,
    .predict = train_predict,
    .kept = kept,
};

const Method method_joint = {
    .info = {.name = "joint",
             .about = "training anew on all tasks so far, mixed",
             .keeps_data = true},
    .carve = train_carve,
    .start = train_start,
    .learn = learn,
    .predict = train_predict,
    .kept = kept,
};
