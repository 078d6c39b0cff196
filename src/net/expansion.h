/* expansion.h - many units with fixed random synapses between the inputs and the layers that learn,
 * of which only the few with the most input fire.
 *
 * Inputs that are a quarter of all inputs apart form a group of four, and every unit receives one
 * input of each group, chosen at random: all units receive the same number of inputs, and
 * neighbours in an image are chosen independently. While a sample is shown, units count the spikes
 * they receive. Then inhibition selects the n_winners with the highest counts, and those take turns
 * to fire at a steady rate: the input of the layers that learn. docs/beyond.md gives the reasons.
 *
 * The synapses never change. They are two bits per unit and group, drawn whenever they are needed,
 * or drawn once and stored; the results are the same. */
#ifndef NET_EXPANSION_H
#define NET_EXPANSION_H

#include "base/arena.h"
#include "base/spikes.h"
#include "kernel/kernel.h"
#include "net/params.h"

enum {
    EXPANSION_CHOICE = 4,               /* inputs of a group */
    EXPANSION_TILE = KERNEL_WORDS * 32, /* units whose bits are drawn together */
    EXPANSION_WORDS = 2 * KERNEL_WORDS, /* of a tile and group: low bits, then high bits */
};

/* What lasts. */
typedef struct Expansion {
    size_t n_units; /* 0: no expansion */
    size_t n_winners, n_tiles, n_groups;
    uint32_t turn;     /* added to a firing unit's phase per step, in 1 / 2^32 of a period */
    uint32_t *choices; /* [n_groups][n_tiles][EXPANSION_WORDS]; NULL: drawn when needed */
    size_t n_bytes;    /* of choices, also if they are not stored */
} Expansion;

/* What one sample needs. */
typedef struct Burst {
    uint32_t *heard;   /* [n_groups * EXPANSION_CHOICE]: spikes of each input */
    int32_t *drive;    /* [n_tiles * EXPANSION_TILE]: spikes that each unit received */
    uint32_t *winners; /* [n_winners], ascending */
    uint32_t *phase;   /* [n_winners] */
    size_t n_winners;
    Events events; /* their spikes */
} Burst;

void expansion_shape(Expansion *expansion, const Params *params);
void expansion_carve(Expansion *expansion, const Params *params, Arena *arena);
void expansion_draw(Expansion *expansion, const Kernel *kernel, uint32_t seed);

void burst_carve(Burst *burst, const Expansion *expansion, size_t n_steps, Arena *arena);

/* From the spikes of the inputs to those of the winners. */
void expansion_fire(const Expansion *expansion, const Kernel *kernel, uint32_t seed,
                    const Raster *raster, Burst *burst);

#endif
