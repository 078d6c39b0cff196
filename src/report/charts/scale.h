/* scale.h - from values to places on an axis, and which values deserve a tick. */
#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* The values an axis has to show. Empty at the start; what is not finite is passed over. */
typedef struct Range {
    double lo, hi;
} Range;

#define RANGE_EMPTY ((Range){1, 0})

static inline bool range_is_empty(Range range) {
    return range.lo > range.hi;
}

void range_take(Range *range, double value);

/* Values from lo to hi at the places `from` to `to`. */
typedef struct Scale {
    double lo, hi, from, to;
} Scale;

static inline double scale_at(const Scale *scale, double value) {
    return scale->from +
           (scale->to - scale->from) * ((value - scale->lo) / (scale->hi - scale->lo));
}

enum { TICKS_MAX = 24 };

typedef struct Ticks {
    size_t n;
    double at[TICKS_MAX];
    int digits; /* behind the point, to tell them apart */
} Ticks;

/* About so many round values (multiples of 1, 2 or 5 times a power of ten) within a range; `whole`:
 * no fractions. */
Ticks ticks_in(Range range, size_t about, bool whole);

/* The range widened to begin and end with a tick; an empty one becomes 0 to 1, one of a single
 * value gets room about it, and 0 becomes 0 to 1, too. */
Range range_round(Range range, size_t about);

#endif
