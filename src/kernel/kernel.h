/* kernel.h - the inner loops over rows of synapses, layers of neurons, random numbers and the units
 * of columns.
 *
 * ref.c defines each of them; avx2.c, avx512.c, neon.c and wasm.c give the same bits, faster. All
 * arrays are padded to a multiple of KERNEL_LANES, aligned to 64 bytes and zero in the padding.
 * Arithmetic is single precision in the order written, with a fused multiply-add exactly where
 * ref.c has one, so any kernel, compiler and vector width gives the same bits. "Step 5" is step 5
 * of the list in docs/engine.md.
 *
 * Every loop works on a span of columns: pointers are to whole rows, of which it touches only the
 * span. So a wide layer may be split into spans, one per thread, without changing a bit. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "base/exact.h"

#include "base/spikes.h"
#include "base/status.h"
#include "kernel/rules.h"
#include "kernel/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The vector kernels of the machine that the compiler compiles for. Each checks at run time whether
 * the processor supports it; those of other machines are empty files. */
#if defined(__x86_64__)
#define KERNEL_X86
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define KERNEL_NEON
#elif defined(__wasm_simd128__)
#define KERNEL_WASM
#endif

enum { KERNEL_LANES = EVENTS_LANES };

/* Columns of a layer, multiples of KERNEL_LANES. */
typedef struct Span {
    size_t from, to;
} Span;

