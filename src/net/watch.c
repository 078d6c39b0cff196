/* watch.c - who looks on hears of every spike. */
#include "net/network.h"

static void tell(const Watch *watch, size_t group, size_t step, const uint32_t *neurons, size_t n) {
    if (n > 0)
        watch->watcher(watch->user, &(tacos_spikes){group, step, neurons, n});
}

static void tell_events(const Watch *watch, size_t group, const Events *events, size_t step) {
    size_t from = events->at[step], to = events->at[step + 1];
    tell(watch, group, step, events->row + from, to - from);
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
    if (!watch->watcher)
        return;
    tell_events(watch, 0, &scratch->raster.events, step);
    for (size_t l = 0; l < n; l++)
        tell(watch, l + 1, step, scratch->layers[l].spikes, scratch->layers[l].n_spikes);
    tell_errors(watch, n + 1, step, scratch->s_fp, n_outputs);
    tell_errors(watch, n + 2, step, scratch->s_fn, n_outputs);
}

void watch_group(const Watch *watch, size_t group, const Events *events) {
    for (size_t step = 0; watch->watcher && step < events->n_steps; step++)
        tell_events(watch, group, events, step);
}
