/* rules.h - the constants of synapses and neurons, derived from the parameters of a network. */
#ifndef KERNEL_RULES_H
#define KERNEL_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* The constants of a layer's synapses. m of a synapse is min(m_steps * delta_m, m_max). */
typedef struct SynapseRule {
    bool plastic;         /* synapses may become less plastic */
    bool decays;          /* toward w_ref */
    float alpha;          /* heterosynaptic decay */
    float delta_m, m_max; /* metaplastic step and ceiling */
    float m_all;          /* m of every synapse where m_steps is NULL */
    uint16_t m_ceiling;   /* steps at which m reaches m_max */
    float cons_rate;      /* w_ref follows w by this much per sample */
} SynapseRule;

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
    float alpha; /* heterosynaptic decay, which a spike asks of the neuron's synapses */
} NeuronRule;

/* Bounds of the short forms; docs/performance.md derives what they cost in precision. */
#define KERNEL_TURN_MAX   0.015625f   /* z^2, z = m times the change of w, in the series for f */
#define KERNEL_DECAY_MAX  0.03125f    /* k alpha f (1 + |a|), in the series for k decays */
#define KERNEL_MERGED_MAX (1.0 / 256) /* alpha k, decays taken together with an error */

#endif
