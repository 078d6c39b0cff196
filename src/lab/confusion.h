/* confusion.h - how often the test samples of each class got each answer, counted while they are
 * scored: before learning, and after every task. */
#ifndef LAB_CONFUSION_H
#define LAB_CONFUSION_H

#include "base/pack.h"
#include "base/status.h"
#include "tacos_lab.h"

#include <stdatomic.h>

/* The most counts that a run keeps. Where there would be more, with hundreds of classes, it keeps
 * none. */
enum { ANSWERS_MAX = 16384 };

typedef struct Confusion {
    size_t n_moments, n_labels, n_answers; /* n_answers: of outputs, and none */
    atomic_uint *counts;                   /* [n_moments][n_labels][n_answers]; NULL: not kept */
} Confusion;

tacos_status confusion_make(Confusion *out, size_t n_tasks, size_t n_labels, size_t n_outputs,
                            tacos_error *err);
void confusion_free(Confusion *confusion);

/* Forget what was counted at a moment: 0 is before learning. */
void confusion_clear(const Confusion *confusion, size_t moment);

/* From any thread. answer: -1 is none. */
static inline void confusion_count(const Confusion *confusion, size_t moment, size_t label,
                                   int answer) {
    if (confusion->counts)
        atomic_fetch_add_explicit(
            &confusion->counts[(moment * confusion->n_labels + label) * confusion->n_answers +
                               (size_t)(answer + 1)],
            1, memory_order_relaxed);
}

/* Write or read the counts of the first moments. */
void confusion_move(const Confusion *confusion, Pack *pack, size_t n_moments);

/* Add them to a run. */
tacos_status confusion_give(const Confusion *confusion, tacos_run *run, tacos_error *err);

#endif
