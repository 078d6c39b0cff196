/* penalty.c - quadratic penalties. */
#include "rivals/penalty.h"

#include "rivals/clones.h"

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
        /* In this form, what is held from one side alone stays exactly there. */
        if (sum > 0)
            into->theta[i] += omega[i] / sum * (theta[i] - into->theta[i]);
        into->omega[i] = sum;
    }
}
