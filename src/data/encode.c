/* encode.c - Poisson input spikes. Only inputs that can spike draw random numbers. */
#include "data/encode.h"

static uint64_t spike_odds(const PoissonCode *code, float intensity) {
    return rng_odds((double)intensity * code->rate_hz * code->dt_ms / 1000);
}

static void encode_input(const PoissonCode *code, uint64_t sample, uint64_t odds, size_t input,
                         Raster *raster) {
    for (size_t step = 0; step < raster->n_steps; step += 4) {
        RngBlock block =
            rng_block(code->seed, code->purpose, sample, (uint32_t)(step / 4), (uint32_t)input);
        for (size_t k = 0; k < 4 && step + k < raster->n_steps; k++)
            if (block.word[k] < odds)
                raster_set(raster, step + k, input);
    }
}

tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err) {
    for (size_t j = 0; j < raster->n_inputs; j++)
        if (!(intensity[j] >= 0 && intensity[j] <= 1))
            return failure(err, TACOS_RANGE, "intensity %zu is %g; it must be from 0 to 1", j,
                           (double)intensity[j]);
    raster_clear(raster);
    for (size_t j = 0; j < raster->n_inputs; j++) {
        uint64_t odds = spike_odds(code, intensity[j]);
        if (odds)
            encode_input(code, sample, odds, j, raster);
    }
    return TACOS_OK;
}

void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels,
                   Raster *raster) {
    uint64_t odds[256];
    for (unsigned v = 0; v < 256; v++)
        odds[v] = spike_odds(code, (float)v / 255.0f);
    raster_clear(raster);
    for (size_t j = 0; j < raster->n_inputs; j++)
        if (odds[pixels[j]])
            encode_input(code, sample, odds[pixels[j]], j, raster);
}
