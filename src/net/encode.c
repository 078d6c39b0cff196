/* encode.c - Poisson input spikes, from intensities or pixels; and spikes that are given. */
#include "net/encode.h"

#include "kernel/poisson.h"

static uint64_t spike_odds(const PoissonCode *code, float intensity) {
    return rng_odds((double)intensity * code->rate_hz * code->dt_ms / 1000);
}

static void draw_all(const PoissonCode *code, uint64_t sample, Raster *raster, size_t n) {
    poisson_draw(code->kernel, code->seed, code->purpose, sample, raster, n);
}

tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err) {
    size_t n = 0;
    for (size_t j = 0; j < raster->n_inputs; j++)
        if (!(intensity[j] >= 0 && intensity[j] <= 1))
            return failure(err, TACOS_RANGE, "intensity %zu is %.9g; it must be from 0 to 1", j,
                           (double)intensity[j]);
    for (size_t j = 0; j < raster->n_inputs; j++)
        n = poisson_add(raster, n, j, spike_odds(code, intensity[j]));
    draw_all(code, sample, raster, n);
    return TACOS_OK;
}

void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels,
                   Raster *raster) {
    size_t n = 0;
    uint64_t odds[256];
    for (unsigned v = 0; v < 256; v++)
        odds[v] = spike_odds(code, (float)v / 255.0f);
    for (size_t j = 0; j < raster->n_inputs; j++)
        n = poisson_add(raster, n, j, odds[pixels[j]]);
    draw_all(code, sample, raster, n);
}

void encode_spikes(const uint8_t *spikes, size_t n_steps, Raster *raster) {
    Events *events = &raster->events;
    size_t n = 0;
    for (size_t t = 0; t < events->n_steps; t++) {
        events->at[t] = n;
        for (size_t j = 0; t < n_steps && j < raster->n_inputs; j++)
            if (spikes[t * raster->n_inputs + j])
                events->row[n++] = (uint32_t)j;
    }
    events->at[events->n_steps] = n;
}
