/* memory.h - what a kernel works on: networks in global memory, and how a block of threads divides
 * its shared memory. Rows of synapses have n_post columns, without padding. */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include "cuda/phase.h"
#include "cuda/profile.h"
#include "kernel/rules.h"

#include <stdbool.h>

enum {
    GPU_LAYERS_MAX = 3, /* of synapses */
    GPU_HIDDEN_MAX = GPU_LAYERS_MAX - 1,
    GPU_STEPS_MAX = 250,  /* a line of a history fits in 8 bits */
    GPU_WIDTH_MAX = 1024, /* hidden neurons of a layer */
    GPU_INPUTS_MAX = 4096,
    GPU_OUTPUTS_MAX = 16,
    GPU_RESTS_MAX = 32,
};

/* The samples of a network that a launch works on; see StreamSample. */
typedef struct GpuSample {
    uint32_t image;
    uint16_t target, task;
} GpuSample;

/* What samples took; see tacos_counters. Per sample it is small, in total not. */
typedef struct GpuTally {
    uint64_t input_spikes, hidden_spikes, output_spikes, error_spikes;
    uint64_t synaptic_events, error_updates, decay_updates;
} GpuTally;

DEVICE void tally_clear(GpuTally *tally) {
    tally->input_spikes = tally->hidden_spikes = tally->output_spikes = tally->error_spikes = 0;
    tally->synaptic_events = tally->error_updates = tally->decay_updates = 0;
}

/* A layer of a network. */
typedef struct GpuLayer {
    SynapseRule synapse;
    NeuronRule neuron;
    uint32_t n_pre, n_post;
    uint32_t chunks, chunks_inverse; /* warps to a row; see chunk_row */
    uint32_t merged_steps;
    float x_pre_min, x_post_min;
    uint64_t m_every;

    /* Kept between samples: [n_pre][n_post]. */
    float *w, *w_ref;              /* w_ref: NULL without decays */
    uint16_t *m_steps;             /* NULL without plasticity; 1 everywhere if m is fixed */
    float *feedback, *feedback_fn; /* [n_outputs][n_post]: of false positives, and negatives */

    /* Of the first layer: where rows stand between samples; see scratch.h. */
    uint8_t *moved, *rested; /* [n_pre]; `moved` of other layers too */
    float *slept;            /* [GPU_RESTS_MAX][n_post] */

    /* Of a sample. */
    float *drive, *count; /* [T + 2][n_post], histories: line t + 1 is step t */
    float *known;         /* [T][n_post] of the first layer: sums of w_ref */
    float *far_v, *far_f; /* [n_pre][n_post]: rows awake that do not fit into shared memory */
    uint16_t *far_code;
    float *far_M; /* of the outputs, instead of far_code */
} GpuLayer;

/* The row of a chunk, of all chunks of several rows: item / chunks, without a division. */
DEVICE uint32_t chunk_row(const GpuLayer *layer, uint32_t item) {
    return layer->chunks_inverse ? HIGH_PRODUCT(item, layer->chunks_inverse) : item;
}

typedef struct GpuNetwork {
    uint32_t n_layers, n_inputs, n_outputs, n_steps;
    GpuLayer layers[GPU_LAYERS_MAX];
    uint32_t seed, n_rests;
    uint64_t n_learned;
    bool target_fp_clears, target_fp_silent;
    float error_step, error_th, error_min;
    uint64_t label_odds;
    const uint64_t *odds;  /* [256]: that a pixel of this value spikes at a step */
    const float *trace;    /* [T]: what is left of a spike at the end */
    const uint32_t *order; /* [tasks but the first][n_inputs], or NULL */
    uint16_t *events;      /* [T * n_inputs]: slots of the inputs that spike, step by step */
    GpuTally tally;
#ifdef GPU_PROFILE
    uint64_t cycles[PROFILE_PARTS]; /* see profile.h */
    int64_t mark;
#endif
} GpuNetwork;

/* One network's part of a launch. */
typedef struct GpuTask {
    GpuNetwork *net;
    const uint8_t *pixels; /* [images][n_inputs] */
    const GpuSample *samples;
    uint32_t n;
    uint16_t *counts; /* [n][n_outputs], in predicting */
} GpuTask;

/* ---- shared memory while learning ----
 *
 * Offsets in bytes from its start; the same for all networks of a launch. */

/* A hidden layer: its neurons, and the spikes that they send on. */
typedef struct HiddenRoom {
    uint32_t i, v, u, x;   /* float [width] */
    uint32_t hold;         /* i32 [width] */
    uint32_t n_spikes;     /* u32 [width]: in this sample */
    uint32_t n_moved;      /* u32 [width]: error updates of its synapses */
    uint32_t bits;         /* u32 [width / 32]: who spikes at this step */
    uint32_t last;         /* u8 [width]: line of its last spike */
    uint32_t list;         /* u32 [width]: entries for the next hidden layer */
    uint32_t drive, count; /* float [ring][width]: the latest lines of the histories */
} HiddenRoom;

