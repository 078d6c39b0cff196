/* metrics.c - computes the metrics that docs/metrics.md defines. */
#include "lab/results.h"

#include <math.h>

/* NaN over no tasks. */
static double mean_of(double sum, size_t n) {
    return n > 0 ? sum / (double)n : NAN;
}

/* The best accuracy on task t after any task before k. */
static double best_before(const double *R, size_t n, size_t k, size_t t) {
    double best = R[t];
    for (size_t l = 1; l < k; l++)
        best = fmax(best, R[l * n + t]);
    return best;
}

tacos_metrics metrics_after(const double *R, const double *b, size_t n, size_t k) {
    double ma = 0, bwt = 0, fwt = 0, gem = 0, forgotten = 0;
    for (size_t t = 0; t <= k; t++)
        ma += R[k * n + t];
    for (size_t t = 0; t < k; t++) {
        bwt += R[k * n + t] - R[t * n + t];
        forgotten += best_before(R, n, k, t) - R[k * n + t];
    }
    for (size_t t = k + 1; t < n; t++)
        fwt += R[k * n + t] - b[t];
    for (size_t t = 1; t <= k; t++)
        gem += R[(t - 1) * n + t] - b[t];
    return (tacos_metrics){
        .A = R[k * n + k],
        .MA = ma / (double)(k + 1),
        .BWT = mean_of(bwt, k),
        .FWT = mean_of(fwt, n - 1 - k),
        .FWT_gem = mean_of(gem, k),
        .forgetting = mean_of(forgotten, k),
    };
}

void metrics_undefine(tacos_metrics *metrics, size_t n_tasks, size_t k) {
    if (k == 0)
        metrics->BWT = metrics->FWT_gem = metrics->forgetting = NAN;
    if (k + 1 == n_tasks)
        metrics->FWT = NAN;
}

double metrics_memory_overhead(const size_t *bytes_held, size_t n_tasks, size_t baseline_bytes) {
    double sum = 0;
    for (size_t t = 0; t < n_tasks; t++)
        sum += (double)bytes_held[t] / (double)baseline_bytes;
    return fmax(1, mean_of(sum, n_tasks));
}

tacos_summary metrics_summary(const double *values, size_t n) {
    double sum = 0, squares = 0;
    size_t n_defined = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i])) {
            sum += values[i];
            n_defined++;
        }
    double mean = mean_of(sum, n_defined);
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            squares += (values[i] - mean) * (values[i] - mean);
    return (tacos_summary){
        .n = n_defined,
        .mean = mean,
        .sd = n_defined > 1    ? sqrt(squares / (double)(n_defined - 1))
              : n_defined == 1 ? 0
                               : NAN,
    };
}
