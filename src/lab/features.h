/* features.h - a rival's inputs: an image's pixels as numbers, or the spike counts of a frozen
 * random spiking layer. */
#ifndef LAB_FEATURES_H
#define LAB_FEATURES_H

#include "base/rng.h"
#include "lab/task_split.h"

typedef struct Features Features;

tacos_status features_new(Features **out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, tacos_error *err);
void features_free(Features *features);

size_t features_size(const Features *features);

/* `purpose` and `number` identify the random draw of input spikes, if any. */
void features_extract(Features *features, const uint8_t *pixels, RngPurpose purpose,
                      uint64_t number, float *out);

/* Add the memory and counters of the spiking layer, if any. */
void features_count(const Features *features, tacos_learner_stats *stats);

#endif
