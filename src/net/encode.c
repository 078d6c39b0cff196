/* encode.c - Poisson input spikes (step 1), from intensities or pixels; and spikes given
 * directly. */
#include "net/encode.h"

static uint64_t spike_odds(const PoissonCode *code, float intensity) {
    return rng_odds((double)intensity * code->rate_hz * code->dt_ms / 1000);
}

/* The raster has n inputs that can spike; one more, unless its odds (rng_odds) are 0. Returns how
 * many it has then. Without a branch: nobody can guess which pixels are dark. */
static size_t add_input(Raster *raster, size_t n, size_t input, uint64_t odds) {
    raster->column[n] = (uint32_t)input;
    raster->limit[n] = (uint32_t)(odds - 1);
    return n + (odds > 0);
}

/* Only inputs that can spike draw numbers, EVENTS_LANES of them at a time. */
static void draw_all(const PoissonCode *code, uint64_t sample, Raster *raster, size_t n) {
    Events *events = &raster->events;
    size_t words = events_words(n);
    uint32_t key[2] = {code->seed, (uint32_t)code->purpose};
    for (size_t k = n; k < words * EVENTS_LANES; k++) /* drawn, never looked at */
        raster->column[k] = raster->limit[k] = 0;
    for (size_t word = 0; word < words; word++)
        code->kernel->draw(key, sample, raster->column + word * EVENTS_LANES,
                           raster->limit + word * EVENTS_LANES, raster->mask + word, words,
                           events->n_steps);
    uint16_t real = (uint16_t)(0xffff >> (words * EVENTS_LANES - n));
    for (size_t t = 0; t < events->n_steps && words > 0; t++)
        raster->mask[(t + 1) * words - 1] &= real;
    kernel_collect_steps(code->kernel, events, raster->mask, words, raster->column);
}

tacos_status encode_check(const float *intensity, size_t n, tacos_error *err) {
    for (size_t j = 0; j < n; j++)
        if (!(intensity[j] >= 0 && intensity[j] <= 1))
            return failure(err, TACOS_RANGE, "intensity %zu is %.9g; it must be from 0 to 1", j,
                           (double)intensity[j]);
    return TACOS_OK;
}

tacos_status encode_intensities(const PoissonCode *code, uint64_t sample, const float *intensity,
                                Raster *raster, tacos_error *err) {
    size_t n = 0;
    TRY(encode_check(intensity, raster->n_inputs, err));
    for (size_t j = 0; j < raster->n_inputs; j++)
        n = add_input(raster, n, j, spike_odds(code, intensity[j]));
    draw_all(code, sample, raster, n);
    return TACOS_OK;
}

void encode_odds(const PoissonCode *code, uint64_t odds[256]) {
    for (unsigned v = 0; v < 256; v++)
        odds[v] = spike_odds(code, (float)v / 255.0f);
}

void encode_pixels(const PoissonCode *code, uint64_t sample, const uint8_t *pixels,
                   Raster *raster) {
    size_t n = 0;
    uint64_t odds[256];
    encode_odds(code, odds);
    for (size_t j = 0; j < raster->n_inputs; j++)
        n = add_input(raster, n, j, odds[pixels[j]]);
    draw_all(code, sample, raster, n);
}

void show_pixels(const Network *net, const uint8_t *pixels, RngPurpose purpose, uint64_t sample,
                 Raster *raster) {
    PoissonCode code = network_code(net, purpose);
    encode_pixels(&code, sample, pixels, raster);
}

void encode_chances(const PoissonCode *code, uint64_t sample, const float *chance, Raster *raster) {
    size_t n = 0;
    for (size_t j = 0; j < raster->n_inputs; j++)
        n = add_input(raster, n, j, rng_odds((double)chance[j]));
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
