/* gram.c - sums of outer products by BLAS, and Cholesky's method in their unused half. */
#include "rivals/gram.h"

#include "rivals/method.h"

#include <math.h>

enum { RAISES_MAX = 20 };

void gram_carve(Gram *gram, size_t n, Arena *arena) {
    gram->n = n;
    gram->sum = arena_take_rows(arena, n, n, sizeof *gram->sum);
    gram->diagonal = arena_take(arena, n, sizeof *gram->diagonal);
}

void gram_add(Gram *gram, const Blas *blas, const double *x, size_t rows) {
    int n = (int)gram->n;
    blas_enter(blas);
    blas->dsyrk(BLAS_ROWS, BLAS_UPPER, BLAS_TURNED, n, (int)rows, 1, x, n, 1, gram->sum, n);
    blas_leave(blas);
}

/* scale sum + ridge I into the lower half. */
static void copy_down(Gram *gram, double scale, double ridge) {
    size_t n = gram->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            gram->sum[i * n + j] = scale * gram->sum[j * n + i];
        gram->sum[i * n + i] = scale * gram->diagonal[i] + ridge;
    }
}

/* The lower half becomes L, with L L^T = scale sum + ridge I. */
static bool factorise(Gram *gram, const Blas *blas, double scale, double ridge) {
    int n = (int)gram->n, info = 1;
    double trace = 0;
    for (size_t i = 0; i < gram->n; i++)
        trace += scale * gram->diagonal[i] + ridge;
    for (int raises = 0; raises < RAISES_MAX && info != 0; raises++) {
        double more = raises ? trace / (double)gram->n * pow(10, raises - 16) : 0;
        copy_down(gram, scale, ridge + more);
        blas_enter(blas);
        /* LAPACK stores by columns, so its upper half is our lower one. */
        blas->dpotrf("U", &n, gram->sum, &n, &info);
        blas_leave(blas);
    }
    return info == 0;
}

bool gram_solve(Gram *gram, const Blas *blas, double scale, double ridge, double *b,
                size_t columns) {
    size_t n = gram->n;
    int size = (int)n, width = (int)columns;
    for (size_t i = 0; i < n; i++)
        gram->diagonal[i] = gram->sum[i * n + i];
    bool solved = factorise(gram, blas, scale, ridge);
    if (solved) {
        blas_enter(blas);
        blas->dtrsm(BLAS_ROWS, BLAS_LEFT, BLAS_LOWER, BLAS_AS_IS, BLAS_ANY_DIAGONAL, size, width, 1,
                    gram->sum, size, b, width);
        blas->dtrsm(BLAS_ROWS, BLAS_LEFT, BLAS_LOWER, BLAS_TURNED, BLAS_ANY_DIAGONAL, size, width,
                    1, gram->sum, size, b, width);
        blas_leave(blas);
    }
    for (size_t i = 0; i < n; i++)
        gram->sum[i * n + i] = gram->diagonal[i];
    return solved;
}

uint64_t gram_add_macs(const Gram *gram) {
    return (uint64_t)gram->n * (gram->n + 1) / 2;
}

uint64_t gram_solve_macs(const Gram *gram, size_t columns) {
    return (uint64_t)gram->n * gram->n * gram->n / 6 + (uint64_t)gram->n * gram->n * columns;
}

bool gram_kept(const Gram *gram, size_t i, Kept *out) {
    if (i >= gram->n)
        return false;
    *out = (Kept){gram->sum + i * gram->n + i, (gram->n - i) * sizeof *gram->sum, KEPT_DOUBLES};
    return true;
}
