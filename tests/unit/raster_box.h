/* raster_box.h - a raster with memory of its own, and its spikes as a table. */
#ifndef TESTS_RASTER_BOX_H
#define TESTS_RASTER_BOX_H

#include "net/encode.h"
#include "check.h"

#include <stdlib.h>

typedef struct RasterBox {
    Raster raster;
    void *memory;
    uint8_t *spikes; /* [n_steps][n_inputs], 0 or 1; see raster_box_open */
} RasterBox;

static inline RasterBox raster_box_new(size_t n_steps, size_t n_inputs) {
    RasterBox box = {0};
    Arena arena = {0};
    raster_carve(&box.raster, n_steps, n_inputs, &arena);
    box.memory = aligned_alloc(ARENA_ALIGN, arena.used);
    box.spikes = calloc(n_steps * n_inputs, 1);
    assert_non_null(box.memory);
    assert_non_null(box.spikes);
    memset(box.memory, 0xa5, arena.used); /* what the last sample left behind */
    arena = (Arena){.base = box.memory};
    raster_carve(&box.raster, n_steps, n_inputs, &arena);
    return box;
}

/* Fill the table; the events must be in order. */
static inline void raster_box_open(RasterBox *box) {
    const Events *events = &box->raster.events;
    memset(box->spikes, 0, events->n_steps * box->raster.n_inputs);
    for (size_t t = 0; t < events->n_steps; t++)
        for (size_t k = events->at[t]; k < events->at[t + 1]; k++) {
            assert_true(events->row[k] < box->raster.n_inputs);
            assert_true(k == events->at[t] || events->row[k] > events->row[k - 1]);
            box->spikes[t * box->raster.n_inputs + events->row[k]] = 1;
        }
}

static inline void raster_box_free(RasterBox *box) {
    free(box->memory);
    free(box->spikes);
}

#endif
