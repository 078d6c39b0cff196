/* roofline.h - the work of a training sample, and the shortest time that the machine's peaks allow.
 *
 * Counted, not measured: how often each loop of the engine ran over a block of KERNEL_LANES
 * columns, times the cost of one such round (a table in roofline.c). For the model "tacos". */
#ifndef BENCH_ROOFLINE_H
#define BENCH_ROOFLINE_H

#include "net/scratch.h"
#include "tacos_lab.h"

/* What was counted over some samples. */
typedef struct RooflineCount {
    tacos_counters learned;
    double awake[LAYERS_MAX]; /* rows that woke, by layer; a row counts in every sample */
    double moved[LAYERS_MAX]; /* rows that were awake, or sleep and have something to catch up */
} RooflineCount;

typedef struct Roofline {
    double operations, bytes; /* per sample; an operation is on KERNEL_LANES floats */
    double compute_us, memory_us;
} Roofline;

/* Spikes that reached each layer, of networks with at most two hidden layers. */
void roofline_spikes(const Network *net, const tacos_counters *learned, double spikes[LAYERS_MAX]);

/* The bytes that the steps of a sample access repeatedly. */
double roofline_working_set(const Network *net, const RooflineCount *count);

Roofline roofline_sample(const Network *net, const RooflineCount *count,
                         const tacos_bench_peaks *peaks);

#endif
