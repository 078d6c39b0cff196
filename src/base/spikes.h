/* spikes.h - which neurons spike when: a list per step; and the input spikes of one sample. */
#ifndef BASE_SPIKES_H
#define BASE_SPIKES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum { EVENTS_LANES = 16 }; /* neurons to a word of a mask */

static inline size_t events_words(size_t n) {
    return (n + EVENTS_LANES - 1) / EVENTS_LANES;
}

/* At step t the neurons row[at[t]] to row[at[t + 1] - 1] spike, in ascending order. */
typedef struct Events {
    size_t n_steps;
    size_t *at;    /* [n_steps + 1] */
    uint32_t *row; /* [n_steps * as many as there are neurons, and a word more] */
} Events;

/* The input spikes of one sample, and the room to draw them. */
typedef struct Raster {
    size_t n_inputs;
    Events events;
    uint16_t *mask;   /* [n_steps][words]: a bit for each of the inputs that may spike */
    uint32_t *column; /* [words * EVENTS_LANES]: which inputs those are */
    uint32_t *limit;  /* the same: such an input spikes if a 32-bit number is at most this */
} Raster;

static inline void raster_carve(Raster *raster, size_t n_steps, size_t n_inputs, Arena *arena) {
    size_t words = events_words(n_inputs);
    raster->n_inputs = n_inputs;
    raster->events.n_steps = n_steps;
    raster->events.at = arena_take(arena, n_steps + 1, sizeof *raster->events.at);
    raster->events.row =
        arena_take_rows(arena, n_steps, words * EVENTS_LANES, sizeof *raster->events.row);
    (void)arena_take(arena, EVENTS_LANES, sizeof *raster->events.row);
    raster->mask = arena_take_rows(arena, n_steps, words, sizeof *raster->mask);
    raster->column = arena_take_rows(arena, words, EVENTS_LANES, sizeof *raster->column);
    raster->limit = arena_take_rows(arena, words, EVENTS_LANES, sizeof *raster->limit);
}

#endif