typedef struct LearnRoom {
    uint32_t n_layers, n_inputs, n_outputs, n_steps;
    uint32_t width[GPU_HIDDEN_MAX]; /* hidden neurons */
    uint32_t input_words;           /* of 32 inputs */
    uint32_t ring;                  /* lines, a power of 2 */
    uint32_t near[GPU_HIDDEN_MAX];  /* rows of a layer in shared memory, the others are far */
    uint32_t stage_rows;

    uint32_t net, variables; /* GpuNetwork, Variables */
    uint32_t at;             /* u32 [2 T + 1]: see Input */
    uint32_t row_of;         /* u16 [n_inputs]: the input of a slot */
    uint32_t last, ready;    /* u8 [n_inputs] of a slot: line of the last spike; X is enough */
    uint32_t list;           /* Entry [n_inputs]: the rows that spike at this step */
    uint32_t labels;         /* u8 [T]: does the label spike? */
    uint32_t out_drive, out_count; /* float [T + 2][n_outputs]: histories */
    uint32_t out_ref, out_staged;  /* float [width][n_outputs]: rows that spike */
    HiddenRoom hidden[GPU_HIDDEN_MAX];
    uint32_t stage; /* float [stage_rows][width]: v of the rows that spike */
    uint32_t rows_v[GPU_HIDDEN_MAX], rows_f[GPU_HIDDEN_MAX]; /* float [near][width] */
    uint32_t rows_code[GPU_HIDDEN_MAX];                      /* u16 [near][width] */

    /* In the place of the rows, until they wake: */
    uint32_t words;              /* u32 [input_words] */
    uint32_t active, slot, n_of; /* u16 [n_inputs]: inputs that may spike; their slots; spikes */
    uint32_t mask;               /* u32 [T][input_words] */
    uint32_t events, n_events;   /* u16: active inputs that spike, if there is room for all */
    uint32_t refs, n_refs;       /* float [n_refs][width]: w_ref of the first active inputs */
    uint32_t total;
} LearnRoom;

/* What threads of a block share besides arrays. */
typedef struct Variables {
    uint32_t n_active, n_awake;
    uint32_t n_spikes; /* of the last hidden layer at this step */
    uint32_t n_hidden[GPU_HIDDEN_MAX], n_hidden_moved[GPU_HIDDEN_MAX]; /* of all its neurons */
    /* The outputs. */
    float i[GPU_OUTPUTS_MAX], v[GPU_OUTPUTS_MAX], u[GPU_OUTPUTS_MAX], x[GPU_OUTPUTS_MAX];
    float v_fp[GPU_OUTPUTS_MAX], v_fn[GPU_OUTPUTS_MAX];
    int32_t hold[GPU_OUTPUTS_MAX];
    int8_t s_fp[GPU_OUTPUTS_MAX], s_fn[GPU_OUTPUTS_MAX];
    uint32_t n_out_spikes[GPU_OUTPUTS_MAX], n_errors[GPU_OUTPUTS_MAX], n_moved[GPU_OUTPUTS_MAX];
} Variables;

/* A row that spikes at a step: its slot, and above the line of its last spike. */
typedef uint32_t Entry;

/* m of a synapse awake, in 16 bits: its metaplastic steps, and the sign of w that M has. */
enum { CODE_STEPS = 0x7fff, CODE_SIGN = 0x8000 };

/* ---- shared memory while predicting ---- */

typedef struct ScoreRoom {
    uint32_t n_layers, n_inputs, n_outputs, n_steps;
    uint32_t input_words, bit_words; /* of 32 inputs; of 32 neurons of the widest layer */
    uint32_t near;                   /* rows of the first layer */

    uint32_t net, variables;    /* GpuNetwork, ScoreVariables */
    uint32_t at, words, active; /* as in LearnRoom */
    uint32_t mask;              /* u32 [T][input_words] */
    uint32_t bits[2];           /* u32 [T][bit_words]: who spikes, layer by layer in turn */
    uint32_t out_input;         /* float [T][n_outputs] */
    uint32_t events, n_events;  /* u16: as many as there is room for */
    uint32_t rows;              /* float [near][width of the first layer] */
    uint32_t total;
} ScoreRoom;

typedef struct ScoreVariables {
    uint32_t n_active;
    uint32_t spikes[GPU_LAYERS_MAX]; /* of each layer in this sample */
} ScoreVariables;

#endif
