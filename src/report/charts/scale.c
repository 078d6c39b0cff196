/* scale.c - round steps. */
#include "report/charts/scale.h"

#include <math.h>

void range_take(Range *range, double value) {
    if (!isfinite(value))
        return;
    if (range_is_empty(*range)) {
        *range = (Range){value, value};
        return;
    }
    if (value < range->lo)
        range->lo = value;
    if (value > range->hi)
        range->hi = value;
}

/* The least round number that is no less than `least`, and how many digits it needs. */
static double round_step(double least, int *digits) {
    static const double rounds[] = {1, 2, 5, 10};
    double power = floor(log10(least));
    size_t k = 0;
    while (k < 3 && rounds[k] * pow(10, power) < least * (1 - 1e-9))
        k++;
    if (k == 3)
        power += 1;
    *digits = power < 0 ? (int)-power : 0;
    return (k == 3 ? 1 : rounds[k]) * pow(10, power);
}

/* What is shown of a range: never empty, never a point, and not too far out to count in. */
static Range sane(Range range) {
    double size = fmax(fabs(range.lo), fabs(range.hi));
    if (range_is_empty(range) || !(size < 1e100))
        return (Range){0, 1};
    if (range.hi - range.lo > size * 1e-9)
        return range;
    if (size == 0) /* nothing but 0: a count of nothing is not below it */
        return (Range){0, 1};
    double room = size / 2;
    return (Range){range.lo - room, range.hi + room};
}

static double step_of(Range range, size_t about, bool whole, int *digits) {
    double step = round_step((range.hi - range.lo) / (double)(about > 0 ? about : 1), digits);
    if (!whole || step >= 1)
        return step;
    *digits = 0;
    return 1;
}

Ticks ticks_in(Range range, size_t about, bool whole) {
    Ticks ticks = {0};
    range = sane(range);
    double step = step_of(range, about, whole, &ticks.digits);
    double first = ceil(range.lo / step - 1e-6), last = floor(range.hi / step + 1e-6);
    while (ticks.n < TICKS_MAX && first + (double)ticks.n <= last) {
        ticks.at[ticks.n] = (first + (double)ticks.n) * step + 0.0; /* no -0 */
        ticks.n++;
    }
    return ticks;
}

/* A wider range may have larger steps, so it is rounded until it stays as it is. */
Range range_round(Range range, size_t about) {
    int digits;
    range = sane(range);
    for (int turn = 0; turn < 4; turn++) {
        double step = step_of(range, about, false, &digits);
        range = (Range){floor(range.lo / step + 1e-6) * step, ceil(range.hi / step - 1e-6) * step};
    }
    return range;
}
