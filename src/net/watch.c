/* watch.c - who looks on hears of every spike. */
#include "net/network.h"

static void tell(const Watch *watch, size_t group, size_t step, const uint32_t *neurons, size_t n) {
    if (n > 0)
        watch->watcher(watch->user, &(tacos_spikes){group, step, neurons, n});
}

/* Step `step` of a list, told as that of the sample. */
static void tell_events(const Watch *watch, size_t group, size_t told, const Events *events,
                        size_t step) {
    size_t from = events->at[step], to = events->at[step + 1];
    tell(watch, group, told, events->row + from, to - from);
}

void watch_group(const Watch *watch, size_t group, size_t first, const Events *events) {
    for (size_t step = 0; watch->watcher && step < events->n_steps; step++)
        tell_events(watch, group, first + step, events, step);
}

/* Error neurons are few: one call a spike. */
static void tell_errors(const Watch *watch, size_t group, size_t step, const int8_t *spiked,
                        size_t n) {
    for (uint32_t o = 0; o < n; o++)
        if (spiked[o])
            tell(watch, group, step, &o, 1);
}

void watch_step(const Network *net, const Scratch *scratch) {
    const Watch *watch = &scratch->watch;
    size_t step = scratch->step, n = net->n_layers, n_outputs = net->params.n_outputs;
    size_t first = network_first_step(net);
    if (!watch->watcher)
        return;
    if (first == 0)
        tell_events(watch, 0, step, &scratch->raster.events, step);
    else if (step == 0)
        watch_group(watch, 0, 0, &scratch->raster.events);
    for (size_t l = 0; l < n; l++)
        tell(watch, l + 1, first + step, scratch->layers[l].spikes, scratch->layers[l].n_spikes);
    tell_errors(watch, n + 1, first + step, scratch->s_fp, n_outputs);
    tell_errors(watch, n + 2, first + step, scratch->s_fn, n_outputs);
}
