/* predict.c - predicts a sample: layer by layer through all steps, since nothing flows back. */
#include "net/predict.h"

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
    if (p->output_inhibition > 0) {
        size_t n = net->layers[net->n_layers - 1].stride;
        predictor->outputs.i = arena_take(arena, n, sizeof *predictor->outputs.i);
        predictor->outputs.v = arena_take(arena, n, sizeof *predictor->outputs.v);
        predictor->outputs.hold = arena_take(arena, n, sizeof *predictor->outputs.hold);
        predictor->no_count = arena_take(arena, n, sizeof *predictor->no_count);
        predictor->input = arena_take_rows(arena, p->n_steps, n, sizeof *predictor->input);
    }
}

void predictor_start(Predictor *predictor, const Network *net) {
    size_t n = network_widest(net);
    for (size_t i = 0; i < n; i++)
        predictor->column[i] = (uint32_t)i;
}

static Predictor *carve_whole(Arena *arena, const Network *net, Predictor *predictor) {
    Predictor *place = arena_take(arena, 1, sizeof *place);
    predictor_carve(predictor, net, arena);
    raster_carve(&predictor->raster, params_input_steps(&net->params), net->params.n_inputs, arena);
    burst_carve(&predictor->burst, &net->expansion, net->params.n_steps, arena);
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

/* The same as steps_fire, with inhibition between the sum and the neurons. */
static void fire_inhibited(const Network *net, const Layer *layer, const Events *heard,
                           Predictor *predictor) {
    size_t n = layer->stride, words = n / KERNEL_LANES;
    Span all = {0, n};
    memset(predictor->outputs.i, 0, n * sizeof *predictor->outputs.i);
    memset(predictor->outputs.v, 0, n * sizeof *predictor->outputs.v);
    memset(predictor->outputs.hold, 0, n * sizeof *predictor->outputs.hold);
    memset(predictor->no_count, 0, n * sizeof *predictor->no_count);
    net->kernel->steps_sum(layer->w, n, heard, predictor->input, all);
    for (size_t t = 0; t < heard->n_steps; t++) {
        float *input = predictor->input + t * n;
        network_inhibit(net, input);
        net->kernel->neurons_fire(&predictor->outputs, input, &layer->neuron,
                                  predictor->spiked + t * words, predictor->no_count,
                                  predictor->no_count, all);
    }
}

int sample_predict(const Network *net, Predictor *predictor, tacos_counters *tally) {
    const Events *heard = network_hear(net, &predictor->raster, &predictor->burst, tally);
    size_t n_spikes = heard->at[heard->n_steps];
    tally->samples++;
    watch_group(&predictor->watch, 0, 0, &predictor->raster.events);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        Events *said = &predictor->events[l % 2];
        if (l + 1 == net->n_layers && net->params.output_inhibition > 0)
            fire_inhibited(net, layer, heard, predictor);
        else
            net->kernel->steps_fire(layer->w, layer->stride, heard, &layer->neuron,
                                    predictor->spiked, (Span){0, layer->stride});
        kernel_collect_steps(net->kernel, said, predictor->spiked, layer->stride / KERNEL_LANES,
                             predictor->column);
        tally->synaptic_events += n_spikes * layer->n_post;
        heard = said;
        watch_group(&predictor->watch, l + 1, network_first_step(net), heard);
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
