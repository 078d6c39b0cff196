/* peaks.h - the machine's peak performance, measured with the vectors of the kernel in use. */
#ifndef BENCH_PEAKS_H
#define BENCH_PEAKS_H

#include "base/team.h"
#include "kernel/kernel.h"
#include "tacos_lab.h"

/* Results are returned so that no compiler optimizes the work away. */
typedef struct PeakLoops {
    const char *kernel;
    /* n multiply-adds of floats that do not wait for each other; n is a multiple of PEAK_FMAS. */
    float (*fma)(size_t n);
    /* Repeated `times` times: the sum of n floats, and x <- (x + 1) / 2; n is a multiple of
     * PEAK_FLOATS. */
    float (*read)(const float *p, size_t n, size_t times);
    void (*update)(float *p, size_t n, size_t times);
} PeakLoops;

enum { PEAK_FMAS = 768, PEAK_FLOATS = 128 };

const PeakLoops *peak_loops(const Kernel *kernel);

/* Memory to go over. */
typedef struct Peaks {
    const PeakLoops *loops;
    size_t own_bytes; /* of the working set that the threads share */
    size_t n_bytes;
    char *memory;
} Peaks;

tacos_status peaks_open(Peaks *peaks, const Kernel *kernel, size_t own_bytes, size_t most_threads,
                        tacos_error *err);
void peaks_close(Peaks *peaks);

/* A few short tries with all of the team's threads at once; `best` (zero at first) keeps the best
 * so far. Noise only ever slows down: try at several moments. */
void peaks_try(const Peaks *peaks, Team *team, tacos_bench_peaks *best);

#endif
