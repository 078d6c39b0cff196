/* synapse.h - updates rows of synapses: one thread plans, then all work, each on its span of
 * columns. */
#ifndef NET_SYNAPSE_H
#define NET_SYNAPSE_H

#include "net/scratch.h"

void synapses_wake(const Layer *layer, LayerScratch *scratch, uint32_t pre); /* it sleeps */
/* These rows will be read at this step. From then on each owes the error of this step, if it
 * spiked, and the decays since. */
void synapses_plan(const Network *net, size_t l, Scratch *scratch, const uint32_t *list, size_t n,
                   bool spiked);
/* Those of them that sleep wake; those that are late catch up. */
void synapses_ready(Network *net, size_t l, Scratch *scratch, Span span);
/* All of them catch up with this step, and are added to `sum` (w_ref, if there is one, is not). */
void synapses_visit(const Network *net, size_t l, Scratch *scratch, float *sum, Span span);
/* The sample is over; all that is awake has been planned. */
void synapses_sleep(Network *net, size_t l, Scratch *scratch, const float *x_pre, Span span);
void synapses_end(Network *net, size_t l, Scratch *scratch);
/* Every row has been through every sample. */
void synapses_settle(Network *net, size_t l, Scratch *scratch, Span span);

#endif
