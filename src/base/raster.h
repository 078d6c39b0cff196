/* raster.h - the input spikes of one sample: one bit an input and step. */
#ifndef BASE_RASTER_H
#define BASE_RASTER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Raster {
    size_t n_steps, n_inputs;
    size_t n_words; /* 64-bit words a step */
    uint64_t *bits; /* [n_steps][n_words] */
} Raster;

static inline size_t raster_words(size_t n_inputs) {
    return (n_inputs + 63) / 64;
}

static inline void raster_clear(Raster *raster) {
    memset(raster->bits, 0, raster->n_steps * raster->n_words * sizeof *raster->bits);
}

static inline void raster_set(Raster *raster, size_t step, size_t input) {
    raster->bits[step * raster->n_words + input / 64] |= UINT64_C(1) << (input % 64);
}

/* The inputs that spike at a step, ascending; returns how many. out holds n_inputs. */
static inline size_t raster_spikes(const Raster *raster, size_t step, uint32_t *out) {
    const uint64_t *words = raster->bits + step * raster->n_words;
    size_t n = 0;
    for (size_t k = 0; k < raster->n_words; k++)
        for (uint64_t rest = words[k]; rest; rest &= rest - 1)
            out[n++] = (uint32_t)(k * 64 + (size_t)__builtin_ctzll(rest));
    return n;
}

#endif
