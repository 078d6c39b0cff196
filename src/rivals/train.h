/* train.h - gradient descent, shared by the methods: network, gradient, step. */
#ifndef RIVALS_TRAIN_H
#define RIVALS_TRAIN_H

#include "rivals/method.h"

/* Where several loops go over the parameters, they take this many at a time: few enough to stay in
 * the L1 cache. A multiple of NOISE_GROUP. */
enum { TRAIN_PIECE = 1024 };

static inline size_t train_piece(const Rival *rival, size_t from) {
    size_t left = rival->mlp.n_theta - from;
    return left < TRAIN_PIECE ? left : TRAIN_PIECE;
}

/* theta, its gradient and a batch's activities; the second also carves the optimiser's moments. */
void train_carve_network(Rival *rival, Arena *arena);
void train_carve(Rival *rival, Arena *arena);
void train_start(Rival *rival);

/* The gradient of the mean cross-entropy of a batch. */
void train_gradient(Rival *rival, const float *x, const uint16_t *target, size_t n);

/* A step along the gradient plus that of a penalty (anchors may be NULL). A path, if given, is
 * updated: path -= gradient without penalty * step. */
void train_step(Rival *rival, const Anchor *anchors, float *path);

/* Logits at theta, as scores [n][n_outputs]. */
void train_predict(Rival *rival, const float *x, size_t n, float *scores);

/* The rival's vector `at` as a Kept piece. */
Kept train_kept(const Rival *rival, const float *at);

#endif
