/* fronts.c - sorted by one thing, a point is good if it is the best so far in the other. */
#include "store/fronts.h"

#include <math.h>
#include <stdlib.h>

static int best_first(const void *a, const void *b) {
    const FrontPoint *p = a, *q = b;
    if (p->x != q->x)
        return p->x > q->x ? -1 : 1;
    return (p->y < q->y) - (p->y > q->y);
}

void fronts_mark(FrontPoint *points, size_t n) {
    double best = -INFINITY; /* y of those with more x */
    if (n > 0)
        qsort(points, n, sizeof *points, best_first);
    for (size_t from = 0, to; from < n; from = to) {
        double top = points[from].y; /* of those with the same x */
        for (to = from; to < n && points[to].x == points[from].x; to++)
            *points[to].on = points[to].y == top && top > best;
        best = fmax(best, top);
    }
}
