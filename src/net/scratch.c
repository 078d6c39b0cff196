/* scratch.c - allocates the memory that learning needs besides the network. */
#include "net/scratch.h"

#include <string.h>

static void carve_layer(LayerScratch *s, const Network *net, size_t l, Arena *arena) {
    const Layer *layer = &net->layers[l];
    size_t n = layer->stride, n_pre = layer->n_pre, T = net->params.n_steps;
    size_t parts = kernel_parts(&layer->synapse);
    s->neurons.i = arena_take(arena, n, sizeof *s->neurons.i);
    s->neurons.v = arena_take(arena, n, sizeof *s->neurons.v);
    s->neurons.u = arena_take(arena, n, sizeof *s->neurons.u);
    s->neurons.hold = arena_take(arena, n, sizeof *s->neurons.hold);
    s->input = arena_take(arena, n, sizeof *s->input);
    s->waste = arena_take(arena, n, sizeof *s->waste);
    s->error = arena_take(arena, n, sizeof *s->error);
    s->x = arena_take(arena, n, sizeof *s->x);
    s->ready = arena_take(arena, n, sizeof *s->ready);
    s->spiked = arena_take(arena, n / KERNEL_LANES, sizeof *s->spiked);
    s->spikes = arena_take(arena, n + KERNEL_LANES, sizeof *s->spikes);
    s->column = arena_take(arena, n, sizeof *s->column);
    s->drive = arena_take_rows(arena, T + 1, n, sizeof *s->drive);
    s->count = arena_take_rows(arena, T + 2, n, sizeof *s->count);
    s->awake = arena_take_rows(arena, n_pre, n * parts, sizeof *s->awake);
    s->marks = arena_take(arena, n_pre, sizeof *s->marks);
    s->rows = arena_take(arena, n_pre, sizeof *s->rows);
    s->awake_rows = arena_take(arena, n_pre, sizeof *s->awake_rows);
    s->visits = arena_take(arena, n_pre, sizeof *s->visits);
    s->wakers = arena_take(arena, n_pre, sizeof *s->wakers);
    s->owing = arena_take(arena, n_pre, sizeof *s->owing);
    if (!layer->synapse.decays)
        return;
    s->slept = arena_take_rows(arena, RESTS_MAX, n, sizeof *s->slept);
    if (l == 0)
        s->known = arena_take_rows(arena, T, n, sizeof *s->known);
}

void scratch_carve(Scratch *scratch, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    for (size_t l = 0; l < net->n_layers; l++)
        carve_layer(&scratch->layers[l], net, l, arena);
    scratch->input_x = arena_take(arena, p->n_inputs, sizeof *scratch->input_x);
    scratch->trace = arena_take(arena, p->n_steps, sizeof *scratch->trace);
    scratch->v_fp = arena_take(arena, p->n_outputs, sizeof *scratch->v_fp);
    scratch->v_fn = arena_take(arena, p->n_outputs, sizeof *scratch->v_fn);
    scratch->s_fp = arena_take(arena, p->n_outputs, sizeof *scratch->s_fp);
    scratch->s_fn = arena_take(arena, p->n_outputs, sizeof *scratch->s_fn);
    future_carve_scratch(scratch, net, arena);
}

void trace_fill(float *trace, const Params *p) {
    double left = 1;
    for (size_t t = p->n_steps; t > 0; t--) {
        trace[t - 1] = (float)left;
        left *= 1 - p->dt_ms / p->tau_trace_ms;
    }
}

void scratch_start(Scratch *scratch, const Network *net) {
    trace_fill(scratch->trace, &net->params);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        memset(s->marks, 0, layer->n_pre * sizeof *s->marks);
        memset(s->drive, 0, layer->stride * sizeof *s->drive);     /* line 0 */
        memset(s->count, 0, 2 * layer->stride * sizeof *s->count); /* and 1 */
        s->n_rests = 0;
        for (size_t i = 0; i < layer->stride; i++)
            s->column[i] = (uint32_t)i;
        for (size_t j = 0; j < layer->n_pre && layer->w_ref; j++) {
            size_t at = j * layer->stride, n_bytes = layer->stride * sizeof *layer->w;
            s->marks[j].moved = memcmp(layer->w + at, layer->w_ref + at, n_bytes) != 0;
        }
    }
}
