/* expansion.h - many units with fixed random synapses between the inputs and the layers that learn,
 * of which the few that hear most may fire.
 *
 * Inputs that are a quarter of all inputs apart make a group of four, and every unit hears one of
 * each group, chosen at random: all units hear equally many, and neighbours in an image are chosen
 * independently. While a sample is shown, units add up the spikes they hear. Then inhibition lets
 * the n_winners go that heard most, and those take turns to fire at a steady rate: this is what the
 * layers that learn hear. docs/beyond.md gives the reasons.
 *
 * The synapses never change. They are two bits a unit and group, drawn whenever they are needed, or
 * drawn once and stored; that makes no other difference. */
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
    size_t n_units; /* 0: there is no expansion */
    size_t n_winners, n_tiles, n_groups;
    uint32_t turn;     /* what a firing unit's phase gains a step, in 1 / 2^32 of a period */
    uint32_t *choices; /* [n_groups][n_tiles][EXPANSION_WORDS]; NULL: drawn when needed */
    size_t n_bytes;    /* of choices, or as many as they would take */
} Expansion;

/* What one sample needs. */
typedef struct Burst {
    uint32_t *heard;   /* [n_groups * EXPANSION_CHOICE]: spikes of each input */
    int32_t *drive;    /* [n_tiles * EXPANSION_TILE]: spikes that each unit heard */
    uint32_t *winners; /* [n_winners], ascending */
    uint32_t *phase;   /* [n_winners] */
    size_t n_winners;
    Events events; /* what they say */
} Burst;

void expansion_shape(Expansion *expansion, const Params *params);
void expansion_carve(Expansion *expansion, const Params *params, Arena *arena);
void expansion_draw(Expansion *expansion, const Kernel *kernel, uint32_t seed);

void burst_carve(Burst *burst, const Expansion *expansion, size_t n_steps, Arena *arena);

/* From the spikes of the inputs to those of the winners. */
void expansion_fire(const Expansion *expansion, const Kernel *kernel, uint32_t seed,
                    const Raster *raster, Burst *burst);

#endif
