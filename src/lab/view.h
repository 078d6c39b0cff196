/* view.h - what a rival sees of an image: its pixels as numbers, or how often each neuron of a
 * frozen random spiking layer fires. */
#ifndef LAB_VIEW_H
#define LAB_VIEW_H

#include "base/rng.h"
#include "lab/stage.h"

typedef struct View View;

tacos_status view_new(View **out, const Stage *stage, const Experiment *settled, uint32_t seed,
                      tacos_error *err);
void view_free(View *view);

/* How many numbers there are. */
size_t view_size(const View *view);

/* `purpose` and `number` name the random draw of input spikes, where there are any. */
void view_show(View *view, const uint8_t *pixels, RngPurpose purpose, uint64_t number, float *out);

/* Add what a spiking layer holds and has done. */
void view_count(const View *view, tacos_learner_stats *stats);

#endif
