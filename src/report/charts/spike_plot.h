/* spike_plot.h - who spiked when: one panel a group of neurons, time from left to right. */
#ifndef REPORT_SPIKE_PLOT_H
#define REPORT_SPIKE_PLOT_H

#include "report/charts/axes.h"

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

typedef struct SpikePlot {
    Box box;
    size_t n_steps;
    double step_ms;
    size_t n_groups;
    const SpikeGroup *groups; /* [n_groups], drawn from the bottom up */
    const size_t *series;     /* [n_groups] of figure_key */
} SpikePlot;

/* How high a plot of these groups should be, in em. */
double spike_plot_height_ems(const SpikeGroup *groups, size_t n_groups);

void spike_plot_draw(Figure *figure, const SpikePlot *plot);

#endif
