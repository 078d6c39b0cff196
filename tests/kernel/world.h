/* world.h - everything that kernels read and write, as plain arrays side by side.
 *
 * Two kernels did the same if the bytes of their worlds are the same, so nothing has to be said
 * about which of them a function may write. world.c fills one with random values; a Case says how
 * much of it is used and how. */
#ifndef TESTS_KERNEL_WORLD_H
#define TESTS_KERNEL_WORLD_H

#include "kernel/kernel.h"

enum {
    BLOCKS_MAX = 24, /* spans have up to 20 blocks of columns, and there is room around them */
    SPAN_MAX = 20,
    STRIDE_MAX = BLOCKS_MAX * KERNEL_LANES,
    LIST_MAX = 40,                         /* rows that are listed; */
    ROWS = LIST_MAX + 1,                   /* one at least is not */
    LINES = 6,                             /* of histories; the last one is now */
    STEPS = 33,                            /* of all steps at once, and samples slept through */
    FOUND = STRIDE_MAX + 2 * KERNEL_LANES, /* what collect may overwrite, and more */
    WORDS_MAX = 24,                        /* of a patch */
    PATCHES = 6,
    UNIT_BLOCKS = 8,
    SETTLED_MAX = 8 * SETTLE_LANES, /* values that settle */
};

typedef struct World {
    _Alignas(64) float before_all[KERNEL_LANES];
    _Alignas(64) float awake[ROWS * STRIDE_MAX * 3];
    _Alignas(64) float w[ROWS * STRIDE_MAX];
    _Alignas(64) float w_ref[ROWS * STRIDE_MAX];
    _Alignas(64) uint16_t m_steps[ROWS * STRIDE_MAX];
    _Alignas(64) uint16_t ready[STRIDE_MAX];
    _Alignas(64) float drive[LINES * STRIDE_MAX];
    _Alignas(64) float count[LINES * STRIDE_MAX];
    _Alignas(64) float after[STRIDE_MAX];
    _Alignas(64) float owed[STEPS * STRIDE_MAX];
    _Alignas(64) float current[STRIDE_MAX];
    _Alignas(64) float i[STRIDE_MAX];
    _Alignas(64) float v[STRIDE_MAX];
    _Alignas(64) float u[STRIDE_MAX];
    _Alignas(64) int32_t hold[STRIDE_MAX];
    _Alignas(64) float error[STRIDE_MAX];
    _Alignas(64) float input[STEPS * STRIDE_MAX];
    _Alignas(64) uint16_t spiked[STEPS * BLOCKS_MAX];
    _Alignas(64) size_t at[STEPS + 1];
    _Alignas(64) uint32_t event[STEPS * ROWS];
    _Alignas(64) uint32_t index[KERNEL_LANES];
    _Alignas(64) uint32_t limit[KERNEL_LANES];
    _Alignas(64) uint32_t column[STRIDE_MAX];
    _Alignas(64) uint32_t found[FOUND];
    _Alignas(64) int8_t patch[PATCHES][4 * WORDS_MAX];
    _Alignas(64) int8_t templates[UNIT_BLOCKS * WORDS_MAX * KERNEL_UNITS * 4];
    _Alignas(64) int32_t inverse[UNIT_BLOCKS * KERNEL_UNITS];
    _Alignas(64) uint32_t block[UNIT_BLOCKS];
    _Alignas(64) Match best[PATCHES];
    _Alignas(64) int8_t settled[SETTLED_MAX];
    _Alignas(64) int8_t toward[SETTLED_MAX];
    _Alignas(64) uint32_t squares;
    _Alignas(64) float after_all[KERNEL_LANES];
} World;

/* Repeatable random numbers (splitmix64). */
typedef struct Dice {
    uint64_t state;
} Dice;

uint32_t dice_word(Dice *dice);
static inline size_t dice_below(Dice *dice, size_t n) {
    return (size_t)((uint64_t)dice_word(dice) * n >> 32);
}
static inline bool one_in(Dice *dice, size_t n) {
    return dice_below(dice, n) == 0;
}

/* How a world is used. */
typedef struct Case {
    unsigned number;
    size_t stride; /* of every array of columns */
    Span span;
    SynapseRule rule;
    NeuronRule neuron;
    bool has_w_ref, has_m_steps, has_ready, has_error;
    uint32_t list[LIST_MAX]; /* the rows to visit; */
    size_t n_list;
    size_t row;                /* the one for functions of one row */
    size_t line[ROWS];         /* of histories: what a row owes */
    size_t n_steps, n_samples; /* both up to STEPS */
    size_t word, n_words;      /* of masks: where to draw, how many to collect */
    uint32_t key[2];
    uint64_t sample;
    size_t patch_words, n_units[PATCHES]; /* units that compete for each patch */
    size_t n_settled;                     /* values, at this rate */
    int32_t settle_rate;
    uint32_t draws;
} Case;

/* The case of this number, and its world. */
void case_roll(Case *c, World *world, unsigned number);

/* A case for timing: the usual sizes, and values that calling again and again does not change. */
void case_usual(Case *c, World *world);

/* The part of columns, in columns.c. */
void columns_roll(Case *c, World *world, Dice *dice);
void columns_usual(Case *c, World *world, Dice *dice);

/* Views of a world. */
AwakeRow world_awake(World *world, const Case *c, size_t r, bool has_w_ref);
void world_listed(World *world, const Case *c, bool has_w_ref, AwakeRow rows[LIST_MAX]);
Row world_row(World *world, const Case *c, bool has_w_ref);

#endif
