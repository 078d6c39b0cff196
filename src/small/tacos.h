/* tacos.h - learning on a microcontroller: one sample after the other, in memory of a fixed size,
 * keeping what was learned before.
 *
 *   static uint64_t memory[48 * 1024 / 8];
 *   tacos_setup setup;
 *   tacos *learner;
 *
 *   tacos_defaults(&setup);
 *   setup.height = setup.width = 14;
 *   setup.outputs = 10;
 *   if (tacos_start(&learner, memory, sizeof memory, &setup) != TACOS_GOOD)
 *       ...
 *   tacos_learn(learner, pixels, label);
 *   tacos_answer answer = tacos_predict(learner, pixels);
 *
 * It is the model `columns` (TACOS itself: see the end): whole numbers only, no malloc, no files,
 * no threads, and of the C library memcpy, memmove and memset. Compile tacos.c with your program,
 * by gcc or clang, as C99 or C++11 and later. The same setup, seed and samples give the same state,
 * bit for bit, on any processor and in the library for desktops. A learner is used by one thread at
 * a time. */
#ifndef TACOS_SINGLE_H
#define TACOS_SINGLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TACOS_SINGLE_VERSION "@VERSION@"

/* ---- Making one ------------------------------------------------------------------------------ */

#include "columns/setup.h"

typedef struct tacos tacos;

/* What functions return: 0, or what is wrong. */
enum {
    TACOS_GOOD = 0,
    TACOS_SETUP = -1,   /* there is no learner of such a setup */
    TACOS_ROOM = -2,    /* the memory is too small */
    TACOS_TARGET = -3,  /* there is no such output */
    TACOS_BLOCK = -4,   /* not a saved state, or a damaged one */
    TACOS_NEWER = -5,   /* a state saved by a newer version */
    TACOS_FLASH = -6,   /* the caller's function failed, or a slot is too small */
    TACOS_NOTHING = -7, /* no slot has a state */
};

/* Fill in the defaults; height, width and outputs are for the caller to set. */
void tacos_defaults(tacos_setup *setup);

/* The bytes of memory that a learner of this setup takes; 0 if there is none. With units = 0, for
 * as few units as there can be. */
size_t tacos_bytes(const tacos_setup *setup);

/* Make a learner in the caller's memory, which must be aligned to 8 bytes and is its own from then
 * on. With setup->units = 0 it gets as many units as fit. */
int tacos_start(tacos **out, void *memory, size_t bytes, const tacos_setup *setup);

/* ---- Learning and predicting ----------------------------------------------------------------- */

/* Inputs are values from 0 to 255: [height][width][channels]. */

typedef struct tacos_answer {
    int32_t output;  /* the likeliest; -1 before anything was learned */
    int32_t second;  /* the next one; -1 if only one has been learned */
    uint32_t margin; /* how much likelier than the second, in 1/256 of a factor of two */
    uint32_t match;  /* how well the input is known, from 0 to 1000: the mean over its parts */
} tacos_answer;

/* Learn one sample. TACOS_GOOD or TACOS_TARGET. */
int tacos_learn(tacos *learner, const uint8_t *input, uint32_t target);

/* Only its workspace changes. */
tacos_answer tacos_predict(tacos *learner, const uint8_t *input);

/* ---- What it is ------------------------------------------------------------------------------ */

const tacos_setup *tacos_setup_of(const tacos *learner); /* units are those that it has */
uint64_t tacos_learned(const tacos *learner);            /* samples */
uint32_t tacos_units_used(const tacos *learner);

/* A number that is the same where all that was learned is the same; model_digest of the desktop. */
uint32_t tacos_digest(const tacos *learner);

/* ---- The state as one block of bytes --------------------------------------------------------- */

/* The same bytes on every machine; `tacos export --small` writes such a block on a desktop, and
 * `tacos import` reads one. It has a version and checksums. */

/* How long it is; this does not change. */
uint32_t tacos_block_bytes(const tacos *learner);

