/* features.h - what a rival sees of an image: its pixels as numbers, or how often each neuron of a
 * frozen random spiking layer fires. */
#ifndef LAB_FEATURES_H
#define LAB_FEATURES_H

#include "base/rng.h"
#include "lab/task_split.h"

typedef struct Features Features;

tacos_status features_new(Features **out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, tacos_error *err);
void features_free(Features *features);

/* The number of features. */
size_t features_size(const Features *features);

/* `purpose` and `number` identify the random draw of input spikes, if there are any. */
void features_extract(Features *features, const uint8_t *pixels, RngPurpose purpose,
                      uint64_t number, float *out);

/* Add the memory and the counters of the spiking layer, if there is one. */
void features_count(const Features *features, tacos_learner_stats *stats);

#endif
