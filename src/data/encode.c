/* encode.c - Poisson input spikes. Only inputs that can spike draw random numbers, EVENTS_LANES of
 * them at a time. */
#include "data/encode.h"

#include <string.h>

/* The inputs that can spike. */
typedef struct Active {
    Raster *raster;
    size_t n;
} Active;

static uint64_t spike_odds(const PoissonCode *code, float intensity) {
    return rng_odds((double)intensity * code->rate_hz * code->dt_ms / 1000);
}

static void activate(Active *active, size_t input, uint64_t odds) {
    if (odds == 0)
        return;
    active->raster->column[active->n] = (uint32_t)input;
    active->raster->limit[active->n++] = (uint32_t)(odds - 1);
}

static void draw_all(const PoissonCode *code, uint64_t sample, const Active *active) {
    Raster *raster = active->raster;
    Events *events = &raster->events;
    size_t words = events_words(active->n);
    uint32_t key[2] = {code->seed, (uint32_t)code->purpose};
    for (size_t k = active->n; k < words * EVENTS_LANES; k++) /* drawn, never looked at */
        raster->column[k] = raster->limit[k] = 0;
    for (size_t word = 0; word < words; word++)
        code->kernel->draw(key, sample, raster->column + word * EVENTS_LANES,
                           raster->limit + word * EVENTS_LANES, raster->mask + word, words,
                           events->n_steps);
    uint16_t real = (uint16_t)(0xffff >> (words * EVENTS_LANES - active->n));
    for (size_t t = 0; t < events->n_steps && words > 0; t++)
        raster->mask[(t + 1) * words - 1] &= real;
    kernel_collect_steps(code->kernel, events, raster->mask, words, raster->column);
}

tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err) {
    Active active = {raster, 0};
    for (size_t j = 0; j < raster->n_inputs; j++)
        if (!(intensity[j] >= 0 && intensity[j] <= 1))
            return failure(err, TACOS_RANGE, "intensity %zu is %g; it must be from 0 to 1", j,
                           (double)intensity[j]);
    for (size_t j = 0; j < raster->n_inputs; j++)
        activate(&active, j, spike_odds(code, intensity[j]));
    draw_all(code, sample, &active);
    return TACOS_OK;
}

void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels,
                   Raster *raster) {
    Active active = {raster, 0};
    uint64_t odds[256];
    for (unsigned v = 0; v < 256; v++)
        odds[v] = spike_odds(code, (float)v / 255.0f);
    for (size_t j = 0; j < raster->n_inputs; j++)
        activate(&active, j, odds[pixels[j]]);
    draw_all(code, sample, &active);
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
