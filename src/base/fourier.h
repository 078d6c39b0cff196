/* fourier.h - the discrete Fourier transform of 2^k numbers, with the same bits everywhere. */
#ifndef BASE_FOURIER_H
#define BASE_FOURIER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Fourier {
    size_t n;              /* a power of two, at least 2 */
    double *sine, *cosine; /* [n / 2] of k / n turns */
} Fourier;

/* False: there is no memory. */
bool fourier_new(Fourier *out, size_t n);
void fourier_free(Fourier *fourier);

/* Replace n complex numbers by the sums over i of x_i exp(-2 pi j i k / n). */
void fourier_transform(const Fourier *fourier, double *real, double *imaginary);

#endif
