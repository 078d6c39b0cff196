/* mlp.h - a ReLU network with biases: forward and backward pass.
 *
 * All parameters form one vector theta, owned by the caller: penalties, optimisers and masks are
 * loops over it, and another theta of the same shape is another network. Activities are stored unit
 * by unit, [units][n], which BLAS multiplies faster than sample by sample. */
#ifndef RIVALS_MLP_H
#define RIVALS_MLP_H

#include "base/arena.h"
#include "rivals/blas.h"
#include "rivals/rival.h"

enum { MLP_LAYERS_MAX = KEY_LIST_MAX + 1 };

typedef struct MlpLayer {
    size_t n_in, n_out;
    size_t weights, biases; /* offsets in theta: [n_out][n_in] and [n_out] */
    float *out;             /* [n_out][n], after the ReLU; last layer: logits */
} MlpLayer;

typedef struct Mlp {
    const Blas *blas;
    size_t n_layers, n_inputs, n_outputs;
    MlpLayer layers[MLP_LAYERS_MAX];
    size_t n_theta;  /* SIZE_MAX on overflow */
    float *slope;    /* [n_outputs][n]: d loss / d logits, filled by the caller */
    float *delta[2]; /* [widest hidden layer][n]: the same for two neighbouring layers */
    float *ones;     /* [batch] */
    uint64_t macs;   /* multiplications so far */
} Mlp;

/* Set everything but the arrays; then carve those for batches of this size (twice, see arena.h). */
void mlp_shape(Mlp *mlp, const RivalShape *shape);
void mlp_carve(Mlp *mlp, size_t batch, Arena *arena);
void mlp_start(Mlp *mlp, size_t batch);

/* Initial parameters, uniform within 1 / sqrt(n_in) of 0. */
void mlp_draw(const Mlp *mlp, float *theta, uint32_t seed);

/* The logits of a batch x [n][n_inputs], valid until the next call. */
const float *mlp_forward(Mlp *mlp, const float *theta, const float *x, size_t n);

/* The gradient [n_theta] of the last batch passed forward, after `slope` has been filled. It need
 * not be zeroed first. */
void mlp_backward(Mlp *mlp, const float *theta, const float *x, size_t n, float *grad);

/* Add the squared gradient of each sample to sum [n_theta]. This is exact: one sample's gradient is
 * a product of two numbers per weight, so a sum of squares is a product of matrices of squares.
 * Overwrites x with its squares. */
void mlp_add_squares(Mlp *mlp, const float *theta, float *x, size_t n, float *sum);

#endif
