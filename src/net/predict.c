/* predict.c - predicts a sample: layer by layer through all steps, since nothing flows back. */
#include "net/predict.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void predictor_carve(Predictor *predictor, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    size_t widest = network_widest(net);
    for (size_t k = 0; k < 2; k++) {
        Events *events = &predictor->events[k];
        events->n_steps = p->n_steps;
        events->at = arena_take(arena, p->n_steps + 1, sizeof *events->at);
        events->row = arena_take_rows(arena, p->n_steps, widest, sizeof *events->row);
        (void)arena_take(arena, KERNEL_LANES, sizeof *events->row);
    }
    predictor->column = arena_take(arena, widest, sizeof *predictor->column);
    predictor->spiked =
        arena_take_rows(arena, p->n_steps, widest / KERNEL_LANES, sizeof *predictor->spiked);
    predictor->counts = arena_take(arena, p->n_outputs, sizeof *predictor->counts);
}

void predictor_start(Predictor *predictor, const Network *net) {
    size_t n = network_widest(net);
    assert(predictor->column);
    for (size_t i = 0; i < n; i++)
        predictor->column[i] = (uint32_t)i;
}

static Predictor *carve_whole(Arena *arena, const Network *net, Predictor *predictor) {
    Predictor *place = arena_take(arena, 1, sizeof *place);
    predictor_carve(predictor, net, arena);
    raster_carve(&predictor->raster, net->params.n_steps, net->params.n_inputs, arena);
    return place;
}

tacos_status predictor_new(Predictor **out, const Network *net, tacos_error *err) {
    Arena arena = {0};
    Predictor predictor = {0};
    (void)carve_whole(&arena, net, &predictor);
    void *block = arena.overflow ? NULL : aligned_alloc(ARENA_ALIGN, arena.used);
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory to predict in another thread");
    arena = (Arena){.base = block};
    *out = carve_whole(&arena, net, &predictor);
    **out = predictor;
    predictor_start(*out, net);
    return TACOS_OK;
}

void predictor_free(Predictor *predictor) {
    free(predictor);
}

/* ---- a sample ---- */

static void count_spikes(uint32_t *counts, const Events *events) {
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        counts[events->row[k]]++;
}

int sample_predict(const Network *net, Predictor *predictor, tacos_counters *tally) {
    const Events *heard = &predictor->raster.events;
    size_t n_spikes = heard->at[heard->n_steps];
    tally->samples++;
    tally->input_spikes += n_spikes;
    watch_group(&predictor->watch, 0, heard);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        Events *said = &predictor->events[l % 2];
        net->kernel->steps_fire(layer->w, layer->stride, heard, &layer->neuron, predictor->spiked,
                                (Span){0, layer->stride});
        kernel_collect_steps(net->kernel, said, predictor->spiked, layer->stride / KERNEL_LANES,
                             predictor->column);
        tally->synaptic_events += n_spikes * layer->n_post;
        heard = said;
        watch_group(&predictor->watch, l + 1, heard);
        n_spikes = heard->at[heard->n_steps];
        if (l + 1 < net->n_layers)
            tally->hidden_spikes += n_spikes;
    }
    tally->output_spikes += n_spikes;
    memset(predictor->counts, 0, net->params.n_outputs * sizeof *predictor->counts);
    count_spikes(predictor->counts, heard);
    int best = -1;
    uint32_t most = 0;
    for (size_t o = 0; o < net->params.n_outputs; o++)
        if (predictor->counts[o] > most) {
            most = predictor->counts[o];
            best = (int)o;
        }
    return best;
}
