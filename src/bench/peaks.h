/* peaks.h - what the machine can do at best, measured with the loops of the kernel in use. */
#ifndef BENCH_PEAKS_H
#define BENCH_PEAKS_H

#include "net/network.h"

/* Memory to go over. */
typedef struct Peaks {
    const Kernel *kernel;
    size_t own_bytes; /* of the working set that the threads share */
    size_t n_bytes;
    char *memory;
} Peaks;

tacos_status peaks_open(Peaks *peaks, const Kernel *kernel, size_t own_bytes, size_t most_threads,
                        tacos_error *err);
void peaks_close(Peaks *peaks);

/* A few short tries with all of the team's threads at once; `best` (zero at first) keeps the best
 * so far. Noise only ever takes away: try at several moments. */
void peaks_try(const Peaks *peaks, Team *team, tacos_bench_peaks *best);

#endif
