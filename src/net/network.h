/* network.h - the model of the paper as data: what lasts (Network) and what one sample needs
 * (Scratch).
 *
 * A Network is what learning changes and what a checkpoint holds; predicting only reads it. A
 * Scratch holds membranes, traces and buffers; it is empty between samples. Both live in memory
 * given once. Layers are synapses together with the neurons they feed, inputs' side first.
 *
 * Synapses are caught up lazily: a row is touched when its presynaptic neuron spikes and at the end
 * of the sample; what the steps in between owe it is read from two short histories of the
 * postsynaptic layer (drive, count). docs/engine.md tells how near that is to the stepwise rule. */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include "base/arena.h"
#include "base/raster.h"
#include "base/rng.h"
#include "kernel/kernel.h"
#include "net/params.h"

enum { LAYERS_MAX = KEY_LIST_MAX };

/* ---- What lasts ---- */

typedef struct Layer {
    size_t n_pre, n_post, stride; /* stride = padded n_post */
    float *w;                     /* [n_pre][stride] */
    float *w_ref;                 /* [n_pre][stride], NULL without consolidation */
    uint16_t *m_steps;            /* [n_pre][stride], NULL unless m is dynamic */
    float *feedback;              /* B: [n_outputs][stride], NULL in the output layer */

    /* Derived from the parameters. */
    SynapseRule synapse;
    NeuronRule neuron;
    uint16_t m_ceiling;          /* steps at which m reaches m_max */
    float x_pre_min, x_post_min; /* traces above which m grows */
} Layer;

static inline Row layer_row(const Layer *layer, size_t pre) {
    size_t at = pre * layer->stride;
    return (Row){
        .w = layer->w + at,
        .w_ref = layer->w_ref ? layer->w_ref + at : NULL,
        .m_steps = layer->m_steps ? layer->m_steps + at : NULL,
    };
}

typedef struct Network {
    Params params;
    uint32_t seed;
    uint64_t n_learned; /* samples learned; numbers the random draws of the next one */
    size_t n_layers;
    Layer layers[LAYERS_MAX];
    size_t n_bytes; /* of the arrays above */

    /* Derived from the parameters. */
    float error_step, error_th, error_min; /* dt R_e / tau_e, V_th, floor */
    float trace_decay;                     /* dt / tau_trace */
    float cons_rate;                       /* T dt / tau_cons */
    uint64_t label_odds;                   /* a label spikes if a 32-bit draw is below this */
} Network;

/* ---- What one sample needs ---- */

/* How far a row has been caught up. */
typedef struct RowMark {
    uint16_t from; /* first step not yet applied */
    uint16_t owes; /* 1 if the presynaptic neuron spiked at step `from` */
} RowMark;

typedef struct LayerScratch {
    Neurons neurons;  /* [stride] each */
    float *input;     /* [stride]: sum_j w_ij S_j */
    float *error;     /* [stride]: E */
    float *x;         /* [stride]: trace X */
    uint16_t *ready;  /* [stride]: X above its threshold */
    float *drive;     /* [T][stride] */
    uint16_t *count;  /* [T + 1][stride]: spikes before each step */
    RowMark *marks;   /* [n_pre] */
    uint32_t *spikes; /* [n_post]: who spiked this step, ascending */
    size_t n_spikes;
} LayerScratch;

typedef struct Scratch {
    size_t step; /* the next step to run */
    LayerScratch layers[LAYERS_MAX];
    uint32_t *input_spikes; /* [n_inputs] of this step */
    size_t n_input_spikes;
    float *input_x;        /* [padded n_inputs]: trace X of the inputs */
    float *v_fp, *v_fn;    /* [n_outputs]: error neurons */
    int8_t *s_fp, *s_fn;   /* [n_outputs]: their spikes of this step */
    uint32_t *counts;      /* [n_outputs]: output spikes of this sample */
    tacos_counters *tally; /* where this sample's work is counted */
    Raster raster;         /* room for one sample's input */
} Scratch;

/* ---- network.c: lay out, derive, draw ---- */

/* Set up everything but the arrays. params must have passed params_check. */
void network_shape(Network *net, const Params *params, uint32_t seed);

/* Carve the arrays (twice, see arena.h), then fill them with the initial state. */
void network_carve(Network *net, Arena *arena);
void network_draw(Network *net);
void scratch_carve(Scratch *scratch, const Network *net, Arena *arena);

/* Bytes that network_carve takes for another model of the same shape. */
size_t network_bytes(const Params *params, int model);

/* ---- the steps of a sample ---- */

/* synapse.c */
void synapses_begin(const Layer *layer, LayerScratch *scratch);
/* input += the rows of the spikes; with learning, the rows are caught up first and marked. */
void synapses_deliver(const Layer *layer, LayerScratch *scratch, const uint32_t *spikes, size_t n,
                      size_t step, bool learning);
/* Every row has seen every step before `step`. */
void synapses_settle(const Layer *layer, LayerScratch *scratch, size_t step);

/* lif.c */
void neurons_begin(const Layer *layer, LayerScratch *scratch);
void neurons_fire(const Layer *layer, LayerScratch *scratch, size_t step);

/* errors.c */
void errors_begin(const Network *net, Scratch *scratch);
void errors_step(const Network *net, Scratch *scratch, size_t target);

/* plasticity.c */
void traces_step(const Network *net, Scratch *scratch);
void plasticity_end_sample(Network *net, Scratch *scratch);

/* sample.c: a whole sample; the input is in scratch->raster. */
void sample_begin(const Network *net, Scratch *scratch, tacos_counters *tally);
void sample_step(const Network *net, Scratch *scratch, size_t target, bool learning);
void sample_end(Network *net, Scratch *scratch);
void sample_learn(Network *net, Scratch *scratch, size_t target, tacos_counters *tally);
/* Returns the predicted output, -1 if none fired; counts are in scratch->counts. */
int sample_predict(const Network *net, Scratch *scratch, tacos_counters *tally);

#endif
