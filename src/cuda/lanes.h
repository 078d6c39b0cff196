/* lanes.h - m in 16 bits, so that more rows fit into fast memory; what happens to one synapse or
 * neuron is in kernel/synapse.h. */
#ifndef CUDA_LANES_H
#define CUDA_LANES_H

#include "cuda/memory.h"
#include "kernel/synapse.h"

HOST_DEVICE uint16_t code_make(uint32_t m_steps, float M) {
    return (uint16_t)((m_steps & CODE_STEPS) | (lane_bits(M) >> 16 & CODE_SIGN));
}

/* (float)m_steps, exactly, and faster than a GPU converts numbers. */
HOST_DEVICE float code_steps(uint32_t code) {
    return lane_float(0x4b000000 | (code & CODE_STEPS)) - 8388608.0f;
}

HOST_DEVICE float code_m(uint32_t code, const SynapseRule *rule) {
    float m = code_steps(code) * rule->delta_m;
    m = m < rule->m_max ? m : rule->m_max;
    return lane_float(lane_bits(m) | (code & CODE_SIGN) << 16);
}

#endif
