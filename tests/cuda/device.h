/* device.h - the devices that a test tries: emulated ones, or the GPU. */
#ifndef TESTS_CUDA_DEVICE_H
#define TESTS_CUDA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef TEST_ON_GPU

static inline size_t test_devices(void) {
    return 1;
}

static inline void test_device_choose(size_t d) {
    (void)d;
}

static inline void test_device_threads(bool small) {
    (void)small;
}

#else
#include "cuda/emulate.h"

/* Most rows far, some, none; forwards and backwards. */
static inline size_t test_devices(void) {
    return 4;
}

static inline void test_device_choose(size_t d) {
    static const size_t shared[] = {150000, 100000, 400000, 232448};
    emulate_device(&(EmulatedDevice){.shared_bytes = shared[d], .backwards = d % 2});
}

/* If small, not even the spikes of a sample fit. */
static inline void test_device_threads(bool small) {
    emulate_device(&(EmulatedDevice){.shared_bytes = small ? 26000 : 100000, .n_threads = 64});
}

#endif
#endif
