/* info.h - what is known of a device. */
#ifndef CUDA_INFO_H
#define CUDA_INFO_H

#include <stddef.h>

typedef struct GpuInfo {
    char name[256];      /* of the device */
    size_t n_processors; /* streaming multiprocessors */
    size_t shared_bytes; /* the most shared memory of a block */
    size_t memory_bytes; /* of the device */
} GpuInfo;

#endif
