/* cuda.cu - the kernels on a GPU of NVIDIA, and its memory. */
#include "cuda/learn.h"
#include "cuda/machine.h"
#include "cuda/score.h"

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Machine {
    cudaStream_t streams[MACHINE_STREAMS];
    size_t shared_bytes;
};

/* ---- kernels ---- */

extern __shared__ __align__(16) unsigned char shared_room[];

template <bool plastic, bool decays>
static __global__ void __launch_bounds__(512, plastic ? 1 : 2)
    learn_kernel(const GpuTask *tasks, const __grid_constant__ LearnRoom room) {
    Block block = {shared_room, &room, (GpuNetwork *)(shared_room + room.net), plastic, decays};
    learn_all(&block, &tasks[blockIdx.x]);
}

static __global__ void __launch_bounds__(512, 2)
    score_kernel(const __grid_constant__ ScoreLaunch launch,
                 const __grid_constant__ ScoreRoom room) {
    size_t place = (size_t)blockIdx.x * launch.n_parts + blockIdx.y;
    ScoreBlock block = {shared_room, &room, (GpuNetwork *)(shared_room + room.net),
                        launch.inputs + place * launch.input_size,
                        launch.events + place * launch.events_size};
    score_all(&block, &launch.launch.tasks[blockIdx.x], blockIdx.y, launch.n_parts,
              &launch.tallies[place]);
}

typedef void LearnKernel(const GpuTask *, const LearnRoom);

static LearnKernel *const learn_kernels[2][2] = {
    {learn_kernel<false, false>, learn_kernel<false, true>},
    {learn_kernel<true, false>, learn_kernel<true, true>},
};

/* ---- the device ---- */

static tacos_status explain(cudaError_t code, const char *what, tacos_error *err) {
    if (code == cudaSuccess)
        return TACOS_OK;
    return failure(err, TACOS_IO, "the GPU cannot %s: %s", what, cudaGetErrorString(code));
}

/* CUDA calls a driver that is not there too old. */
static tacos_status explain_missing(cudaError_t code, tacos_error *err) {
    int driver = 0;
    (void)cudaDriverGetVersion(&driver);
    if (driver == 0)
        return failure(err, TACOS_MISSING, "no GPU: the driver of NVIDIA is not installed");
    if (code == cudaErrorInsufficientDriver)
        return failure(err, TACOS_MISSING,
                       "the driver of the GPU is too old: it is for CUDA %d.%d, the program for %d.%d",
                       driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                       CUDART_VERSION % 1000 / 10);
    return failure(err, TACOS_MISSING, "no GPU: %s",
                   code == cudaSuccess ? "none is visible" : cudaGetErrorString(code));
}

static tacos_status find(GpuInfo *info, tacos_error *err) {
    cudaDeviceProp properties;
    int n = 0, device = 0;
    cudaError_t code = cudaGetDeviceCount(&n);
    if (code != cudaSuccess || n == 0)
        return explain_missing(code, err);
    code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaGetDeviceProperties(&properties, device);
    if (code != cudaSuccess)
        return explain(code, "be used", err);
    snprintf(info->name, sizeof info->name, "%s", properties.name);
    info->n_processors = (size_t)properties.multiProcessorCount;
    info->shared_bytes = properties.sharedMemPerBlockOptin;
    info->memory_bytes = properties.totalGlobalMem;
    return TACOS_OK;
}

/* A kernel gets more than 48 kB of shared memory only on request. */
static cudaError_t allow(const void *kernel, size_t bytes) {
    cudaError_t code =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (code == cudaSuccess)
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared);
    return code;
}

static cudaError_t prepare(Machine *machine) {
    cudaError_t code = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    for (int p = 0; p < 2; p++)
        for (int d = 0; d < 2 && code == cudaSuccess; d++)
            code = allow((const void *)learn_kernels[p][d], machine->shared_bytes);
    if (code == cudaSuccess)
        code = allow((const void *)score_kernel, machine->shared_bytes);
    for (int k = 0; k < MACHINE_STREAMS && code == cudaSuccess; k++)
        code = cudaStreamCreateWithFlags(&machine->streams[k], cudaStreamNonBlocking);
    return code;
}

tacos_status machine_open(Machine **out, GpuInfo *info, tacos_error *err) {
    TRY(find(info, err));
    Machine *machine = (Machine *)calloc(1, sizeof *machine);
    if (!machine)
        return failure(err, TACOS_MEMORY, "no memory to use a GPU");
    machine->shared_bytes = info->shared_bytes;
    tacos_status status = explain(prepare(machine), "run this program", err);
    if (status != TACOS_OK) {
        machine_close(machine);
        return status;
    }
    *out = machine;
    return TACOS_OK;
}

void machine_close(Machine *machine) {
    for (int k = 0; machine && k < MACHINE_STREAMS; k++)
        if (machine->streams[k])
            (void)cudaStreamDestroy(machine->streams[k]);
    free(machine);
}

void *machine_alloc(Machine *machine, size_t n) {
    void *memory = NULL;
    (void)machine;
    if (cudaMalloc(&memory, n) == cudaSuccess)
        return memory;
    (void)cudaGetLastError(); /* or the next call would report it */
    return NULL;
}

void machine_free(Machine *machine, void *memory) {
    (void)machine;
    (void)cudaFree(memory);
}

tacos_status machine_write(Machine *machine, void *to, const void *from, size_t n,
                           tacos_error *err) {
    (void)machine;
    return explain(cudaMemcpy(to, from, n, cudaMemcpyHostToDevice), "take data", err);
}

tacos_status machine_read(Machine *machine, void *to, const void *from, size_t n,
                          tacos_error *err) {
    (void)machine;
    return explain(cudaMemcpy(to, from, n, cudaMemcpyDeviceToHost), "return data", err);
}

tacos_status machine_learn(Machine *machine, const Launch *launch, const LearnRoom *room,
                           tacos_error *err) {
    learn_kernels[launch->plastic][launch->decays]<<<launch->n_tasks, launch->n_threads,
                                                     room->total,
                                                     machine->streams[launch->stream]>>>(
        launch->tasks, *room);
    return explain(cudaGetLastError(), "learn", err);
}

tacos_status machine_score(Machine *machine, const ScoreLaunch *launch, const ScoreRoom *room,
                           tacos_error *err) {
    dim3 grid(launch->launch.n_tasks, launch->n_parts);
    score_kernel<<<grid, launch->launch.n_threads, room->total,
                   machine->streams[launch->launch.stream]>>>(*launch, *room);
    return explain(cudaGetLastError(), "predict", err);
}

tacos_status machine_wait(Machine *machine, tacos_error *err) {
    (void)machine;
    return explain(cudaDeviceSynchronize(), "finish its work", err);
}