/* Give it to `write`, piece by piece; 0 is success. */
typedef int tacos_writer(void *user, const void *bytes, size_t n);
int tacos_save(const tacos *learner, tacos_writer *write, void *user);

/* Make a learner of a block in memory or flash. TACOS_GOOD, _BLOCK, _NEWER or _ROOM; without
 * success there is no learner, and `memory` holds garbage. */
int tacos_restore(tacos **out, void *memory, size_t bytes, const void *block, size_t block_bytes);

/* The bytes of memory that tacos_restore needs; 0 if it is not a block. */
size_t tacos_restore_bytes(const void *block, size_t block_bytes);

/* ---- Two places in flash --------------------------------------------------------------------- */

/* If power fails while a state is saved, the one before is still there: states are written to two
 * slots in turn, and each is complete only with its last bytes. */

enum { TACOS_PIECE = 64 }; /* flash is written in pieces of so many bytes, aligned to as many */

typedef struct tacos_flash {
    const void *slot[2]; /* where they can be read */
    size_t bytes;        /* of each; at least tacos_slot_bytes */
    int (*erase)(void *user, int slot);
    int (*write)(void *user, int slot, size_t at, const void *piece); /* TACOS_PIECE bytes */
    void *user;
} tacos_flash;

size_t tacos_slot_bytes(const tacos *learner);

/* Save to the slot that does not hold the newest state. */
int tacos_keep(const tacos *learner, const tacos_flash *flash);

/* Make a learner of the newest state that is complete. */
int tacos_recall(tacos **out, void *memory, size_t bytes, const tacos_flash *flash);

/* ---- TACOS itself ---------------------------------------------------------------------------- */

/* The spiking networks, if tacos.c is compiled with -DTACOS_SPIKING: in single precision, which
 * processors without floating point do in software. They need no double precision and no functions
 * of mathematics, and about as much memory besides the model as the model itself.
 *
 * A network is made of a block that `tacos export --small` writes on a desktop, before it has
 * learned anything or later. Its constants are used where they lie, so the block, aligned to 4
 * bytes, must stay there (as in flash); its weights are copied. */

typedef struct tacos_spiking tacos_spiking;

/* The bytes of memory that the network of a block takes; 0 if it is not a block. */
size_t tacos_spiking_bytes(const void *block, size_t block_bytes);

/* Make it in the caller's memory, aligned to 8 bytes. TACOS_GOOD, _BLOCK, _NEWER or _ROOM; without
 * success there is no network, and `memory` holds garbage. */
int tacos_spiking_start(tacos_spiking **out, void *memory, size_t bytes, const void *block,
                        size_t block_bytes);

/* Learn one sample of values from 0 to 255. TACOS_GOOD or TACOS_TARGET. */
int tacos_spiking_learn(tacos_spiking *network, const uint8_t *input, uint32_t target);

/* The output with the most spikes, the lowest on a tie; -1 if none spikes. The input spikes are
 * drawn at random: the same ones for the same `draw`. What was learned does not change. */
int32_t tacos_spiking_predict(tacos_spiking *network, const uint8_t *input, uint64_t draw);

/* Spikes of an output in the last sample. */
uint32_t tacos_spiking_count(const tacos_spiking *network, uint32_t output);

uint64_t tacos_spiking_learned(const tacos_spiking *network);   /* samples */
size_t tacos_spiking_model_bytes(const tacos_spiking *network); /* what is learned, and feedback */

/* A number that is the same where all that was learned is the same; model_digest of the desktop. */
uint32_t tacos_spiking_digest(const tacos_spiking *network);

/* The state as a block again, as long as the first; tacos_spiking_start and `tacos import` take it.
 * TACOS_GOOD or TACOS_FLASH. */
uint32_t tacos_spiking_block_bytes(const tacos_spiking *network);
int tacos_spiking_save(const tacos_spiking *network, tacos_writer *write, void *user);

#ifdef __cplusplus
}
#endif

#endif
