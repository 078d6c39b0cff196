/* device.h - marks functions that a GPU computes too: nvcc compiles them for both machines, every
 * other compiler as usual. */
#ifndef BASE_DEVICE_H
#define BASE_DEVICE_H

#ifdef __CUDACC__
#define HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define HOST_DEVICE static inline __attribute__((unused))
#endif

#endif
