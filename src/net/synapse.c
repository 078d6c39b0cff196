/* synapse.c - rows of synapses: deliver spikes, and catch up with what learning owes. */
#include "net/network.h"

void synapses_begin(const Layer *layer, LayerScratch *scratch) {
    memset(scratch->marks, 0, layer->n_pre * sizeof *scratch->marks);
    memset(scratch->count, 0, layer->stride * sizeof *scratch->count);
}

/* Bring one row up to the start of `step`. */
static void catch_up(const Layer *layer, LayerScratch *scratch, size_t pre, size_t step) {
    RowMark *mark = &scratch->marks[pre];
    size_t n = layer->stride, from = mark->from, owes = mark->owes;
    if (from == step)
        return;
    RowPast past = {
        .drive = owes ? scratch->drive + from * n : NULL,
        .count_before = scratch->count + from * n,
        .count_after = scratch->count + (from + owes) * n,
        .count_now = scratch->count + step * n,
    };
    kernel_row_catch_up(layer_row(layer, pre), &past, &layer->synapse, n);
    *mark = (RowMark){.from = (uint16_t)step, .owes = 0};
}

void synapses_deliver(const Layer *layer, LayerScratch *scratch, const uint32_t *spikes, size_t n,
                      size_t step, bool learning) {
    memset(scratch->input, 0, layer->stride * sizeof *scratch->input);
    for (size_t k = 0; k < n; k++) {
        if (learning) {
            catch_up(layer, scratch, spikes[k], step);
            scratch->marks[spikes[k]].owes = 1;
        }
        kernel_row_add(scratch->input, layer->w + spikes[k] * layer->stride, layer->stride);
    }
}

void synapses_settle(const Layer *layer, LayerScratch *scratch, size_t step) {
    for (size_t j = 0; j < layer->n_pre; j++)
        catch_up(layer, scratch, j, step);
}
