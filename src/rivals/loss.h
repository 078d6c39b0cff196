/* loss.h - loss functions of the logits. Logits and slopes are [n_outputs][n], as in mlp.h. */
#ifndef RIVALS_LOSS_H
#define RIVALS_LOSS_H

#include <stddef.h>
#include <stdint.h>

/* Softmax cross-entropy of n samples, each weighted by `weight`: returns the loss and writes its
 * slope. */
double loss_cross_entropy(const float *logits, const uint16_t *target, size_t n, size_t n_outputs,
                          float weight, float *slope);

/* The same with targets softmax(old / T) instead of labels, for softmax(logits / T). Adds to the
 * slope. */
double loss_distil(const float *logits, const float *old, size_t n, size_t n_outputs,
                   float temperature, float weight, float *slope);

/* The mean square of the logits, and its slope. */
double loss_mean_square(const float *logits, size_t n, size_t n_outputs, float *slope);

/* Add `weight` times the probabilities of each sample to scores [n][n_outputs]. */
void loss_add_softmax(const float *logits, size_t n, size_t n_outputs, float weight, float *scores);

/* The most probable output of each sample. */
void loss_argmax(const float *logits, size_t n, size_t n_outputs, uint16_t *out);

#endif
