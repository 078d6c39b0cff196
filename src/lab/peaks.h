/* peaks.h - what the machine can do at best, measured with the loops of the kernel in use. */
#ifndef LAB_PEAKS_H
#define LAB_PEAKS_H

#include "net/network.h"

/* The team's threads work at once; own_bytes is the size of the working set they share. */
tacos_status peaks_measure(tacos_bench_peaks *out, const Kernel *kernel, Team *team,
                           size_t own_bytes, tacos_error *err);

#endif
