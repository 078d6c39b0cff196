/* synapse.c - rows of synapses: wake, catch up on the updates they are owed (step 8), read,
 * sleep. */
#include "net/synapse.h"

#include <string.h>

/* ---- plan: one thread ---- */

void synapses_wake(const Layer *layer, LayerScratch *scratch, uint32_t pre) {
    size_t room = layer->stride * kernel_parts(&layer->synapse);
    scratch->marks[pre].awake = true;
    scratch->rows[pre] = (AwakeRow){
        .awake = scratch->awake + scratch->n_awake * room,
        .w_ref = layer->w_ref ? layer->w_ref + pre * layer->stride : NULL,
        .drive = scratch->drive,
        .before = scratch->count,
    };
    scratch->awake_rows[scratch->n_awake++] = pre;
    scratch->wakers[scratch->n_wakers++] = pre;
}

void synapses_plan(const Network *net, size_t l, Scratch *scratch, const uint32_t *list, size_t n,
                   bool spiked) {
    const Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    size_t line = (scratch->step + 1) * layer->stride;
    const float *nothing = s->drive; /* line 0 */
    const float *drive = spiked ? s->drive + line : nothing, *now = s->count + line;
    const float *oldest = s->count;
    if (layer->synapse.decays && scratch->step + 1 > layer->merged_steps)
        oldest = now - layer->merged_steps * layer->stride;
    s->n_visits = n;
    s->n_wakers = s->n_late = 0;
    for (size_t k = 0; k < n; k++) {
        AwakeRow *row = &s->rows[list[k]], *visit = &s->visits[k];
        if (!s->marks[list[k]].awake)
            synapses_wake(layer, s, list[k]);
        *visit = *row;
        if (row->before < oldest) {
            s->owing[s->n_late++] = *row;
            visit->drive = nothing; /* by then */
            visit->before = now;
        }
        row->drive = drive;
        row->before = now;
    }
}

/* ---- work: every thread on its columns ---- */

/* What a row owes for the samples through which it slept. */
static void rest(const Network *net, Layer *layer, const LayerScratch *scratch, size_t pre,
                 Span span) {
    const RowMark *mark = &scratch->marks[pre];
    if (mark->moved && mark->rested < scratch->n_rests) {
        Row row = layer_row(layer, pre);
        net->kernel->row_rest(&row, scratch->slept + mark->rested * layer->stride, layer->stride,
                              scratch->n_rests - mark->rested, &layer->synapse, span);
    }
}

/* The error with the first of its decays, then all other decays at once. */
static void catch_up_late(const Network *net, const Layer *layer, const LayerScratch *scratch,
                          AwakeRow row, const float *now, Span span) {
    if (row.drive != scratch->drive) {
        const float *merged = row.before + layer->merged_steps * layer->stride;
        net->kernel->rows_visit(&row, 1, merged, &layer->synapse, scratch->waste, span);
        row.before = merged;
    }
    net->kernel->row_decay(&row, now, &layer->synapse, span);
}

void synapses_ready(Network *net, size_t l, Scratch *scratch, Span span) {
    Layer *layer = &net->layers[l];
    const LayerScratch *s = &scratch->layers[l];
    const float *now = s->count + (scratch->step + 1) * layer->stride;
    for (size_t k = 0; k < s->n_wakers; k++) {
        uint32_t pre = s->wakers[k];
        Row row = layer_row(layer, pre);
        rest(net, layer, s, pre, span);
        net->kernel->row_wake(&row, s->rows[pre].awake, &layer->synapse, span);
    }
    for (size_t k = 0; k < s->n_late; k++)
        catch_up_late(net, layer, s, s->owing[k], now, span);
}

void synapses_visit(const Network *net, size_t l, Scratch *scratch, float *sum, Span span) {
    const Layer *layer = &net->layers[l];
    const LayerScratch *s = &scratch->layers[l];
    net->kernel->rows_visit(s->visits, s->n_visits, s->count + (scratch->step + 1) * layer->stride,
                            &layer->synapse, sum, span);
}

/* m grows where both ends were active enough. */
void synapses_sleep(Network *net, size_t l, Scratch *scratch, const float *x_pre, Span span) {
    Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    synapses_ready(net, l, scratch, span);
    synapses_visit(net, l, scratch, s->waste, span);
    for (size_t i = span.from; i < span.to; i++)
        s->ready[i] = i < layer->n_post && s->x[i] > layer->x_post_min;
    const uint16_t *may_grow = scratch->future.grows[l];
    for (size_t i = span.from; i < span.to && may_grow; i++)
        s->ready[i] &= may_grow[i];
    bool grows = layer->m_steps && net->n_learned % layer->m_every == 0;
    for (size_t k = 0; k < s->n_awake; k++) {
        uint32_t pre = s->awake_rows[k];
        const uint16_t *ready = grows && x_pre[pre] > layer->x_pre_min ? s->ready : NULL;
        Row row = layer_row(layer, pre);
        net->kernel->row_sleep(&row, s->rows[pre].awake, ready, &layer->synapse, span);
    }
}

void synapses_settle(Network *net, size_t l, Scratch *scratch, Span span) {
    Layer *layer = &net->layers[l];
    for (size_t j = 0; j < layer->n_pre; j++)
        rest(net, layer, &scratch->layers[l], j, span);
}

/* ---- the end: one thread ---- */

/* The sample joins those that sleeping rows have yet to go through. */
void synapses_end(Network *net, size_t l, Scratch *scratch) {
    Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    if (layer->synapse.decays)
        memcpy(s->slept + s->n_rests++ * layer->stride,
               s->count + (scratch->step + 1) * layer->stride, layer->stride * sizeof *s->slept);
    for (size_t k = 0; k < s->n_awake; k++) {
        uint32_t pre = s->awake_rows[k];
        s->marks[pre] = (RowMark){.rested = (uint8_t)s->n_rests, .moved = true};
    }
}
