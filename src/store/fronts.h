/* fronts.h - what no other beats, where there are two things to want. */
#ifndef STORE_FRONTS_H
#define STORE_FRONTS_H

#include <stddef.h>

typedef struct FrontPoint {
    double x, y; /* of both, more is better */
    int *on;     /* set to 1 if no other is at least as good in both and better in one, else 0 */
} FrontPoint;

/* The points are sorted by it. */
void fronts_mark(FrontPoint *points, size_t n);

#endif
