/* peaks.c - times short loops with each kernel's vectors; the best time counts. */
#include "bench/peaks.h"

#include "base/arena.h"
#include "lab/clock.h"

#include <stdlib.h>
#include <string.h>

#if defined KERNEL_X86
#include <immintrin.h>
#elif defined KERNEL_NEON
#include <arm_neon.h>
#endif

/* ---- loops ---- */

enum { SUMS = 8 };

/* Keeps a compiler from merging two passes. */
static inline void memory_changed(void) {
    __asm__ volatile("" ::: "memory");
}

/* A multiply and an add: plain processors have no more. */
#define V            4
#define CHAINS       12
#define FMA(a, b, c) ((a) * (b) + (c))
#define TARGET
#define NAME(word) ref_##word
#include "bench/peak_loops.h"

#if defined KERNEL_X86
#define V            8
#define CHAINS       12
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define TARGET       __attribute__((target("avx2,fma")))
#define NAME(word)   avx2_##word
#include "bench/peak_loops.h"

#define V            16
#define CHAINS       16
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define TARGET       __attribute__((target("avx512f")))
#define NAME(word)   avx512_##word
#include "bench/peak_loops.h"
#elif defined KERNEL_NEON
#define V            4
#define CHAINS       16
#define FMA(a, b, c) vfmaq_f32(c, a, b)
#define TARGET
#define NAME(word) neon_##word
#include "bench/peak_loops.h"
#endif

static const PeakLoops all_loops[] = {
#if defined KERNEL_X86
    {"avx512-vnni", avx512_fma, avx512_read, avx512_update},
    {"avx512", avx512_fma, avx512_read, avx512_update},
    {"avx2", avx2_fma, avx2_read, avx2_update},
#elif defined KERNEL_NEON
    {"neon-dot", neon_fma, neon_read, neon_update},
    {"neon", neon_fma, neon_read, neon_update},
#endif
    {"ref", ref_fma, ref_read, ref_update},
};

const PeakLoops *peak_loops(const Kernel *kernel) {
    const PeakLoops *loops = all_loops;
    while (strcmp(loops->kernel, kernel->name) != 0)
        loops++;
    return loops;
}

/* ---- times ---- */

enum {
    TRIES = 4,
    FMAS = PEAK_FMAS << 14, /* per try and thread: a fraction of a millisecond */
    MOVED_BYTES = 16 << 20, /* the same */
    L1_BYTES = 16 << 10,    /* of 32 KiB or more */
    L2_BYTES = 256 << 10,   /* of 512 KiB or more, mostly */
    GRAIN = PEAK_FLOATS * sizeof(float),
};

/* Every thread goes over its own part of the memory. */
typedef struct Try {
    const PeakLoops *loops;
    char *memory;
    size_t bytes, times;
} Try;

static float *part(const Try *try, size_t member) {
    return (float *)(try->memory + member * try->bytes);
}

static void do_fma(void *user, size_t member, size_t n) {
    const Try *try = user;
    volatile float sink = try->loops->fma(FMAS);
    (void)sink;
    (void)member;
    (void)n;
}

static void do_read(void *user, size_t member, size_t n) {
    const Try *try = user;
    volatile float sink =
        try->loops->read(part(try, member), try->bytes / sizeof(float), try->times);
    (void)sink;
    (void)n;
}

static void do_update(void *user, size_t member, size_t n) {
    const Try *try = user;
    (void)n;
    try->loops->update(part(try, member), try->bytes / sizeof(float), try->times);
}

/* Work per second, into *best if it is better. */
static void try_job(Team *team, TeamJob *job, Try *try, double work, double *best) {
    for (int k = 0; k < TRIES; k++) {
        double start = clock_seconds();
        team_do(team, job, try);
        double rate = work / (clock_seconds() - start);
        *best = rate > *best ? rate : *best;
    }
}

/* Bytes per second over `bytes` per thread. What is changed moves twice. */
static void try_memory(const Peaks *peaks, Team *team, size_t bytes, double *read, double *update) {
    Try try = {peaks->loops, peaks->memory, bytes, (MOVED_BYTES + bytes - 1) / bytes};
    double moved = (double)team_size(team) * (double)try.times * (double)bytes;
    try_job(team, do_read, &try, moved, read);
    try_job(team, do_update, &try, 2 * moved, update);
}

static size_t own_share(size_t own_bytes, size_t n_threads) {
    return (own_bytes / n_threads / GRAIN + 1) * GRAIN;
}

void peaks_try(const Peaks *peaks, Team *team, tacos_bench_peaks *best) {
    size_t n = team_size(team);
    Try try = {.loops = peaks->loops};
    try_job(team, do_fma, &try, (double)n * FMAS, &best->fma_per_s);
    try_memory(peaks, team, L1_BYTES, &best->l1_read_bytes_per_s, &best->l1_update_bytes_per_s);
    try_memory(peaks, team, L2_BYTES, &best->l2_read_bytes_per_s, &best->l2_update_bytes_per_s);
    try_memory(peaks, team, own_share(peaks->own_bytes, n), &best->own_read_bytes_per_s,
               &best->own_update_bytes_per_s);
}

tacos_status peaks_open(Peaks *peaks, const Kernel *kernel, size_t own_bytes, size_t most_threads,
                        tacos_error *err) {
    size_t own = own_bytes + (most_threads + 1) * GRAIN, caches = most_threads * L2_BYTES;
    *peaks = (Peaks){.loops = peak_loops(kernel), .own_bytes = own_bytes};
    peaks->n_bytes = ((own > caches ? own : caches) / ARENA_ALIGN + 1) * ARENA_ALIGN;
    peaks->memory = aligned_alloc(ARENA_ALIGN, peaks->n_bytes);
    if (!peaks->memory)
        return failure(err, TACOS_MEMORY, "no memory to measure %.3g MB of it",
                       (double)own_bytes / 1e6);
    memset(peaks->memory, 0, peaks->n_bytes);
    return TACOS_OK;
}

void peaks_close(Peaks *peaks) {
    free(peaks->memory);
    peaks->memory = NULL;
}
