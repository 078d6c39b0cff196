/* kernel.h - the inner loops: what is done to one row of synapses or one layer of neurons.
 *
 * ref.c is the meaning of each. All arrays are padded to a multiple of KERNEL_LANES, aligned to 64
 * bytes and zero in the padding; n is the padded length. Arithmetic is single precision, one
 * rounding an operation in the order written (no contraction, no reassociation, no libm), so the
 * same bits come out of any compiler and any vector width. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { KERNEL_LANES = 16 };

static inline size_t kernel_padded(size_t n) {
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

/* exp(-x) for x >= 0: exactly 1 at 0, relative error below 2.5e-7 up to x = 64, constant beyond
 * (1.6e-28: nothing on the scale of a weight, and far from the slow subnormals). */
float kernel_exp_neg(float x);

/* The constants of a layer's synapses. m of a synapse is min(m_steps * delta_m, m_max). */
typedef struct SynapseRule {
    float alpha;          /* heterosynaptic decay */
    float delta_m, m_max; /* metaplastic step and ceiling */
    float m_all;          /* m of every synapse where m_steps is NULL */
} SynapseRule;

/* One row: the synapses of one presynaptic neuron. */
typedef struct Row {
    float *w;
    float *w_ref;      /* NULL without consolidation */
    uint16_t *m_steps; /* NULL where m is the same for all */
} Row;

/* What happened to a row since it was last touched. Postsynaptic spikes are given as running
 * counts, so any span of steps is a difference of two lines of the same table. */
typedef struct RowPast {
    const float *drive;           /* eta U [gate] at the presynaptic spike still owed, or NULL */
    const uint16_t *count_before; /* counts before the step of that spike ... */
    const uint16_t *count_after;  /* ... and after it (the same line if nothing is owed) */
    const uint16_t *count_now;
} RowPast;

/* SPEC step 8 for every step of the past in order:
 * w -= exp(-|m w|) (drive + alpha (w - w_ref) S_post).
 * A run of k decays without an error in between is taken at once by a series of third order while
 * k alpha exp(-|m w|) (1 + m |w - w_ref|) is at most KERNEL_DECAY_AT_ONCE, one by one otherwise.
 * The series is within 2e-5 |w - w_ref| of the stepwise rule; docs/engine.md derives it. */
#define KERNEL_DECAY_AT_ONCE 0.1f
void kernel_row_catch_up(Row row, const RowPast *past, const SynapseRule *rule, size_t n);

/* current += w */
void kernel_row_add(float *restrict current, const float *restrict w, size_t n);

/* w_ref += rate (w - w_ref) */
void kernel_row_consolidate(Row row, float rate, size_t n);

/* m_steps = min(m_steps + ready, ceiling); ready is 0 or 1 a postsynaptic neuron. */
void kernel_row_strengthen(uint16_t *restrict m_steps, const uint16_t *restrict ready,
                           uint16_t ceiling, size_t n);

/* The constants of a layer's neurons. */
typedef struct NeuronRule {
    float syn;  /* dt / tau_syn */
    float mem;  /* dt / tau_m */
    float r;    /* R */
    float v_th; /* V_th */
    float v_min;
    int32_t hold; /* steps of refractoriness */
    float u, r_u; /* dt / tau_u, R_u */
    float eta;    /* learning rate */
    float i_min, i_max;
} NeuronRule;

/* The membranes of a layer; [n] each. */
typedef struct Neurons {
    float *i, *v, *u; /* I, V, U */
    int32_t *hold;    /* steps of refractoriness left */
    uint8_t *spiked;  /* S of this step, 0 or 1 */
} Neurons;

/* SPEC step 2 for one layer, given sum_j w_ij S_j. */
void kernel_neurons_fire(Neurons *neurons, const float *restrict input, const NeuronRule *rule,
                         size_t n);

/* SPEC step 7: U += dt/tau_u (R_u E - U); and what step 8 needs of it: drive = eta U where the gate
 * is open, else 0. Returns how many drives are not 0. */
size_t kernel_neurons_feel(Neurons *neurons, const float *restrict error, float *restrict drive,
                           const NeuronRule *rule, size_t n);

/* SPEC step 3 without the spikes: X -= X decay, decay = dt / tau_trace. */
void kernel_trace_fade(float *x, float decay, size_t n);

/* after = before + spiked */
void kernel_count(uint16_t *restrict after, const uint16_t *restrict before,
                  const uint8_t *restrict spiked, size_t n);

#endif
