/* rooms.h - divides the shared memory of a block. */
#ifndef CUDA_ROOMS_H
#define CUDA_ROOMS_H

#include "cuda/memory.h"
#include "net/params.h"

/* The layout for networks of this shape in at most `bytes`; false if that is not enough, and
 * out->total is then what is needed at least. */
bool learn_room(LearnRoom *out, const Params *params, bool plastic, size_t bytes);
bool score_room(ScoreRoom *out, const Params *params, size_t bytes);

#endif
