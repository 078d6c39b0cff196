/* clock.h - the time: the machine's, or, for tests, one that nothing but samples moves. */
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include "base/status.h"

#include <stdint.h>
#include <time.h>

/* A clock that nobody sets back. */
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The seconds that TACOS_TEST_CLOCK says every sample takes; 0 without it: time is the machine's.
 * With it, how often progress is reported does not depend on how fast the machine is. */
tacos_status clock_of_tests(double *seconds_per_sample, tacos_error *err);

/* The time when so many samples are done. */
static inline double clock_after(double seconds_per_sample, uint64_t n_samples) {
    return seconds_per_sample > 0 ? seconds_per_sample * (double)n_samples : clock_seconds();
}

#endif
