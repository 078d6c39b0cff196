/* fourier.c - Cooley and Tukey's algorithm: in bit-reversed order, then log2 n rounds of
 * butterflies. */
#include "base/exact.h"

#include "base/fourier.h"

#include "base/elementary.h"

#include <assert.h>
#include <stdlib.h>

bool fourier_new(Fourier *out, size_t n) {
    assert(n >= 2 && (n & (n - 1)) == 0);
    *out = (Fourier){.n = n};
    out->sine = malloc(n / 2 * sizeof *out->sine);
    out->cosine = malloc(n / 2 * sizeof *out->cosine);
    if (!out->sine || !out->cosine) {
        fourier_free(out);
        return false;
    }
    for (size_t k = 0; k < n / 2; k++) {
        out->sine[k] = sine_of_turns((double)k / (double)n);
        out->cosine[k] = cosine_of_turns((double)k / (double)n);
    }
    return true;
}

void fourier_free(Fourier *fourier) {
    free(fourier->sine);
    free(fourier->cosine);
    *fourier = (Fourier){0};
}

static void swap(double *a, double *b) {
    double was = *a;
    *a = *b;
    *b = was;
}

static void reverse_bits(size_t n, double *real, double *imaginary) {
    for (size_t i = 0, reversed = 0; i < n; i++) {
        if (i < reversed) {
            swap(&real[i], &real[reversed]);
            swap(&imaginary[i], &imaginary[reversed]);
        }
        size_t bit = n / 2; /* add one from the highest bit down */
        for (; reversed & bit; bit /= 2)
            reversed ^= bit;
        reversed |= bit;
    }
}

void fourier_transform(const Fourier *fourier, double *real, double *imaginary) {
    size_t n = fourier->n;
    reverse_bits(n, real, imaginary);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t from = 0; from < n; from += 2 * half)
            for (size_t k = 0; k < half; k++) {
                size_t a = from + k, b = a + half, turn = k * (n / 2 / half);
                double cosine = fourier->cosine[turn], sine = fourier->sine[turn];
                double x = real[b] * cosine + imaginary[b] * sine;
                double y = imaginary[b] * cosine - real[b] * sine;
                real[b] = real[a] - x;
                imaginary[b] = imaginary[a] - y;
                real[a] += x;
                imaginary[a] += y;
            }
}
