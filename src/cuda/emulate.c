/* emulate.c - the kernels on the processor: one thread takes the turns of all threads of a block,
 * phase by phase (phase.h). Slow, but it proves their bits on every machine. */
#include "cuda/emulate.h"

#include "cuda/learn.h"
#include "cuda/machine.h"
#include "cuda/score.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES = 64 * 1024, GARBAGE = 0xa5 };

_Thread_local int emulate_backwards;
static _Thread_local size_t shared_bytes = SHARED_BYTES;

struct Machine {
    unsigned char *room; /* shared memory */
    size_t n_room;
};

void emulate_device(size_t shared, bool backwards) {
    shared_bytes = shared;
    emulate_backwards = backwards;
}

tacos_status machine_open(Machine **out, GpuInfo *info, tacos_error *err) {
    Machine *machine = calloc(1, sizeof *machine);
    *info = (GpuInfo){.name = "emulated",
                      .n_processors = 2,
                      .shared_bytes = shared_bytes,
                      .memory_bytes = (size_t)1 << 31};
    if (machine)
        machine->room = malloc(shared_bytes);
    if (!machine || !machine->room) {
        machine_close(machine);
        return failure(err, TACOS_MEMORY, "no memory for an emulated device");
    }
    machine->n_room = shared_bytes;
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

tacos_status machine_learn(Machine *machine, const Launch *launch, const LearnRoom *room,
                           tacos_error *err) {
    (void)err;
    for (uint32_t k = 0; k < launch->n_tasks; k++) {
        memset(machine->room, GARBAGE, machine->n_room);
        Block block = {machine->room, room, (GpuNetwork *)(void *)(machine->room + room->net),
                       launch->plastic, launch->decays};
        learn_all(&block, &launch->tasks[k]);
    }
    return TACOS_OK;
}

tacos_status machine_score(Machine *machine, const ScoreLaunch *launch, const ScoreRoom *room,
                           tacos_error *err) {
    (void)err;
    for (uint32_t k = 0; k < launch->launch.n_tasks; k++)
        for (uint32_t part = 0; part < launch->n_parts; part++) {
            size_t place = (size_t)k * launch->n_parts + part;
            memset(machine->room, GARBAGE, machine->n_room);
            ScoreBlock block = {machine->room, room,
                                (GpuNetwork *)(void *)(machine->room + room->net),
                                launch->inputs + place * launch->input_size,
                                launch->events + place * launch->events_size};
            score_all(&block, &launch->launch.tasks[k], part, launch->n_parts,
                      &launch->tallies[place]);
        }
    return TACOS_OK;
}

tacos_status machine_wait(Machine *machine, tacos_error *err) {
    (void)machine, (void)err;
    return TACOS_OK;
}
