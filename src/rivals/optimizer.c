/* optimizer.c - the three update rules, one loop each. */
#include "rivals/optimizer.h"

#include "rivals/clones.h"

#include <math.h>

static const double beta1 = 0.9, beta2 = 0.999;
static const float adam_epsilon = 1e-8f, adagrad_epsilon = 1e-10f;

void optimizer_shape(Optimizer *optimizer, OptimizerKind kind, double rate) {
    *optimizer = (Optimizer){.kind = kind, .rate = rate};
}

void optimizer_carve(Optimizer *optimizer, size_t n_theta, Arena *arena) {
    if (optimizer->kind == OPTIMIZER_ADAM)
        optimizer->mean = arena_take(arena, n_theta, sizeof *optimizer->mean);
    if (optimizer->kind != OPTIMIZER_SGD)
        optimizer->squares = arena_take(arena, n_theta, sizeof *optimizer->squares);
}

void optimizer_begin(Optimizer *optimizer) {
    double t = (double)++optimizer->n_steps;
    bool adam = optimizer->kind == OPTIMIZER_ADAM;
    optimizer->step = (float)(adam ? optimizer->rate / (1 - pow(beta1, t)) : optimizer->rate);
    optimizer->correct = (float)sqrt(1 - pow(beta2, t));
}

CLONES static void step_sgd(size_t n, const float *restrict grad, float *restrict theta,
                            float rate) {
    for (size_t i = 0; i < n; i++)
        theta[i] -= rate * grad[i];
}

CLONES static void step_adagrad(size_t n, const float *restrict grad, float *restrict theta,
                                float *restrict squares, float rate) {
    for (size_t i = 0; i < n; i++) {
        squares[i] += grad[i] * grad[i];
        theta[i] -= rate * grad[i] / (sqrtf(squares[i]) + adagrad_epsilon);
    }
}

/* Where a gradient stays 0, the moments would decay into denormals, on which processors are a
 * hundred times slower; below 1e-30 they no longer move anything. */
CLONES static void step_adam(size_t n, const float *restrict grad, float *restrict theta,
                             float *restrict mean, float *restrict squares, float rate,
                             float correct) {
    const float b1 = (float)beta1, b2 = (float)beta2;
    const float c1 = (float)(1 - beta1), c2 = (float)(1 - beta2), per = 1 / correct;
    for (size_t i = 0; i < n; i++) {
        float g = grad[i];
        float m = b1 * mean[i] + c1 * g, v = b2 * squares[i] + c2 * g * g;
        m = fabsf(m) < 1e-30f ? 0 : m;
        v = v < 1e-30f ? 0 : v;
        mean[i] = m;
        squares[i] = v;
        theta[i] -= rate * m / (sqrtf(v) * per + adam_epsilon);
    }
}

void optimizer_step(const Optimizer *optimizer, size_t from, size_t n, const float *grad,
                    float *theta) {
    const Optimizer *o = optimizer;
    switch (o->kind) {
    case OPTIMIZER_SGD:
        step_sgd(n, grad, theta, o->step);
        break;
    case OPTIMIZER_ADAGRAD:
        step_adagrad(n, grad, theta, o->squares + from, o->step);
        break;
    case OPTIMIZER_ADAM:
        step_adam(n, grad, theta, o->mean + from, o->squares + from, o->step, o->correct);
        break;
    }
}
