/* scratch.c - the room that learning and predicting need beside the network. */
#include "net/network.h"

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
    size_t most = l == 0 && net->expansion.n_units > 0 ? net->expansion.n_winners : n_pre;
    s->awake = arena_take_rows(arena, most, n * parts, sizeof *s->awake);
    s->marks = arena_take(arena, n_pre, sizeof *s->marks);
    s->rows = arena_take(arena, n_pre, sizeof *s->rows);
    s->awake_rows = arena_take(arena, most, sizeof *s->awake_rows);
    s->visits = arena_take(arena, most, sizeof *s->visits);
    s->wakers = arena_take(arena, most, sizeof *s->wakers);
    s->owing = arena_take(arena, most, sizeof *s->owing);
    if (!layer->synapse.decays)
        return;
    s->slept = arena_take_rows(arena, RESTS_MAX, n, sizeof *s->slept);
    if (l == 0)
        s->known = arena_take_rows(arena, T, n, sizeof *s->known);
}

static size_t widest_layer(const Network *net) {
    size_t widest = 0;
    for (size_t l = 0; l < net->n_layers; l++)
        widest = net->layers[l].stride > widest ? net->layers[l].stride : widest;
    return widest;
}

/* What is beyond the paper asks for this. */
static void carve_tending(Scratch *scratch, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    bool growth = params_grow(p) && p->m_growth_error != 0;
    bool errors = growth || params_release_errors(p);
    size_t widest = widest_layer(net);
    if (errors)
        scratch->n_errors = arena_take(arena, 2 * p->n_outputs, sizeof *scratch->n_errors);
    for (size_t l = 0; l < net->n_layers && errors; l++) {
        LayerScratch *s = &scratch->layers[l];
        s->heard = arena_take(arena, net->layers[l].stride, sizeof *s->heard);
        if (growth)
            s->grows = arena_take(arena, net->layers[l].stride, sizeof *s->grows);
    }
    if (net->tended) {
        scratch->shares = arena_take(arena, widest, sizeof *scratch->shares);
        scratch->sums = arena_take(arena, widest, sizeof *scratch->sums);
        scratch->worth = arena_take(arena, widest, sizeof *scratch->worth);
    }
    if (params_rehearse(p))
        scratch->shown = arena_take(arena, p->n_inputs, sizeof *scratch->shown);
}

void scratch_carve(Scratch *scratch, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    for (size_t l = 0; l < net->n_layers; l++)
        carve_layer(&scratch->layers[l], net, l, arena);
    scratch->input_x = arena_take(arena, params_first(p), sizeof *scratch->input_x);
    scratch->trace = arena_take(arena, p->n_steps, sizeof *scratch->trace);
    scratch->v_fp = arena_take(arena, p->n_outputs, sizeof *scratch->v_fp);
    scratch->v_fn = arena_take(arena, p->n_outputs, sizeof *scratch->v_fn);
    scratch->s_fp = arena_take(arena, p->n_outputs, sizeof *scratch->s_fp);
    scratch->s_fn = arena_take(arena, p->n_outputs, sizeof *scratch->s_fn);
    carve_tending(scratch, net, arena);
}

/* SPEC step 3, X += S - X dt / tau_trace, seen from the end of the sample. */
static void fill_trace(float *trace, const Params *p) {
    double left = 1;
    for (size_t t = p->n_steps; t > 0; t--) {
        trace[t - 1] = (float)left;
        left *= 1 - p->dt_ms / p->tau_trace_ms;
    }
}

static void fill_column(uint32_t *column, size_t n) {
    for (size_t i = 0; i < n; i++)
        column[i] = (uint32_t)i;
}

void scratch_start(Scratch *scratch, const Network *net) {
    fill_trace(scratch->trace, &net->params);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        memset(s->marks, 0, layer->n_pre * sizeof *s->marks);
        memset(s->drive, 0, layer->stride * sizeof *s->drive);     /* line 0 */
        memset(s->count, 0, 2 * layer->stride * sizeof *s->count); /* and 1 */
        s->n_rests = 0;
        fill_column(s->column, layer->stride);
        for (size_t j = 0; j < layer->n_pre && layer->w_ref; j++) {
            Row row = layer_row(layer, j);
            s->marks[j].moved = memcmp(row.w, row.w_ref, layer->stride * sizeof *row.w) != 0;
        }
    }
}

void predictor_start(Predictor *predictor, const Network *net) {
    fill_column(predictor->column, widest_layer(net));
}

void predictor_carve(Predictor *predictor, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    size_t widest = widest_layer(net);
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
