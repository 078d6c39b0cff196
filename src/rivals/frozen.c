/* frozen.c - random layers that are drawn from the seed and never learn.
 *
 * ReLU units are drawn like a network's first layer, but wider, from U(-1, 1) sqrt(6 / n_in): units
 * then preserve the mean square of the inputs (He et al. 2015), whatever their number.
 *
 * Cosines are random Fourier features (Rahimi & Recht 2007): sqrt(2 / D) cos(w x + b) with w normal
 * of variance 2 gamma and b uniform in [-pi, pi). The product of the features of two inputs is on
 * average exp(-gamma |x - x'|^2). */
#include "rivals/frozen.h"

#include "rivals/noise.h"
#include "rivals/train.h"

#include <math.h>
#include <string.h>

FrozenKind frozen_kind(const RivalParams *params) {
    return params->features == FEATURES_RELU ? FROZEN_RELU : FROZEN_NONE;
}

tacos_status frozen_check(FrozenKind kind, const RivalShape *shape, tacos_error *err) {
    if (kind != FROZEN_NONE && shape->hidden.n != 1)
        return failure(err, TACOS_INVALID,
                       "the method reads one frozen layer of units: hidden must be one number, and "
                       "has %zu",
                       shape->hidden.n);
    return TACOS_OK;
}

/* The network consists of the frozen layer alone. */
void frozen_shape(Rival *rival, FrozenKind kind) {
    RivalShape layer = {.n_inputs = rival->shape.n_inputs};
    rival->frozen = (Frozen){.kind = kind, .n = rival->shape.n_inputs};
    if (kind == FROZEN_NONE)
        return;
    rival->frozen.n = layer.n_outputs = rival->shape.hidden.value[0];
    mlp_shape(&rival->mlp, &layer);
}

void frozen_carve(Rival *rival, Arena *arena) {
    if (rival->frozen.kind == FROZEN_NONE)
        return;
    rival->theta = arena_take(arena, rival->mlp.n_theta, sizeof *rival->theta);
    mlp_carve(&rival->mlp, rival->params.batch, arena);
}

/* All weights are one stream of normal numbers. The phases are the biases of mlp_draw, whose range
 * is 1 / sqrt(n_in), made wider. */
static void draw_fourier(Rival *rival) {
    const MlpLayer *layer = &rival->mlp.layers[0];
    NoiseStream stream = {.seed = rival->seed};
    float spread = (float)sqrt(2 * rival->params.rbf_gamma);
    float wider = (float)(acos(-1) * sqrt((double)layer->n_in));
    float noise[NOISE_GROUP];
    for (size_t from = 0; from < layer->biases; from += NOISE_GROUP) {
        size_t left = layer->biases - from, n = left < NOISE_GROUP ? left : NOISE_GROUP;
        noise_normal(stream, from, NOISE_GROUP, noise);
        for (size_t i = 0; i < n; i++)
            rival->theta[from + i] = spread * noise[i];
    }
    for (size_t o = 0; o < layer->n_out; o++)
        rival->theta[layer->biases + o] *= wider;
}

void frozen_start(Rival *rival) {
    if (rival->frozen.kind == FROZEN_NONE)
        return;
    train_start(rival);
    if (rival->frozen.kind == FROZEN_FOURIER)
        draw_fourier(rival);
    else
        for (size_t i = 0; i < rival->mlp.n_theta; i++)
            rival->theta[i] *= sqrtf(6);
}

static void show_fourier(const Rival *rival, const float *units, size_t n, double *out,
                         size_t stride) {
    float scale = (float)sqrt(2 / (double)rival->frozen.n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < rival->frozen.n; j++)
            out[i * stride + j] = (double)(scale * cosf(units[j * n + i]));
}

void frozen_show(Rival *rival, const float *x, size_t n, double *out, size_t stride) {
    size_t n_features = rival->frozen.n;
    FrozenKind kind = rival->frozen.kind;
    const float *units = NULL;
    if (kind != FROZEN_NONE)
        units = mlp_forward(&rival->mlp, rival->theta, x, n);
    if (kind == FROZEN_FOURIER) {
        show_fourier(rival, units, n, out, stride);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n_features; j++)
            out[i * stride + j] =
                units ? fmax(0, (double)units[j * n + i]) : (double)x[i * n_features + j];
}

bool frozen_kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->theta);
    return rival->frozen.kind != FROZEN_NONE && i == 0;
}
