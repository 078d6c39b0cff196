/* sample.h - learns one sample, whose input is in the scratch's raster. */
#ifndef NET_SAMPLE_H
#define NET_SAMPLE_H

#include "net/scratch.h"

void sample_begin(Network *net, Scratch *scratch, tacos_counters *tally);
void sample_step(Network *net, Scratch *scratch, size_t target);
void sample_end(Network *net, Scratch *scratch);

/* All of it, and what follows a sample. */
void sample_learn(Network *net, Scratch *scratch, size_t target, tacos_counters *tally);

/* Before anybody reads w, w_ref or m. */
void network_settle(Network *net, Scratch *scratch);

#endif
