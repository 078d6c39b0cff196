/* clock.h - the machine's clock or, in tests, one that advances with each sample. */
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include "base/status.h"

#include <stdint.h>
#include <time.h>

/* Monotonic. */
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The seconds per sample from TACOS_TEST_CLOCK; 0 if not set, for the machine's clock. With it, the
 * number of progress reports does not depend on the speed of the machine. */
tacos_status clock_of_tests(double *seconds_per_sample, tacos_error *err);

/* The time after this many samples. */
static inline double clock_after(double seconds_per_sample, uint64_t n_samples) {
    return seconds_per_sample > 0 ? seconds_per_sample * (double)n_samples : clock_seconds();
}

#endif
