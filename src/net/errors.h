/* errors.h - labels, error neurons, feedback, error compartment: steps 4 to 7. */
#ifndef NET_ERRORS_H
#define NET_ERRORS_H

#include "net/scratch.h"

void errors_begin(const Network *net, Scratch *scratch);
void errors_step(const Network *net, Scratch *scratch, size_t target);

/* B of the false negatives: that of the false positives, or the rows after it; NULL in the output
 * layer. */
const float *errors_feedback_fn(const Network *net, const Layer *layer);

#endif
