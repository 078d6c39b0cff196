/* network.h - the model of the paper as data: the state that lasts.
 *
 * A Network is what learning changes and a checkpoint holds; predicting only reads it. A layer is a
 * set of synapses with the neurons they feed; layers are ordered from the input side. All memory is
 * allocated once. Learning also needs a Scratch (scratch.h), predicting a Predictor (predict.h).
 *
 * "Step 5" in a comment of this folder is step 5 of the list in docs/engine.md. */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include "base/rng.h"
#include "base/spikes.h"
#include "kernel/kernel.h"
#include "net/params.h"

typedef struct Layer {
    size_t n_pre, n_post, stride; /* stride = padded n_post */
    float *w;                     /* [n_pre][stride] */
    float *w_ref;                 /* [n_pre][stride], NULL without consolidation */
    uint16_t *m_steps;            /* [n_pre][stride], NULL unless m is dynamic */
    float *feedback;              /* B: [params_feedback_rows][stride], NULL in the output layer */

    /* Derived from the parameters. */
    SynapseRule synapse;
    NeuronRule neuron;
    size_t merged_steps;         /* the most steps of decay that are merged with an error */
    float x_pre_min, x_post_min; /* traces above which m grows ... */
    uint64_t m_every; /* ... in one of this many samples; synapse.delta_m is as many times larger */
} Layer;

static inline Row layer_row(Layer *layer, size_t pre) {
    size_t at = pre * layer->stride;
    return (Row){
        .w = layer->w + at,
        .w_ref = layer->w_ref ? layer->w_ref + at : NULL,
        .m_steps = layer->m_steps ? layer->m_steps + at : NULL,
    };
}

struct Network {
    Params params;
    const Kernel *kernel;
    uint32_t seed;
    uint64_t n_learned; /* samples learned; numbers the random draws of the next one */
    size_t n_layers;
    Layer layers[LAYERS_MAX];
    FutureState future;
    size_t n_bytes; /* of the arrays above */

    /* Derived from the parameters. */
    float error_step, error_th, error_min; /* dt R_e / tau_e, V_th, floor */
    uint64_t label_odds;                   /* a label spikes if a 32-bit draw is below this */
};

/* Set up everything but the arrays. params must have passed params_check. */
void network_shape(Network *net, const Params *params, uint32_t seed, const Kernel *kernel);

/* Carve the arrays (twice, see arena.h), then fill them with the initial state. */
void network_carve(Network *net, Arena *arena);
void network_draw(Network *net);

/* Bytes that network_carve takes for another model of the same shape. */
size_t network_bytes(const Params *params, int model);

size_t network_widest(const Network *net); /* the largest stride */

/* ---- a watcher of the spikes of a sample ---- */

typedef struct Watch {
    tacos_watcher *watcher; /* NULL: nobody */
    void *user;
} Watch;

static inline void watch_spikes(const Watch *watch, size_t group, size_t step,
                                const uint32_t *neurons, size_t n) {
    if (watch->watcher && n > 0)
        watch->watcher(watch->user, &(tacos_spikes){group, step, neurons, n});
}

/* All steps of a group. */
static inline void watch_group(const Watch *watch, size_t group, const Events *events) {
    for (size_t t = 0; watch->watcher && t < events->n_steps; t++)
        watch_spikes(watch, group, t, events->row + events->at[t],
                     events->at[t + 1] - events->at[t]);
}

#endif
