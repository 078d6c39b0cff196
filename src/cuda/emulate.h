/* emulate.h - the device that emulate.c pretends to be; for tests. */
#ifndef CUDA_EMULATE_H
#define CUDA_EMULATE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct EmulatedDevice {
    size_t shared_bytes; /* of a block */
    bool backwards;      /* in every loop, the last turn comes first */
    unsigned n_threads;  /* of a block, a multiple of 32; 0: one, which takes all turns */
} EmulatedDevice;

/* Devices that this thread opens from now on. */
void emulate_device(const EmulatedDevice *device);

#endif
