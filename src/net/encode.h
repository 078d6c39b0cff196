/* encode.h - draws input spikes from intensities: each input spikes at each step with its own
 * probability. */
#ifndef NET_ENCODE_H
#define NET_ENCODE_H

#include "net/network.h"

/* Poisson (Bernoulli per step) encoding: input j spikes with probability intensity * rate * dt. */
typedef struct PoissonCode {
    const Kernel *kernel;
    uint32_t seed;
    RngPurpose purpose;
    double rate_hz, dt_ms;
} PoissonCode;

static inline PoissonCode network_code(const Network *net, RngPurpose purpose) {
    return (PoissonCode){net->kernel, net->seed, purpose, net->params.input_rate_hz,
                         net->params.dt_ms};
}

/* Fails, and says where, if an intensity is not in [0,1]. */
tacos_status encode_check(const float *intensity, size_t n, tacos_error *err);

/* Fails, and says where, if an intensity is not in [0,1]. The raster has as many inputs. */
tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err);

/* The odds (rng_odds) that a pixel of each value spikes at a step: its intensity is value / 255 in
 * single precision. */
void encode_odds(const PoissonCode *code, uint64_t odds[256]);

/* The same as encode_intensities for 8-bit pixels. */
void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels, Raster *raster);
void show_pixels(const Network *net, const uint8_t *pixels, RngPurpose purpose, uint64_t sample,
                 Raster *raster);

/* Input j spikes with probability chance[j], whatever the rate. */
void encode_chances(const PoissonCode *code, uint64_t sample, const float *chance, Raster *raster);

/* Spikes as they are: [n_steps][n_inputs], anything but 0 is one. Later steps have none. */
void encode_spikes(const uint8_t *spikes, size_t n_steps, Raster *raster);

#endif
