/* peak_loops.c - the loops of peak_loops.h, with the vectors of each kernel. */
#include "bench/peaks.h"

#include <string.h>

#if defined KERNEL_X86
#include <immintrin.h>
#elif defined KERNEL_NEON
#include <arm_neon.h>
#endif

enum { SUMS = 8 };

/* Keeps a compiler from making one pass of two. */
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

static const PeakLoops all[] = {
#if defined KERNEL_X86
    {"avx512", avx512_fma, avx512_read, avx512_update},
    {"avx2", avx2_fma, avx2_read, avx2_update},
#elif defined KERNEL_NEON
    {"neon", neon_fma, neon_read, neon_update},
#endif
    {"ref", ref_fma, ref_read, ref_update},
};

const PeakLoops *peak_loops(const Kernel *kernel) {
    const PeakLoops *loops = all;
    while (strcmp(loops->kernel, kernel->name) != 0)
        loops++;
    return loops;
}
