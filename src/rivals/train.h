/* train.h - what the methods share: a network, a gradient, a step. */
#ifndef RIVALS_TRAIN_H
#define RIVALS_TRAIN_H

#include "rivals/method.h"

/* So many parameters are worked on at a time, where several loops go over them: few enough for the
 * cache next to the processor. A multiple of NOISE_GROUP. */
enum { TRAIN_PIECE = 1024 };

static inline size_t train_piece(const Rival *rival, size_t from) {
    size_t left = rival->mlp.n_theta - from;
    return left < TRAIN_PIECE ? left : TRAIN_PIECE;
}

/* theta, its gradient and the activities of a batch; then the optimiser's moments too. */
void train_carve_network(Rival *rival, Arena *arena);
void train_carve(Rival *rival, Arena *arena);
void train_start(Rival *rival);

/* The gradient of the mean cross-entropy of a batch. */
void train_gradient(Rival *rival, const float *x, const uint16_t *target, size_t n);

/* A step along the gradient and that of a penalty (anchors may be NULL). If there is a path, the
 * step is followed along it: path -= gradient without penalty * step. */
void train_step(Rival *rival, const Anchor *anchors, float *path);

/* Logits at theta, as scores [n][n_outputs]. */
void train_predict(Rival *rival, const float *x, size_t n, float *scores);

/* The rival's vector `at` as a piece that is kept. */
Kept train_kept(const Rival *rival, const float *at);

#endif
