/* distribution.c - sort, then look. */
#include "output/distribution.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Move finite values to the front; how many they are. */
static size_t keep_finite(float *values, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[kept++] = values[i];
    return kept;
}

static double quantile(const float *sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * ((double)sorted[above] - sorted[below]);
}

static void take_moments(const float *values, Spread *out) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < out->n; i++)
        sum += values[i];
    out->mean = sum / (double)out->n;
    for (size_t i = 0; i < out->n; i++) {
        double d = values[i] - out->mean;
        squares += d * d;
    }
    out->sd = out->n > 1 ? sqrt(squares / (double)(out->n - 1)) : 0;
}

double spread_edge(const Spread *spread, size_t bin) {
    return spread->min + (spread->max - spread->min) * ((double)bin / SPREAD_BINS);
}

static void count_bins(const float *sorted, Spread *out) {
    size_t bin = 0;
    for (size_t i = 0; i < out->n; i++) {
        while (bin + 1 < SPREAD_BINS && sorted[i] >= spread_edge(out, bin + 1) &&
               out->max > out->min)
            bin++;
        out->counts[bin]++;
    }
}

void spread_of(float *values, size_t n, Spread *out) {
    *out = (Spread){.n = keep_finite(values, n)};
    out->n_odd = n - out->n;
    if (out->n == 0)
        return;
    qsort(values, out->n, sizeof *values, ascending);
    out->min = values[0];
    out->q1 = quantile(values, out->n, 0.25);
    out->median = quantile(values, out->n, 0.5);
    out->q3 = quantile(values, out->n, 0.75);
    out->max = values[out->n - 1];
    take_moments(values, out);
    count_bins(values, out);
}
