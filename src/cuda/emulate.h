/* emulate.h - the device that emulate.c pretends to be; for tests. */
#ifndef CUDA_EMULATE_H
#define CUDA_EMULATE_H

#include <stdbool.h>
#include <stddef.h>

/* From now on on this thread: how much shared memory a block has, and whether threads take turns
 * backwards. */
void emulate_device(size_t shared_bytes, bool backwards);

#endif
