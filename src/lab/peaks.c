/* peaks.c - each peak is the best of a few short tries: noise only ever takes away. */
#include "lab/peaks.h"

#include "lab/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 16,
    FMAS = KERNEL_PEAK_FMAS << 14, /* a try, each thread: a fraction of a millisecond */
    MOVED_BYTES = 16 << 20,        /* the same */
    L1_BYTES = 16 << 10,           /* of 32 KiB or more */
    L2_BYTES = 256 << 10,          /* of 512 KiB or more, mostly */
    GRAIN = KERNEL_PEAK_FLOATS * sizeof(float),
};

/* One try; every thread on its own part of the memory. */
typedef struct Try {
    const Kernel *kernel;
    char *memory;
    size_t bytes_each; /* from one thread's part to the next one's */
    size_t bytes;      /* gone over by each */
    size_t times;
} Try;

static void do_touch(void *user, size_t member, size_t n) {
    const Try *try = user;
    (void)n;
    memset(try->memory + member * try->bytes_each, 0, try->bytes_each);
}

static void do_fma(void *user, size_t member, size_t n) {
    const Try *try = user;
    volatile float sink = try->kernel->peak_fma(FMAS);
    (void)sink;
    (void)member;
    (void)n;
}

static void do_read(void *user, size_t member, size_t n) {
    const Try *try = user;
    const float *memory = (const float *)(try->memory + member * try->bytes_each);
    size_t n_floats = try->bytes / sizeof *memory;
    volatile float sink = try->kernel->peak_read(memory, n_floats, try->times);
    (void)sink;
    (void)n;
}

static void do_update(void *user, size_t member, size_t n) {
    const Try *try = user;
    float *memory = (float *)(try->memory + member * try->bytes_each);
    (void)n;
    try->kernel->peak_update(memory, try->bytes / sizeof *memory, try->times);
}

/* Seconds that the job takes at best. */
static double best_time(Team *team, TeamJob *job, Try *try) {
    double best = 0;
    for (int k = 0; k < TRIES; k++) {
        double start = clock_seconds();
        team_do(team, job, try);
        double seconds = clock_seconds() - start;
        best = k == 0 || seconds < best ? seconds : best;
    }
    return best;
}

/* Bytes a second over `bytes` a thread. What is changed moves twice. */
static void measure_memory(Team *team, Try try, size_t bytes, double *read, double *update) {
    try.bytes = bytes;
    try.times = (MOVED_BYTES + bytes - 1) / bytes;
    double moved = (double)team_size(team) * (double)try.times * (double)bytes;
    *read = moved / best_time(team, do_read, &try);
    *update = 2 * moved / best_time(team, do_update, &try);
}

tacos_status peaks_measure(tacos_bench_peaks *out, const Kernel *kernel, Team *team,
                           size_t own_bytes, tacos_error *err) {
    size_t n = team_size(team), own_each = (own_bytes / n / GRAIN + 1) * GRAIN;
    Try try = {.kernel = kernel, .bytes_each = own_each > L2_BYTES ? own_each : L2_BYTES};
    try.memory = aligned_alloc(ARENA_ALIGN, n * try.bytes_each);
    if (!try.memory)
        return failure(err, TACOS_MEMORY, "no memory to measure %.3g MB of it",
                       (double)own_bytes / 1e6);
    team_do(team, do_touch, &try);
    out->fma_per_s = (double)n * FMAS / best_time(team, do_fma, &try);
    measure_memory(team, try, L1_BYTES, &out->l1_read_bytes_per_s, &out->l1_update_bytes_per_s);
    measure_memory(team, try, L2_BYTES, &out->l2_read_bytes_per_s, &out->l2_update_bytes_per_s);
    measure_memory(team, try, own_each, &out->own_read_bytes_per_s, &out->own_update_bytes_per_s);
    free(try.memory);
    return TACOS_OK;
}
