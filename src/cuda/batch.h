/* batch.h - a meeting of runs: each comes with its job and waits; when all have come, their jobs
 * are one call of gpu_work, in a thread of its own. Nothing here depends on the clock. */
#ifndef CUDA_BATCH_H
#define CUDA_BATCH_H

#include "cuda/gpu.h"

typedef struct Batch Batch;

tacos_status batch_new(Batch **out, Gpu *gpu, tacos_error *err);
void batch_free(Batch *batch); /* once nobody waits */

/* ---- from the thread that hands out runs ---- */

/* Another run will come, or one will come no more. Until batch_go nothing begins, since there may
 * be others to wait for. */
void batch_join(Batch *batch);
void batch_leave(Batch *batch);
void batch_go(Batch *batch);

/* Send all home: who waits or comes now gets TACOS_INTERRUPTED. */
void batch_stop(Batch *batch);

/* ---- from the threads of runs ---- */

/* Do a job, with those of all others; sets its tally. TACOS_MEMORY: the device has too little, and
 * nothing was done. TACOS_IO: the device is lost. */
tacos_status batch_do(Batch *batch, GpuJob *job, tacos_error *err);

/* Other calls on the Gpu come between these; what they return goes through batch_outcome, which
 * notes that the device is lost: after that its status is TACOS_IO, with the reason in `err`. */
Gpu *batch_lock(Batch *batch);
void batch_unlock(Batch *batch);
tacos_status batch_outcome(Batch *batch, tacos_status status, const tacos_error *why,
                           tacos_error *err);

/* ---- from any ---- */

/* Is the device lost? Then *why says how. */
bool batch_lost(Batch *batch, tacos_error *why);

#endif
