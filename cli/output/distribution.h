/* distribution.h - how many numbers are distributed. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include <stddef.h>

enum { SPREAD_BINS = 12 };

typedef struct Spread {
    size_t n;                        /* finite numbers, which all the rest is about */
    size_t n_odd;                    /* others: infinite, or none at all */
    double min, q1, median, q3, max; /* quartiles lie between neighbours, in proportion */
    double mean, sd;                 /* sd is the sample's (n - 1); 0 for one number */
    size_t counts[SPREAD_BINS];      /* from min to max, all of one width; max is in the last */
} Spread;

/* Sorts the values. Without finite ones all is 0. */
void spread_of(float *values, size_t n, Spread *out);

/* Where a bin begins; that of SPREAD_BINS is where the last one ends. */
double spread_edge(const Spread *spread, size_t bin);

#endif
