/* confusion.c - counts of answers, by moment and class. */
#include "lab/confusion.h"

#include <stdlib.h>

static size_t count_of(const Confusion *confusion, size_t n_moments) {
    return confusion->counts ? n_moments * confusion->n_labels * confusion->n_answers : 0;
}

tacos_status confusion_make(Confusion *out, size_t n_tasks, size_t n_labels, size_t n_outputs,
                            tacos_error *err) {
    *out = (Confusion){.n_moments = n_tasks + 1, .n_labels = n_labels, .n_answers = n_outputs + 1};
    if (n_labels == 0 || n_labels > ANSWERS_MAX / out->n_answers / out->n_moments)
        return TACOS_OK;
    out->counts = calloc(out->n_moments * n_labels * out->n_answers, sizeof *out->counts);
    return out->counts ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory for counts of answers");
}

void confusion_free(Confusion *confusion) {
    free(confusion->counts);
    *confusion = (Confusion){0};
}

void confusion_clear(const Confusion *confusion, size_t moment) {
    for (size_t i = count_of(confusion, moment); i < count_of(confusion, moment + 1); i++)
        atomic_store_explicit(&confusion->counts[i], 0, memory_order_relaxed);
}

void confusion_move(const Confusion *confusion, Pack *pack, size_t n_moments) {
    for (size_t i = 0; i < count_of(confusion, n_moments); i++) {
        uint64_t count = pack_whole(pack, atomic_load(&confusion->counts[i]), 4);
        atomic_store(&confusion->counts[i], (unsigned)count);
    }
}

tacos_status confusion_give(const Confusion *confusion, tacos_run *run, tacos_error *err) {
    size_t n = count_of(confusion, confusion->n_moments), used = 0;
    for (size_t i = 0; i < n; i++)
        used += atomic_load(&confusion->counts[i]) > 0;
    if (used == 0)
        return TACOS_OK;
    tacos_answer_count *answers = calloc(used, sizeof *answers);
    run->answers = answers;
    if (!answers)
        return failure(err, TACOS_MEMORY, "no memory for counts of answers");
    for (size_t i = 0; i < n; i++) {
        unsigned count = atomic_load(&confusion->counts[i]);
        size_t row = i / confusion->n_answers;
        if (count > 0)
            answers[run->n_answers++] =
                (tacos_answer_count){.after_task = (uint32_t)(row / confusion->n_labels),
                                     .label = (uint32_t)(row % confusion->n_labels),
                                     .answer = (int32_t)(i % confusion->n_answers) - 1,
                                     .n = count};
    }
    return TACOS_OK;
}
