/* plasticity.c - what a sample leaves behind: settled weights, reference weights, metaplasticity.
 */
#include "net/network.h"

static void leave_trace(float *x, size_t n, float decay, const uint32_t *spikes, size_t n_spikes) {
    kernel_trace_fade(x, decay, n);
    for (size_t k = 0; k < n_spikes; k++)
        x[spikes[k]] += 1.0f;
}

/* SPEC step 3. Only metaplasticity reads the traces. */
void traces_step(const Network *net, Scratch *scratch) {
    if (params_model(&net->params)->metaplasticity != M_DYNAMIC)
        return;
    leave_trace(scratch->input_x, kernel_padded(net->params.n_inputs), net->trace_decay,
                scratch->input_spikes, scratch->n_input_spikes);
    for (size_t l = 0; l < net->n_layers; l++)
        leave_trace(scratch->layers[l].x, net->layers[l].stride, net->trace_decay,
                    scratch->layers[l].spikes, scratch->layers[l].n_spikes);
}

/* m grows where both ends were active enough. */
static void strengthen(const Layer *layer, LayerScratch *scratch, const float *x_pre) {
    for (size_t i = 0; i < layer->stride; i++)
        scratch->ready[i] = i < layer->n_post && scratch->x[i] > layer->x_post_min;
    for (size_t j = 0; j < layer->n_pre; j++)
        if (x_pre[j] > layer->x_pre_min)
            kernel_row_strengthen(layer->m_steps + j * layer->stride, scratch->ready,
                                  layer->m_ceiling, layer->stride);
}

void plasticity_end_sample(Network *net, Scratch *scratch) {
    const float *x_pre = scratch->input_x;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        synapses_settle(layer, &scratch->layers[l], scratch->step);
        if (layer->w_ref)
            for (size_t j = 0; j < layer->n_pre; j++)
                kernel_row_consolidate(layer_row(layer, j), net->cons_rate, layer->stride);
        if (layer->m_steps)
            strengthen(layer, &scratch->layers[l], x_pre);
        x_pre = scratch->layers[l].x;
    }
}
