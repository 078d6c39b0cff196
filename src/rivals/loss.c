/* loss.c - softmax and the losses based on it. Outputs are few, so speed does not matter. */
#include "rivals/loss.h"

#include <math.h>

/* softmax(z / T) of one sample: p_k = exp((z_k - max) / T) / sum. */
typedef struct Softmax {
    const float *z; /* z_k is z[k * n] */
    size_t n;
    float max, cool, sum; /* cool = 1 / T */
} Softmax;

static Softmax softmax(const float *z, size_t n, size_t n_outputs, float temperature) {
    Softmax s = {.z = z, .n = n, .max = z[0], .cool = 1 / temperature};
    for (size_t k = 1; k < n_outputs; k++)
        s.max = z[k * n] > s.max ? z[k * n] : s.max;
    for (size_t k = 0; k < n_outputs; k++)
        s.sum += expf((z[k * n] - s.max) * s.cool);
    return s;
}

static float probability(const Softmax *s, size_t k) {
    return expf((s->z[k * s->n] - s->max) * s->cool) / s->sum;
}

/* Finite even where the probability underflows. */
static double log_probability(const Softmax *s, size_t k) {
    return (double)((s->z[k * s->n] - s->max) * s->cool) - log((double)s->sum);
}

double loss_cross_entropy(const float *logits, const uint16_t *target, size_t n, size_t n_outputs,
                          float weight, float *slope) {
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        Softmax s = softmax(logits + i, n, n_outputs, 1);
        for (size_t k = 0; k < n_outputs; k++)
            slope[k * n + i] = weight * (probability(&s, k) - (k == target[i] ? 1.0f : 0.0f));
        loss -= (double)weight * log_probability(&s, target[i]);
    }
    return loss;
}

double loss_distil(const float *logits, const float *old, size_t n, size_t n_outputs,
                   float temperature, float weight, float *slope) {
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        Softmax now = softmax(logits + i, n, n_outputs, temperature);
        Softmax then = softmax(old + i, n, n_outputs, temperature);
        for (size_t k = 0; k < n_outputs; k++) {
            float wanted = probability(&then, k);
            slope[k * n + i] += weight * now.cool * (probability(&now, k) - wanted);
            loss -= (double)weight * (double)wanted * log_probability(&now, k);
        }
    }
    return loss;
}

double loss_mean_square(const float *logits, size_t n, size_t n_outputs, float *slope) {
    double loss = 0;
    float weight = 1 / (float)(n * n_outputs);
    for (size_t i = 0; i < n * n_outputs; i++) {
        slope[i] = 2 * weight * logits[i];
        loss += (double)(weight * logits[i] * logits[i]);
    }
    return loss;
}

void loss_add_softmax(const float *logits, size_t n, size_t n_outputs, float weight,
                      float *scores) {
    for (size_t i = 0; i < n; i++) {
        Softmax s = softmax(logits + i, n, n_outputs, 1);
        for (size_t k = 0; k < n_outputs; k++)
            scores[i * n_outputs + k] += weight * probability(&s, k);
    }
}

void loss_argmax(const float *logits, size_t n, size_t n_outputs, uint16_t *out) {
    for (size_t i = 0; i < n; i++) {
        size_t best = 0;
        for (size_t k = 1; k < n_outputs; k++)
            if (logits[k * n + i] > logits[best * n + i])
                best = k;
        out[i] = (uint16_t)best;
    }
}
