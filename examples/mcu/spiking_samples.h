/* spiking_samples.h - what the networks of spiking.c learn. */
#ifndef MCU_SPIKING_SAMPLES_H
#define MCU_SPIKING_SAMPLES_H

#include <stdint.h>

enum { SAMPLES = 20 };

/* Value j of sample k, which is of class k % n_classes. */
static inline uint8_t sample_value(uint32_t k, uint32_t j, uint32_t n_classes) {
    return (uint8_t)((j + k) % n_classes == 0 ? j % 5 * 60 : 0);
}

#endif
