/* mlp.c - forward and backward passes as matrix products. */
#include "rivals/mlp.h"

#include "base/rng.h"
#include "rivals/clones.h"

#include <math.h>

void mlp_shape(Mlp *mlp, const RivalShape *shape) {
    *mlp = (Mlp){.n_layers = shape->hidden.n + 1,
                 .n_inputs = shape->n_inputs,
                 .n_outputs = shape->n_outputs};
    for (size_t l = 0; l < mlp->n_layers; l++) {
        MlpLayer *layer = &mlp->layers[l];
        size_t n_weights = 0;
        layer->n_in = l == 0 ? shape->n_inputs : mlp->layers[l - 1].n_out;
        layer->n_out = l + 1 == mlp->n_layers ? shape->n_outputs : shape->hidden.value[l];
        layer->weights = mlp->n_theta;
        if (__builtin_mul_overflow(layer->n_in, layer->n_out, &n_weights) ||
            __builtin_add_overflow(mlp->n_theta, n_weights, &layer->biases) ||
            __builtin_add_overflow(layer->biases, layer->n_out, &mlp->n_theta)) {
            mlp->n_theta = SIZE_MAX;
            return;
        }
    }
}

void mlp_carve(Mlp *mlp, size_t batch, Arena *arena) {
    size_t widest = 0;
    for (size_t l = 0; l < mlp->n_layers; l++) {
        MlpLayer *layer = &mlp->layers[l];
        layer->out = arena_take_rows(arena, layer->n_out, batch, sizeof *layer->out);
        if (l + 1 < mlp->n_layers && layer->n_out > widest)
            widest = layer->n_out;
    }
    mlp->slope = arena_take_rows(arena, mlp->n_outputs, batch, sizeof *mlp->slope);
    mlp->delta[0] = arena_take_rows(arena, widest, batch, sizeof *mlp->delta[0]);
    mlp->delta[1] = arena_take_rows(arena, widest, batch, sizeof *mlp->delta[1]);
    mlp->ones = arena_take(arena, batch, sizeof *mlp->ones);
}

void mlp_start(Mlp *mlp, size_t batch) {
    for (size_t i = 0; i < batch; i++)
        mlp->ones[i] = 1;
}

static void draw(float *values, size_t n, float range, uint32_t seed, size_t layer,
                 uint32_t index) {
    for (size_t i = 0; i < n; i += 4) {
        RngBlock block = rng_block(seed, RNG_RIVAL, layer, (uint32_t)(i / 4), index);
        for (size_t k = 0; k < 4 && i + k < n; k++)
            values[i + k] = rng_within(block.word[k], range);
    }
}

void mlp_draw(const Mlp *mlp, float *theta, uint32_t seed) {
    for (size_t l = 0; l < mlp->n_layers; l++) {
        const MlpLayer *layer = &mlp->layers[l];
        float range = (float)(1 / sqrt((double)layer->n_in));
        draw(theta + layer->weights, layer->n_in * layer->n_out, range, seed, l, 0);
        draw(theta + layer->biases, layer->n_out, range, seed, l, 1);
    }
}

/* ---- Forward ---- */

CLONES static void add_bias(float *out, const float *bias, size_t n_out, size_t n) {
    for (size_t o = 0; o < n_out; o++)
        for (size_t i = 0; i < n; i++)
            out[o * n + i] += bias[o];
}

CLONES static void add_bias_relu(float *out, const float *bias, size_t n_out, size_t n) {
    for (size_t o = 0; o < n_out; o++)
        for (size_t i = 0; i < n; i++) {
            float sum = out[o * n + i] + bias[o];
            out[o * n + i] = sum > 0 ? sum : 0;
        }
}

