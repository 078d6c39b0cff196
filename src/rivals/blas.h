/* blas.h - OpenBLAS, loaded when a rival is made. Programs without rivals neither need it nor wait
 * for its threads to start.
 *
 * Every use stands between blas_enter and blas_leave, because builds of OpenBLAS differ: the one
 * with POSIX threads may be called concurrently once it is limited to one thread; the one without
 * threads shares a buffer between concurrent callers and gives wrong numbers. With the latter,
 * callers take turns. */
#ifndef RIVALS_BLAS_H
#define RIVALS_BLAS_H

#include "base/status.h"

#include <stdbool.h>

/* As in cblas.h. */
typedef enum BlasOrder { BLAS_ROWS = 101 } BlasOrder;
typedef enum BlasTurn { BLAS_AS_IS = 111, BLAS_TURNED = 112 } BlasTurn;
typedef enum BlasHalf { BLAS_UPPER = 121, BLAS_LOWER = 122 } BlasHalf;
typedef enum BlasDiagonal { BLAS_ANY_DIAGONAL = 131 } BlasDiagonal;
typedef enum BlasSide { BLAS_LEFT = 141 } BlasSide;

/* symbol in the library, result and arguments; our name drops prefixes such as cblas_ */
#define BLAS_MAP(X)                                                                                \
    X(sgemm, "cblas_sgemm", void,                                                                  \
      (BlasOrder order, BlasTurn turn_a, BlasTurn turn_b, int m, int n, int k, float alpha,        \
       const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc))           \
    X(sgemv, "cblas_sgemv", void,                                                                  \
      (BlasOrder order, BlasTurn turn, int m, int n, float alpha, const float *a, int lda,         \
       const float *x, int step_x, float beta, float *y, int step_y))                              \
    X(dgemm, "cblas_dgemm", void,                                                                  \
      (BlasOrder order, BlasTurn turn_a, BlasTurn turn_b, int m, int n, int k, double alpha,       \
       const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc))       \
    X(dsyrk, "cblas_dsyrk", void,                                                                  \
      (BlasOrder order, BlasHalf half, BlasTurn turn, int n, int k, double alpha, const double *a, \
       int lda, double beta, double *c, int ldc))                                                  \
    X(dtrsm, "cblas_dtrsm", void,                                                                  \
      (BlasOrder order, BlasSide side, BlasHalf half, BlasTurn turn, BlasDiagonal diagonal, int m, \
       int n, double alpha, const double *a, int lda, double *b, int ldb))                         \
    X(dpotrf, "dpotrf_", void,                                                                     \
      (const char *half, const int *n, double *a, const int *lda, int *info))                      \
    X(parallel, "openblas_get_parallel", int, (void))                                              \
    X(threads, "openblas_get_num_threads", int, (void))                                            \
    X(set_threads, "openblas_set_num_threads", void, (int n))

typedef struct Blas {
    void *library;
    bool turns; /* callers take turns */
#define BLAS_FIELD(name, symbol, result, arguments)                                                \
    result(*name) arguments; /* NOLINT(bugprone-macro-parentheses): it is a declaration */
    BLAS_MAP(BLAS_FIELD)
#undef BLAS_FIELD
} Blas;

tacos_status blas_open(Blas *out, tacos_error *err);
void blas_close(Blas *blas); /* also accepts one that is all zeros */

void blas_enter(const Blas *blas);
void blas_leave(const Blas *blas);

#endif
