/* emulate.c - the kernels on the processor, to prove their bits on every machine: one thread takes
 * the turns of all threads of a block, loop by loop, forwards or backwards. Or there is a thread
 * for each, slowly, so that ThreadSanitizer finds what lacks a barrier. */
#include "cuda/emulate.h"

#include "cuda/learn.h"
#include "cuda/machine.h"
#include "cuda/score.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES = 64 * 1024, GARBAGE = 0xa5 };

_Thread_local EmulatedThread emulated = {0, 1, 0, WARP, false, NULL};
static _Thread_local EmulatedDevice next_device = {.shared_bytes = SHARED_BYTES};

struct Machine {
    EmulatedDevice device;
    unsigned char *room; /* shared memory */
};

void emulate_device(const EmulatedDevice *device) {
    next_device = *device;
}

/* ---- a block ---- */

/* What all threads of a block do. */
typedef struct Body {
    void (*run)(const void *user);
    const void *user;
} Body;

typedef struct BlockThread {
    const Body *body;
    EmulatedThread self;
    pthread_t id;
} BlockThread;

static void *run_thread(void *user) {
    const BlockThread *thread = user;
    emulated = thread->self;
    thread->body->run(thread->body->user);
    return NULL;
}

/* As many threads as the device has; false if they cannot be created. */
static bool run_threads(const EmulatedDevice *device, const Body *body) {
    BlockThread *threads = calloc(device->n_threads, sizeof *threads);
    pthread_barrier_t barrier;
    unsigned n = 0;
    if (!threads || pthread_barrier_init(&barrier, NULL, device->n_threads) != 0) {
        free(threads);
        return false;
    }
    for (; n < device->n_threads; n++) {
        threads[n].body = body;
        threads[n].self =
            (EmulatedThread){n, device->n_threads, n % WARP, n % WARP + 1, false, &barrier};
        if (pthread_create(&threads[n].id, NULL, run_thread, &threads[n]) != 0)
            abort(); /* those that run wait at a barrier for ever */
    }
    while (n > 0)
        (void)pthread_join(threads[--n].id, NULL);
    (void)pthread_barrier_destroy(&barrier);
    free(threads);
    return true;
}

static tacos_status run_block(const Machine *machine, const Body *body, tacos_error *err) {
    memset(machine->room, GARBAGE, machine->device.shared_bytes);
    if (machine->device.n_threads > 0)
        return run_threads(&machine->device, body)
                   ? TACOS_OK
                   : failure(err, TACOS_MEMORY, "no memory for the threads of a block");
    emulated = (EmulatedThread){0, 1, 0, WARP, machine->device.backwards, NULL};
    body->run(body->user);
    return TACOS_OK;
}

/* ---- the device ---- */

tacos_status machine_open(Machine **out, GpuInfo *info, tacos_error *err) {
    Machine *machine = calloc(1, sizeof *machine);
    *info = (GpuInfo){.name = "emulated",
                      .n_processors = 2,
                      .shared_bytes = next_device.shared_bytes,
                      .memory_bytes = (size_t)1 << 31};
    if (machine) {
        machine->device = next_device;
        machine->room = malloc(next_device.shared_bytes);
    }
    if (!machine || !machine->room) {
        machine_close(machine);
        return failure(err, TACOS_MEMORY, "no memory for an emulated device");
    }
    *out = machine;
    return TACOS_OK;
}

void machine_close(Machine *machine) {
    if (machine)
        free(machine->room);
    free(machine);
}

/* Nothing may depend on what fresh memory holds. */
void *machine_alloc(Machine *machine, size_t n) {
    void *memory = malloc(n);
    (void)machine;
    return memory ? memset(memory, GARBAGE, n) : NULL;
}

void machine_free(Machine *machine, void *memory) {
    (void)machine;
    free(memory);
}

tacos_status machine_write(Machine *machine, void *to, const void *from, size_t n,
                           tacos_error *err) {
    (void)machine, (void)err;
    memcpy(to, from, n);
    return TACOS_OK;
}

tacos_status machine_read(Machine *machine, void *to, const void *from, size_t n,
                          tacos_error *err) {
    (void)machine, (void)err;
    memcpy(to, from, n);
    return TACOS_OK;
}

/* ---- launches ---- */

typedef struct LearnBody {
    Block block;
    const GpuTask *task;
} LearnBody;

static void run_learn(const void *user) {
    const LearnBody *body = user;
    learn_all(&body->block, body->task);
}

tacos_status machine_learn(Machine *machine, const Launch *launch, const LearnRoom *room,
                           tacos_error *err) {
    for (uint32_t k = 0; k < launch->n_tasks; k++) {
        LearnBody body = {{machine->room, room, (GpuNetwork *)(void *)(machine->room + room->net),
                           launch->plastic, launch->decays},
                          &launch->tasks[k]};
        TRY(run_block(machine, &(Body){run_learn, &body}, err));
    }
    return TACOS_OK;
}

typedef struct ScoreBody {
    ScoreBlock block;
    const GpuTask *task;
    uint32_t part, n_parts;
    GpuTally *tally;
} ScoreBody;

static void run_score(const void *user) {
    const ScoreBody *body = user;
    score_all(&body->block, body->task, body->part, body->n_parts, body->tally);
}

tacos_status machine_score(Machine *machine, const ScoreLaunch *launch, const ScoreRoom *room,
                           tacos_error *err) {
    for (uint32_t k = 0; k < launch->launch.n_tasks; k++)
        for (uint32_t part = 0; part < launch->n_parts; part++) {
            size_t place = (size_t)k * launch->n_parts + part;
            ScoreBody body = {{machine->room, room,
                               (GpuNetwork *)(void *)(machine->room + room->net),
                               launch->inputs + place * launch->input_size,
                               launch->events + place * launch->events_size},
                              &launch->launch.tasks[k],
                              part,
                              launch->n_parts,
                              &launch->tallies[place]};
            TRY(run_block(machine, &(Body){run_score, &body}, err));
        }
    return TACOS_OK;
}

tacos_status machine_wait(Machine *machine, tacos_error *err) {
    (void)machine, (void)err;
    return TACOS_OK;
}
