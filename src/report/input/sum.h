/* sum.h - mean and deviation of numbers as they come: seeds are few, and a second array would have
 * to be made. What is not a number does not count; 0 does. */
#ifndef REPORT_SUM_H
#define REPORT_SUM_H

#include "tacos_lab.h"

#include <math.h>

typedef struct Sum {
    size_t n;
    double mean, squares;
} Sum;

static inline void sum_take(Sum *sum, double value) {
    if (!isfinite(value))
        return;
    double before = value - sum->mean;
    sum->n++;
    sum->mean += before / (double)sum->n;
    sum->squares += before * (value - sum->mean);
}

static inline tacos_summary sum_up(const Sum *sum) {
    return (tacos_summary){sum->n, sum->n ? sum->mean : NAN,
                           sum->n > 1 ? sqrt(sum->squares / (double)(sum->n - 1)) : 0};
}

#endif
