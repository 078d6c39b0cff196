/* gpu.h - networks on a GPU: many at once, each with parameters and a seed of its own, and with the
 * bits of src/net.
 *
 * The kernels (learn.h, score.h) compile for two machines: cuda.cu is a GPU of NVIDIA, emulate.c is
 * the processor, one thread after the other, for the tests. A program links one of them.
 *
 * Calls on a Gpu come from one thread at a time, but for gpu_info, gpu_takes and gpu_room, which
 * may be called at any time. */
#ifndef CUDA_GPU_H
#define CUDA_GPU_H

#include "cuda/info.h"
#include "lab/stream.h"
#include "net/network.h"

typedef struct Gpu Gpu;
typedef struct GpuImages GpuImages;
typedef struct GpuNet GpuNet;

/* TACOS_MISSING without a GPU, or with a driver that is too old; the error says which. */
tacos_status gpu_open(Gpu **out, tacos_error *err);
void gpu_close(Gpu *gpu);
const GpuInfo *gpu_info(const Gpu *gpu);

/* Can the kernels compute networks with these parameters? If not, *why says what is in the way.
 * Only tacos and its variants, of one or two hidden layers; nothing of src/future. */
bool gpu_takes(const Gpu *gpu, const Params *params, tacos_error *why);

/* How many networks of this shape the device works on at a time; more would only wait. */
size_t gpu_room(const Gpu *gpu, const Params *params);

/* ---- images, as networks see them: [n][n_inputs], shared by any number of networks ---- */

tacos_status gpu_images_new(GpuImages **out, Gpu *gpu, const uint8_t *pixels, size_t n,
                            size_t n_inputs, tacos_error *err);
void gpu_images_free(GpuImages *images);

/* ---- a network ---- */

/* A copy of `net`, which has settled (network_settle) and must have passed gpu_takes. `order`:
 * [n_orders][n_inputs], the pixels of tasks 1 to n_orders in another order (Stream.order); n_orders
 * is 0 for none. TACOS_MEMORY if the device has too little. */
tacos_status gpu_net_new(GpuNet **out, Gpu *gpu, const Network *net, const uint32_t *order,
                         size_t n_orders, tacos_error *err);
void gpu_net_free(GpuNet *gpu_net);

/* Copy back w, w_ref, m_steps and n_learned, as if `net` had learned and settled here. */
tacos_status gpu_net_fetch(const GpuNet *gpu_net, Network *net, tacos_error *err);

/* ---- work ---- */

/* Samples that one network learns, or predicts. */
typedef struct GpuJob {
    GpuNet *net;
    const GpuImages *images;
    const StreamSample *samples; /* [n]; `target` is not used in predicting */
    size_t n;
    bool predicts;
    uint16_t *counts;     /* [n][n_outputs], if it predicts: spikes of every output */
    tacos_counters tally; /* set: what these samples took */
} GpuJob;

/* Do all of them at once; at most one job per network. Samples that are predicted draw the spikes
 * RNG_PREDICT of their image. After TACOS_MEMORY no network has changed. After any other error the
 * device is lost: every later call fails, but for those that free. */
tacos_status gpu_work(Gpu *gpu, GpuJob *jobs, size_t n, tacos_error *err);

#endif
