/* tacos_cuda.h - a GPU that makes the runs of experiments and plans, many networks at once.
 *
 *   tacos_cluster *gpu;
 *   if (tacos_cuda_begin(&gpu, &err) != TACOS_OK)
 *       ... report err, or go on without
 *   ... pass gpu as `cluster` to tacos_experiment_run or tacos_plan_run, any number of times
 *   tacos_cuda_end(gpu);
 *
 * Results are those of the processor, to the last bit. Runs that the GPU cannot make, or cannot
 * make any more, are made by the threads of this process; tacos_progress.note says why. The rules
 * of tacos.h hold. Needs libtacos_cuda.a, which is built where CMake finds nvcc (docs/gpu.md). */
#ifndef TACOS_CUDA_H
#define TACOS_CUDA_H

#include "tacos_lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first GPU of this process (CUDA_VISIBLE_DEVICES). TACOS_MISSING if there is none, or if its
 * driver is too old. */
tacos_status tacos_cuda_begin(tacos_cluster **out, tacos_error *err);

/* `gpu` may be NULL. */
void tacos_cuda_end(tacos_cluster *gpu);

#ifdef __cplusplus
}
#endif
#endif
