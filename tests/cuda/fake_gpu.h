/* fake_gpu.h - cuda/gpu.h by the processor's own functions, with failures to be had, all of them
 * counted. In a program the environment says which: TACOS_FAKE_GPU="room=2 networks=3 lost=5". */
#ifndef TESTS_FAKE_GPU_H
#define TESTS_FAKE_GPU_H

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_CALLS_MAX = 10000 };

typedef struct FakeGpu {
    size_t room;     /* networks at a time; 0: 4 */
    size_t networks; /* there is memory for so many; 0: for any number */
    size_t jobs;     /* and for so many jobs at a time; 0: likewise */
    size_t lost;     /* at this call of gpu_work; 0: never */
    bool none;       /* there is no GPU */

    /* What has happened. */
    size_t n_open, n_images; /* networks and sets of images that there are */
    size_t n_calls;
    size_t calls[FAKE_CALLS_MAX]; /* [n_calls]: how many jobs each had */
} FakeGpu;

extern FakeGpu fake_gpu;

#endif
