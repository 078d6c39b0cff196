/* phase.h - a block of threads as a sequence of phases.
 *
 * A kernel is written as loops over what is to be done, each divided among the threads of a block,
 * with a BARRIER between those that depend on each other. On a GPU the turns of a loop are shared
 * out; on a processor (emulate.c) one thread takes them all, forwards or backwards, so that a
 * missing barrier shows. What outlives a phase is in shared or global memory.
 *
 *   EACH(i, n)             i from 0 to n - 1
 *   EACH_WARP(item, n)     a warp for each item; the threads of it have `lane` 0 to 31. All must
 *                          reach a VOTE.
 *   VOTE(word, bit)        sets bit `lane` of the word in all lanes
 *   ADD(address, x)        adds to a number to which other threads add too
 *   FIRST_THREAD           one thread
 *
 * All of them end where the block of code after them ends. */
#ifndef CUDA_PHASE_H
#define CUDA_PHASE_H

#include <stdint.h>

enum { WARP = 32 };

#ifdef __CUDACC__

#define DEVICE static __device__ __forceinline__
#define RESTRICT __restrict__
#define BARRIER __syncthreads()
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
#define ADD(address, x) atomicAdd((address), (x))
#define POPCOUNT(x)     ((uint32_t)__popc(x))
#define LOWEST_BIT(x)   ((uint32_t)__ffs((int)(x)) - 1)
#define HIGH_PRODUCT(a, b) __umulhi((a), (b))
#define PRAGMA(text)    _Pragma(#text)
#define UNROLL(n)       PRAGMA(unroll n)

#else

#define DEVICE   static inline
#define RESTRICT restrict
#define BARRIER  ((void)0)
/* The order in which one thread takes the turns of all; set by emulate.c. */
extern _Thread_local int emulate_backwards;
#define EMULATE_TURN(i, n) (emulate_backwards ? (n) - 1 - (i) : (i))
#define EACH(i, n)                                                                                 \
    for (uint32_t turn_##i = 0, of_##i = (n), i; turn_##i < of_##i &&                              \
         (i = EMULATE_TURN(turn_##i, of_##i), 1); turn_##i++)
#define EACH_WARP(item, n) EACH (item, n) EACH (lane, WARP)
#define FIRST_THREAD if (1)
#define VOTE(word, bit) ((word) = ((word) & ~(1u << lane)) | (uint32_t)(bit) << lane)
#define ADD(address, x) emulate_add((address), (x))
#define POPCOUNT(x)     ((uint32_t)__builtin_popcount(x))
#define LOWEST_BIT(x)   ((uint32_t)__builtin_ctz(x))
#define HIGH_PRODUCT(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define UNROLL(n)

static inline uint32_t emulate_add(uint32_t *address, uint32_t x) {
    uint32_t before = *address;
    *address += x;
    return before;
}

#endif

#endif
