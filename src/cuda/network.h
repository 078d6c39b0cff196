/* network.h - a network's memory on the device. */
#ifndef CUDA_NETWORK_H
#define CUDA_NETWORK_H

#include "cuda/gpu.h"
#include "cuda/machine.h"

enum {
    GPU_LEARN_THREADS = 512,
    GPU_SCORE_THREADS = 512,
    GPU_RESERVED_BYTES = 1024, /* of a block's shared memory, which the system takes */
};

struct Gpu {
    Machine *machine;
    GpuInfo info;
};

struct GpuImages {
    Gpu *gpu;
    uint8_t *pixels;
};

struct GpuNet {
    Gpu *gpu;
    Params params;
    bool plastic, decays;
    size_t widest;      /* hidden layer */
    GpuNetwork *device; /* the start of its memory */
};

/* Can one launch work on both? */
bool gpu_nets_alike(const GpuNet *a, const GpuNet *b);

/* Shared memory of a block: of learning, as many blocks to a processor as pays; of predicting,
 * two. */
size_t gpu_learn_bytes(const Gpu *gpu, bool plastic);
size_t gpu_score_bytes(const Gpu *gpu);

#endif
