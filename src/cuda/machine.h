/* machine.h - the device itself: its memory, and launches of kernels. cuda.cu is a GPU; emulate.c
 * is the processor. */
#ifndef CUDA_MACHINE_H
#define CUDA_MACHINE_H

#include "cuda/info.h"
#include "cuda/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

typedef struct Machine Machine;

enum { MACHINE_STREAMS = 8 };

/* One launch: tasks[n_tasks] in device memory. */
typedef struct Launch {
    const GpuTask *tasks;
    uint32_t n_tasks;
    bool plastic, decays;
    unsigned n_threads;
    unsigned stream; /* below MACHINE_STREAMS; launches of different streams overlap */
} Launch;

typedef struct ScoreLaunch {
    Launch launch;
    uint32_t n_parts;  /* blocks to a task */
    GpuTally *tallies; /* [n_tasks][n_parts] */
    float *inputs;     /* [n_tasks * n_parts][input_size] */
    uint16_t *events;  /* [n_tasks * n_parts][events_size] */
    size_t input_size, events_size;
} ScoreLaunch;

tacos_status machine_open(Machine **out, GpuInfo *info, tacos_error *err);
void machine_close(Machine *machine);

/* NULL if there is not enough memory. Contents are undefined. */
void *machine_alloc(Machine *machine, size_t n);
void machine_free(Machine *machine, void *memory);

tacos_status machine_write(Machine *machine, void *to, const void *from, size_t n,
                           tacos_error *err);
tacos_status machine_read(Machine *machine, void *to, const void *from, size_t n, tacos_error *err);

tacos_status machine_learn(Machine *machine, const Launch *launch, const LearnRoom *room,
                           tacos_error *err);
tacos_status machine_score(Machine *machine, const ScoreLaunch *launch, const ScoreRoom *room,
                           tacos_error *err);
tacos_status machine_wait(Machine *machine, tacos_error *err);

#ifdef __cplusplus
}
#endif

#endif
