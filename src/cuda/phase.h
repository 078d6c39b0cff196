/* phase.h - a block of threads as a sequence of phases.
 *
 * A kernel is written as loops over what is to be done, each divided among the threads of a block,
 * with a BARRIER between loops of which one needs what the other writes. On a processor
 * (emulate.c) one thread takes the turns of all threads of a loop, or as many threads do as are
 * wanted. What outlives a phase is in shared or global memory.
 *
 *   EACH(i, n)          i from 0 to n - 1
 *   EACH_WARP(item, n)  a warp for each item; its threads have `lane` 0 to 31, and all of them must
 *                       reach a VOTE
 *   VOTE(word, bit)     sets bit `lane` of the word in all lanes
 *   ADD(address, x)     adds to a number to which other threads add too
 *   FIRST_THREAD        one thread */
#ifndef CUDA_PHASE_H
#define CUDA_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP = 32 };

#ifdef __CUDACC__

#define DEVICE     static __device__ __forceinline__
#define BARRIER    __syncthreads()
#define EACH(i, n) for (uint32_t i = threadIdx.x; i < (n); i += blockDim.x)
#define EACH_WARP(item, n)                                                                         \
    for (uint32_t item = threadIdx.x / WARP; item < (n); item += blockDim.x / WARP)                \
        for (uint32_t lane = threadIdx.x % WARP, once_ = 1; once_; once_ = 0)
#define FIRST_THREAD if (threadIdx.x == 0)
#define VOTE(word, bit)                                                                            \
    do {                                                                                           \
        uint32_t vote_ = __ballot_sync(0xffffffff, (bit));                                         \
        if (lane == 0)                                                                             \
            (word) = vote_;                                                                        \
    } while (0)
#define ADD(address, x)    atomicAdd((address), (x))
#define POPCOUNT(x)        ((uint32_t)__popc(x))
#define LOWEST_BIT(x)      ((uint32_t)__ffs((int)(x)) - 1)
#define HIGH_PRODUCT(a, b) __umulhi((a), (b))
#define PRAGMA(text)       _Pragma(#text)
#define UNROLL(n)          PRAGMA(unroll n)

#else

#include <pthread.h>

/* Which turns this thread takes. */
typedef struct EmulatedThread {
    uint32_t thread, n_threads; /* 0 of 1: all turns */
    uint32_t lane, lane_end;
    bool backwards;
    pthread_barrier_t *barrier; /* NULL for a single thread */
} EmulatedThread;

extern _Thread_local EmulatedThread emulated; /* set by emulate.c */

#define DEVICE static inline
#define BARRIER                                                                                    \
    do {                                                                                           \
        if (emulated.barrier)                                                                      \
            (void)pthread_barrier_wait(emulated.barrier);                                          \
    } while (0)
#define EMULATED_LOOP(i, from, to, step, n)                                                        \
    for (uint32_t turn_##i = (from), end_##i = (to), of_##i = (n), i;                              \
         turn_##i < end_##i && ((i) = emulated.backwards ? of_##i - 1 - turn_##i : turn_##i, 1);   \
         turn_##i += (step))
#define EACH(i, n) EMULATED_LOOP (i, emulated.thread, n, emulated.n_threads, n)
#define EACH_WARP(item, n)                                                                         \
    EMULATED_LOOP (item, emulated.thread / WARP, n, (emulated.n_threads + WARP - 1) / WARP, n)     \
        EMULATED_LOOP (lane, emulated.lane, emulated.lane_end, 1, WARP)
#define FIRST_THREAD if (emulated.thread == 0)
#define VOTE(word, bit)                                                                            \
    ((bit) ? __atomic_fetch_or(&(word), 1u << lane, __ATOMIC_RELAXED)                              \
           : __atomic_fetch_and(&(word), ~(1u << lane), __ATOMIC_RELAXED))
#define ADD(address, x)    __atomic_fetch_add((address), (x), __ATOMIC_RELAXED)
#define POPCOUNT(x)        ((uint32_t)__builtin_popcount(x))
#define LOWEST_BIT(x)      ((uint32_t)__builtin_ctz(x))
#define HIGH_PRODUCT(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define UNROLL(n)

#endif

#endif
