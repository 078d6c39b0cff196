/* blas.h - the library of matrices, for a program in which several threads each train a rival.
 *
 * Every use of it stands between blas_enter and blas_leave. Which OpenBLAS is loaded is the
 * machine's choice (Debian's alternatives), and they differ: that of POSIX threads may be called by
 * many at a time, once told to use no threads of its own; the one without threads hands the same
 * buffer to two callers who come together, and gives wrong numbers. With that one, callers take
 * turns. */
#ifndef RIVALS_BLAS_H
#define RIVALS_BLAS_H

#include <cblas.h>

void blas_enter(void);
void blas_leave(void);

#endif