static inline size_t kernel_padded(size_t n) {
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

/* ---- Synapses ---- */

/* One row: the synapses of one presynaptic neuron. */
typedef struct Row {
    float *w;
    float *w_ref;      /* NULL without decay */
    uint16_t *m_steps; /* NULL where m is the same for all */
} Row;

/* The state of a row awake, side by side for every KERNEL_LANES synapses:
 *   v  what learning moves: w - w_ref with decay, w without
 *   f  plasticity, exp(-|m w|)                        (only if plastic)
 *   M  m with the sign of w                           (only if plastic)
 * f follows w by a series, and is recomputed when a row wakes. */
static inline size_t kernel_parts(const SynapseRule *rule) {
    return rule->plastic ? 3 : 1;
}

/* A row awake, and what it owes: the error of its last spike and the decays since that step. */
typedef struct AwakeRow {
    float *awake;        /* [stride * parts] */
    const float *w_ref;  /* [stride], NULL without decay */
    const float *drive;  /* [stride]: eta U [gate] at the last spike */
    const float *before; /* [stride]: alpha times the postsynaptic spikes before that step */
} AwakeRow;

/* ---- Neurons ---- */

/* The membranes of a layer; [stride] each. */
typedef struct Neurons {
    float *i, *v, *u; /* I, V, U */
    int32_t *hold;    /* steps of refractoriness left */
} Neurons;

/* ---- Kernels ---- */

typedef struct Kernel {
    const char *name;
    bool (*runs_here)(void); /* the processor and the system support it */

    /* current += w_ref of these rows. */
    void (*rows_add)(const AwakeRow *rows, size_t n_rows, float *current, Span span);

    /* Step 8 for these rows, up to now, then current += v:
     * e = drive + (now - before) v; w -= f e. */
    void (*rows_visit)(const AwakeRow *rows, size_t n_rows, const float *now,
                       const SynapseRule *rule, float *current, Span span);

    /* Pure decays of a row awake, from `before` to now, by a series of second order. */
    void (*row_decay)(const AwakeRow *row, const float *now, const SynapseRule *rule, Span span);

    /* Samples through which a row slept: decays, owed[s][stride] = k alpha of each synapse, then
     * w_ref += cons_rate (w - w_ref). */
    void (*row_rest)(const Row *row, const float *owed, size_t stride, size_t n_samples,
                     const SynapseRule *rule, Span span);

    /* Wake a row: fill `awake`. */
    void (*row_wake)(const Row *row, float *awake, const SynapseRule *rule, Span span);

    /* The sample is over: w, w_ref += cons_rate (w - w_ref), and m_steps + 1 where ready (NULL:
     * nowhere) is 1. */
    void (*row_sleep)(const Row *row, const float *awake, const uint16_t *ready,
                      const SynapseRule *rule, Span span);

    /* Step 2 for one layer, given sum_j w_ij S_j. spiked[k] has a bit for each of the
     * KERNEL_LANES neurons from k KERNEL_LANES on; after = before + alpha S. */
    void (*neurons_fire)(const Neurons *neurons, const float *input, const NeuronRule *rule,
                         uint16_t *spiked, const float *before, float *after, Span span);

    /* Step 7: U += dt/tau_u (R_u E - U), E = 0 if error is NULL; and what step 8 needs of it:
     * drive = eta U where the gate is open, else 0. Returns how many drives are not 0. */
    size_t (*neurons_feel)(const Neurons *neurons, const float *error, float *drive,
                           const NeuronRule *rule, Span span);

    /* All steps at once, for spikes known beforehand: input[t][stride] = sum of the rows. */
    void (*steps_sum)(const float *w, size_t stride, const Events *events, float *input, Span span);

    /* The same, and step 2 on top: spiked[t][stride / KERNEL_LANES]. */
    void (*steps_fire)(const float *w, size_t stride, const Events *events, const NeuronRule *rule,
                       uint16_t *spiked, Span span);

    /* Random numbers of KERNEL_LANES inputs: bit i of spiked[t * words] says whether number
     * t mod 4 of Philox block {index[i], t / 4, sample} is at most limit[i]. */
    void (*draw)(const uint32_t key[2], uint64_t sample, const uint32_t *index,
                 const uint32_t *limit, uint16_t *spiked, size_t words, size_t n_steps);

    /* List the columns whose bits are set, in order; returns how many. column has KERNEL_LANES
     * entries per word; up to KERNEL_LANES entries after the last one may be overwritten. */
    size_t (*collect)(uint32_t *list, const uint16_t *mask, size_t n_words, const uint32_t *column);

    /* Of a columns learner: the unit with the largest match, the first one on a tie. INT32_MIN and
     * UINT32_MAX if there are none. */
    Match (*match)(const Matching *matching);

    /* A template follows a patch. Returns its new squared norm. */
    uint32_t (*settle)(const Settling *settling);
} Kernel;

/* The functions of a file's kernels, all but `match`, which may differ between them. */
#define KERNEL_LOOPS                                                                               \
    .rows_add = rows_add, .rows_visit = rows_visit, .row_decay = row_decay, .row_rest = row_rest,  \
    .row_wake = row_wake, .row_sleep = row_sleep, .neurons_fire = neurons_fire,                    \
    .neurons_feel = neurons_feel, .steps_sum = steps_sum, .steps_fire = steps_fire, .draw = draw,  \
    .collect = collect, .settle = settle

/* The lists of all steps from their masks, mask[t][n_words]. */
static inline void kernel_collect_steps(const Kernel *kernel, Events *events, const uint16_t *mask,
                                        size_t n_words, const uint32_t *column) {
    size_t n = 0;
    for (size_t t = 0; t < events->n_steps; t++) {
        events->at[t] = n;
        n += kernel->collect(events->row + n, mask + t * n_words, n_words, column);
    }
    events->at[events->n_steps] = n;
}

extern const Kernel kernel_ref;
#ifdef KERNEL_X86
extern const Kernel kernel_avx2, kernel_avx512, kernel_avx512_vnni;
#endif
#ifdef KERNEL_NEON
extern const Kernel kernel_neon, kernel_neon_dot;
#endif
#ifdef KERNEL_WASM
extern const Kernel kernel_wasm;
Match kernel_match_wasm(const Matching *matching); /* wasm.c; the rest is that of ref.c */
#endif

/* ---- select.c ---- */

extern const Kernel *const kernels[]; /* all that are built in, fastest first, ended by NULL */
const Kernel *kernel_named(const char *name); /* NULL if there is none */

/* The one that TACOS_KERNEL names, which must run here; without it the fastest that does. */
tacos_status kernel_select(const Kernel **out, tacos_error *err);

#endif
