/* gram.h - a sum of outer products x x^T, and linear equations with it. */
#ifndef RIVALS_GRAM_H
#define RIVALS_GRAM_H

#include "base/arena.h"
#include "rivals/blas.h"

#include <stdbool.h>

typedef struct Kept Kept;

typedef struct Gram {
    size_t n;
    double *sum;      /* [n][n]: the sums are the upper half; the lower is room to solve in */
    double *diagonal; /* [n]: that of the sums, while solving */
} Gram;

void gram_carve(Gram *gram, size_t n, Arena *arena);

/* sum += x^T x for x [rows][n]. */
void gram_add(Gram *gram, const Blas *blas, const double *x, size_t rows);

/* Solve (scale sum + ridge I) b = b_before for b [n][columns]. If the ridge is lost in rounding, it
 * is raised until there is a solution; false if there is none, because something is infinite or
 * NaN. */
bool gram_solve(Gram *gram, const Blas *blas, double scale, double ridge, double *b,
                size_t columns);

/* Multiplications with the sums: to add a row, and to solve for so many columns. */
uint64_t gram_add_macs(const Gram *gram);
uint64_t gram_solve_macs(const Gram *gram, size_t columns);

/* The i-th of n pieces of the sums: a row of the upper half. */
bool gram_kept(const Gram *gram, size_t i, Kept *out);

#endif
