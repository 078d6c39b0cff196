/* poisson.h - input spikes drawn at random: each input at each step, with odds of its own. Only
 * inputs that can spike draw numbers, EVENTS_LANES of them at a time. */
#ifndef KERNEL_POISSON_H
#define KERNEL_POISSON_H

#include "base/raster.h"
#include "base/rng.h"
#include "kernel/kernel.h"

/* The raster has n inputs that can spike; one more, unless its odds (rng_odds) are 0. Returns how
 * many it has then. Without a branch: nobody can guess which pixels are dark. */
static inline size_t poisson_add(Raster *raster, size_t n, size_t input, uint64_t odds) {
    raster->column[n] = (uint32_t)input;
    raster->limit[n] = (uint32_t)(odds - 1);
    return n + (odds > 0);
}

/* Draw the spikes of its n inputs. */
static inline void poisson_draw(const Kernel *kernel, uint32_t seed, RngPurpose purpose,
                                uint64_t sample, Raster *raster, size_t n) {
    Events *events = &raster->events;
    size_t words = events_words(n);
    uint32_t key[2] = {seed, (uint32_t)purpose};
    for (size_t k = n; k < words * EVENTS_LANES; k++) /* drawn, never looked at */
        raster->column[k] = raster->limit[k] = 0;
    for (size_t word = 0; word < words; word++)
        kernel->draw(key, sample, raster->column + word * EVENTS_LANES,
                     raster->limit + word * EVENTS_LANES, raster->mask + word, words,
                     events->n_steps);
    uint16_t real = (uint16_t)(0xffff >> (words * EVENTS_LANES - n));
    for (size_t t = 0; t < events->n_steps && words > 0; t++)
        raster->mask[(t + 1) * words - 1] &= real;
    kernel_collect_steps(kernel, events, raster->mask, words, raster->column);
}

#endif