const float *mlp_forward(Mlp *mlp, const float *theta, const float *x, size_t n) {
    const Blas *blas = mlp->blas;
    const float *in = x;
    for (size_t l = 0; l < mlp->n_layers; l++) {
        MlpLayer *layer = &mlp->layers[l];
        const float *bias = theta + layer->biases;
        int n_in = (int)layer->n_in, n_out = (int)layer->n_out, columns = (int)n;
        /* The input is stored sample by sample, activities unit by unit. */
        blas_enter(blas);
        blas->sgemm(BLAS_ROWS, BLAS_AS_IS, l == 0 ? BLAS_TURNED : BLAS_AS_IS, n_out, columns, n_in,
                    1, theta + layer->weights, n_in, in, l == 0 ? n_in : columns, 0, layer->out,
                    columns);
        blas_leave(blas);
        if (l + 1 < mlp->n_layers)
            add_bias_relu(layer->out, bias, layer->n_out, n);
        else
            add_bias(layer->out, bias, layer->n_out, n);
        mlp->macs += (uint64_t)n * layer->n_in * layer->n_out;
        in = layer->out;
    }
    return in;
}

/* ---- Backward ---- */

/* Silent units pass no slope. */
CLONES static void mask(float *delta, const float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        delta[i] = out[i] > 0 ? delta[i] : 0;
}

CLONES static void square(float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] *= values[i];
}

/* The slope of layer l's inputs, that is, of layer l - 1's outputs. */
static const float *pass_down(Mlp *mlp, size_t l, const float *theta, const float *delta,
                              size_t n) {
    const Blas *blas = mlp->blas;
    const MlpLayer *layer = &mlp->layers[l];
    int n_in = (int)layer->n_in, n_out = (int)layer->n_out, columns = (int)n;
    float *below = mlp->delta[l % 2];
    blas_enter(blas);
    blas->sgemm(BLAS_ROWS, BLAS_TURNED, BLAS_AS_IS, n_in, columns, n_out, 1, theta + layer->weights,
                n_in, delta, columns, 0, below, columns);
    blas_leave(blas);
    mask(below, mlp->layers[l - 1].out, layer->n_in * n);
    mlp->macs += (uint64_t)n * layer->n_in * layer->n_out;
    return below;
}

/* grad = grad_kept * grad + delta . in^T, for weights and biases. */
static void collect(Mlp *mlp, size_t l, const float *in, const float *delta, size_t n,
                    float grad_kept, float *grad) {
    const Blas *blas = mlp->blas;
    const MlpLayer *layer = &mlp->layers[l];
    int n_in = (int)layer->n_in, n_out = (int)layer->n_out, columns = (int)n;
    blas_enter(blas);
    blas->sgemm(BLAS_ROWS, BLAS_AS_IS, l == 0 ? BLAS_AS_IS : BLAS_TURNED, n_out, n_in, columns, 1,
                delta, columns, in, l == 0 ? n_in : columns, grad_kept, grad + layer->weights,
                n_in);
    blas->sgemv(BLAS_ROWS, BLAS_AS_IS, n_out, columns, 1, delta, columns, mlp->ones, 1, grad_kept,
                grad + layer->biases, 1);
    blas_leave(blas);
    mlp->macs += (uint64_t)n * layer->n_in * layer->n_out;
}

void mlp_backward(Mlp *mlp, const float *theta, const float *x, size_t n, float *grad) {
    const float *delta = mlp->slope;
    for (size_t l = mlp->n_layers; l-- > 0;) {
        /* The slope of the network's inputs is not needed. */
        const float *below = l > 0 ? pass_down(mlp, l, theta, delta, n) : NULL;
        collect(mlp, l, l > 0 ? mlp->layers[l - 1].out : x, delta, n, 0, grad);
        delta = below;
    }
}

void mlp_add_squares(Mlp *mlp, const float *theta, float *x, size_t n, float *sum) {
    float *delta = mlp->slope;
    for (size_t l = mlp->n_layers; l-- > 0;) {
        const MlpLayer *layer = &mlp->layers[l];
        float *in = l > 0 ? mlp->layers[l - 1].out : x;
        if (l > 0)
            (void)pass_down(mlp, l, theta, delta, n);
        square(in, layer->n_in * n);
        square(delta, layer->n_out * n);
        collect(mlp, l, in, delta, n, 1, sum);
        delta = mlp->delta[l % 2];
    }
}
