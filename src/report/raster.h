/* raster.h - who spiked when: one panel a group of neurons, time from left to right. */
#ifndef REPORT_RASTER_H
#define REPORT_RASTER_H

#include "report/axes.h"

/* A spike of one neuron of a group. */
typedef struct Spike {
    uint32_t step, neuron;
} Spike;

typedef struct SpikeGroup {
    char label[48];
    size_t n_neurons;
    size_t n, room;
    Spike *spikes; /* [n] in the order of steps */
} SpikeGroup;

typedef struct SpikeRaster {
    Box box;
    size_t n_steps;
    double step_ms;
    size_t n_groups;
    const SpikeGroup *groups; /* [n_groups], drawn from the bottom up */
    const size_t *series;     /* [n_groups] of figure_key */
} SpikeRaster;

/* How high a raster of these groups should be, in em. */
double raster_height_ems(const SpikeGroup *groups, size_t n_groups);

void raster_draw(Figure *figure, const SpikeRaster *raster);

#endif
