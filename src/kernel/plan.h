/* plan.h - a spiking network as a device gets it: in place of keys, the constants that a desktop
 * derives from them, so that the device needs no double precision. net/plan.c writes a plan,
 * small/spiking_block.c reads it where it lies in flash; docs/small.md describes every byte.
 *
 * A plan is a PlanHeader, the most of a random word with which an input of each value spikes [256],
 * a PlanLayer for each layer of synapses, what is left of a spike's trace at the end [n_steps],
 * alpha times 0, 1, ... spikes [n_sums], and the CRC-32 of all this: 32-bit numbers, little-endian.
 * After it comes the saved learner (docs/checkpoint.md). */
#ifndef KERNEL_PLAN_H
#define KERNEL_PLAN_H

#include <stdint.h>

/* "TACOSSNN" */
#define PLAN_MAGIC_0 0x4f434154u
#define PLAN_MAGIC_1 0x4e4e5353u

enum { PLAN_VERSION = 1, PLAN_LAYERS_MAX = 8, PLAN_STEPS_MAX = 10000, PLAN_NEURONS_MAX = 65534 };

typedef struct PlanHeader {
    uint32_t magic[2];
    uint32_t version;
    uint32_t n_bytes;    /* with the saved learner */
    uint32_t plan_bytes; /* with the checksum */
    uint32_t n_layers, n_inputs, n_outputs, n_steps, n_sums;
    uint32_t plastic, decays, grows; /* synapses may be less plastic, decay; their m grows */
    uint32_t feedback_rows;          /* n_outputs, or twice as many */
    uint32_t clears, silent;      /* what the target's own false-positive neuron does (target_fp) */
    uint32_t first;               /* inputs below this value never spike */
    uint32_t labels, label_limit; /* whether labels spike at all; the most of a word if so */
    float error_step, error_th, error_min;
} PlanHeader;

/* The fields of SynapseRule and NeuronRule (rules.h), and of a Layer (net/network.h). */
typedef struct PlanLayer {
    uint32_t n_pre, n_post;
    uint32_t merged_steps, m_every;
    float x_pre_min, x_post_min;
    float alpha, delta_m, m_max, m_all, cons_rate;
    uint32_t m_ceiling;
    float syn, mem, r, v_th, v_min;
    uint32_t hold;
    float u, r_u, eta, i_min, i_max;
} PlanLayer;

enum {
    PLAN_HEADER_WORDS = sizeof(PlanHeader) / 4,
    PLAN_VALUES = 256,
    PLAN_LAYER_WORDS = sizeof(PlanLayer) / 4
};

/* The bytes of a plan. */
static inline uint32_t plan_bytes(uint32_t n_layers, uint32_t n_steps, uint32_t n_sums) {
    return 4 *
           (PLAN_HEADER_WORDS + PLAN_VALUES + PLAN_LAYER_WORDS * n_layers + n_steps + n_sums + 1);
}

#endif
