/* expansion.c - units count the spikes they receive; those with the highest counts fire. */
#include "net/expansion.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

void expansion_shape(Expansion *expansion, const Params *params) {
    const Params *p = params;
    size_t n = p->n_expansion;
    double turn = ldexp(p->expansion_rate_hz * p->dt_ms / 1000, 32);
    *expansion = (Expansion){
        .n_units = n,
        .n_winners = (size_t)fmax(1, ceil((double)n * p->expansion_active - 1e-9)),
        .n_tiles = (n + EXPANSION_TILE - 1) / EXPANSION_TILE,
        .n_groups = (p->n_inputs + EXPANSION_CHOICE - 1) / EXPANSION_CHOICE,
        .turn = (uint32_t)fmin(turn, UINT32_MAX),
    };
    expansion->n_bytes = (expansion->n_groups * n * 2 + 7) / 8;
}

void expansion_carve(Expansion *expansion, const Params *params, Arena *arena) {
    size_t start = arena->used;
    expansion->choices = NULL;
    if (expansion->n_units == 0 || params->expansion_synapses != EXPANSION_STORED)
        return;
    expansion->choices = arena_take_rows(arena, expansion->n_groups * expansion->n_tiles,
                                         EXPANSION_WORDS, sizeof *expansion->choices);
    expansion->n_bytes = arena->used - start;
}

/* Which input of a group each unit of a tile receives. */
static void draw_choices(const Kernel *kernel, uint32_t seed, size_t group, size_t tile,
                         uint32_t *choices) {
    const uint32_t key[2] = {seed, RNG_EXPANSION};
    for (uint32_t half = 0; half < 2; half++)
        kernel->words(key, 0, (uint32_t)group, (uint32_t)(2 * tile + half) * KERNEL_LANES,
                      choices + half * KERNEL_WORDS);
}

static size_t choices_at(const Expansion *expansion, size_t group, size_t tile) {
    return (group * expansion->n_tiles + tile) * EXPANSION_WORDS;
}

void expansion_draw(Expansion *expansion, const Kernel *kernel, uint32_t seed) {
    for (size_t g = 0; expansion->choices && g < expansion->n_groups; g++)
        for (size_t t = 0; t < expansion->n_tiles; t++)
            draw_choices(kernel, seed, g, t, expansion->choices + choices_at(expansion, g, t));
}

void burst_carve(Burst *burst, const Expansion *expansion, size_t n_steps, Arena *arena) {
    const Expansion *x = expansion;
    if (x->n_units == 0)
        return;
    burst->heard = arena_take_rows(arena, x->n_groups, EXPANSION_CHOICE, sizeof *burst->heard);
    burst->drive = arena_take_rows(arena, x->n_tiles, EXPANSION_TILE, sizeof *burst->drive);
    burst->winners = arena_take(arena, x->n_winners, sizeof *burst->winners);
    burst->phase = arena_take(arena, x->n_winners, sizeof *burst->phase);
    burst->events.n_steps = n_steps;
    burst->events.at = arena_take(arena, n_steps + 1, sizeof *burst->events.at);
    burst->events.row = arena_take_rows(arena, n_steps, x->n_winners, sizeof *burst->events.row);
}

/* ---- receive ---- */

static void count_inputs(const Expansion *expansion, const Raster *raster, uint32_t *heard) {
    const Events *events = &raster->events;
    memset(heard, 0, expansion->n_groups * EXPANSION_CHOICE * sizeof *heard);
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        heard[events->row[k]]++;
}

/* Input `which` of a group reaches the units of a tile that chose it. */
static void hear_input(const Kernel *kernel, const uint32_t *choices, size_t which, uint32_t spikes,
                       int32_t *drive) {
    uint32_t mask[KERNEL_WORDS];
    uint32_t low = which & 1 ? 0 : UINT32_MAX, high = which & 2 ? 0 : UINT32_MAX;
    for (size_t k = 0; k < KERNEL_WORDS; k++)
        mask[k] = (choices[k] ^ low) & (choices[KERNEL_WORDS + k] ^ high);
    kernel->drive_add(drive, mask, KERNEL_WORDS, (int32_t)spikes);
}

static void hear_tile(const Expansion *expansion, const Kernel *kernel, uint32_t seed, size_t tile,
                      const uint32_t *heard, int32_t *drive) {
    memset(drive, 0, EXPANSION_TILE * sizeof *drive);
    for (size_t g = 0; g < expansion->n_groups; g++) {
        uint32_t drawn[EXPANSION_WORDS];
        const uint32_t *choices = NULL;
        for (size_t which = 0; which < EXPANSION_CHOICE; which++) {
            uint32_t spikes = heard[which * expansion->n_groups + g];
            if (spikes == 0)
                continue;
            if (!choices && expansion->choices)
                choices = expansion->choices + choices_at(expansion, g, tile);
            if (!choices) {
                draw_choices(kernel, seed, g, tile, drawn);
                choices = drawn;
            }
            hear_input(kernel, choices, which, spikes, drive);
        }
    }
}

/* ---- inhibit ---- */

static size_t count_at_least(const int32_t *drive, size_t n, int32_t least) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += drive[i] >= least;
    return count;
}

/* The largest threshold that n_winners reach; at least 1, so that no unit fires without input. */
static int32_t inhibition(const int32_t *drive, size_t n, size_t n_winners) {
    int32_t low = 1, high = 1;
    for (size_t i = 0; i < n; i++)
        high = drive[i] > high ? drive[i] : high;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (count_at_least(drive, n, middle) >= n_winners)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Those above the threshold, then the first of those that equal it, up to n_winners. */
static void find_winners(const Expansion *expansion, Burst *burst) {
    size_t n = expansion->n_units;
    int32_t least = inhibition(burst->drive, n, expansion->n_winners);
    size_t above = count_at_least(burst->drive, n, least + 1), on_it = expansion->n_winners - above;
    burst->n_winners = 0;
    for (size_t i = 0; i < n; i++) {
        if (burst->drive[i] < least || (burst->drive[i] == least && on_it == 0))
            continue;
        on_it -= burst->drive[i] == least;
        burst->winners[burst->n_winners++] = (uint32_t)i;
    }
}

/* ---- fire ---- */

/* All fire at the same rate, at times evenly spread over a period: each when its phase wraps. */
static void take_turns(const Expansion *expansion, Burst *burst) {
    Events *events = &burst->events;
    size_t n = 0;
    for (size_t k = 0; k < burst->n_winners; k++)
        burst->phase[k] = (uint32_t)(((uint64_t)k << 32) / burst->n_winners);
    for (size_t t = 0; t < events->n_steps; t++) {
        events->at[t] = n;
        for (size_t k = 0; k < burst->n_winners; k++) {
            uint32_t before = burst->phase[k];
            burst->phase[k] = before + expansion->turn;
            if (burst->phase[k] < before)
                events->row[n++] = burst->winners[k];
        }
    }
    events->at[events->n_steps] = n;
}

void expansion_fire(const Expansion *expansion, const Kernel *kernel, uint32_t seed,
                    const Raster *raster, Burst *burst) {
    count_inputs(expansion, raster, burst->heard);
    for (size_t t = 0; t < expansion->n_tiles; t++)
        hear_tile(expansion, kernel, seed, t, burst->heard, burst->drive + t * EXPANSION_TILE);
    find_winners(expansion, burst);
    take_turns(expansion, burst);
}
