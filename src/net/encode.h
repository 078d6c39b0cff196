/* encode.h - from intensities to input spikes. */
#ifndef NET_ENCODE_H
#define NET_ENCODE_H

#include "base/raster.h"
#include "base/rng.h"
#include "base/status.h"
#include "kernel/kernel.h"

/* Poisson (Bernoulli a step) encoding: input j spikes with probability intensity * rate * dt. */
typedef struct PoissonCode {
    const Kernel *kernel;
    uint32_t seed;
    RngPurpose purpose;
    double rate_hz, dt_ms;
} PoissonCode;

/* Fails, and says where, if an intensity is not in [0,1]. raster has the inputs' number. */
tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err);

/* The same for 8-bit pixels: intensity = pixel / 255 in single precision. */
void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels, Raster *raster);

/* Spikes as they are: [n_steps][n_inputs], anything but 0 is one. Later steps have none. */
void encode_spikes(const uint8_t *spikes, size_t n_steps, Raster *raster);

#endif
