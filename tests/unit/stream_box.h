/* stream_box.h - evaluations of streams that are always the same, and their bytes. */
#ifndef TESTS_STREAM_BOX_H
#define TESTS_STREAM_BOX_H

#include <math.h>
#include <stdlib.h>

#include "check.h"

static inline tacos_evaluation *evaluation_of(size_t window, size_t max_labels,
                                              size_t report_every) {
    tacos_evaluation_options options = {window, max_labels, report_every};
    tacos_evaluation *evaluation;
    tacos_error err;
    assert_succeeds(tacos_evaluation_new(&evaluation, &options, &err));
    return evaluation;
}

static inline void add_sample(tacos_evaluation *evaluation, size_t label, int answer,
                              int rejected) {
    tacos_error err;
    assert_succeeds(tacos_evaluation_add(evaluation, label, answer, rejected, &err));
}

/* Samples `from` to `to` of a stream: labels in runs, more of them as it goes on; now and then
 * nothing is right any more, which ADWIN finds. No clock. */
static inline void go_on(tacos_evaluation *evaluation, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        Dice dice = {.game = 1000 + (uint32_t)k};
        size_t label = k / 9 % (2 + k / 300);
        bool right = roll(&dice, 0, 1) < (k / 700 % 2 ? 0.2 : 0.95);
        bool rejected = roll(&dice, 0, 1) < 0.05;
        int answer = right ? (int)label : (int)roll(&dice, -1, 2 + (double)k / 300);
        add_sample(evaluation, label, answer, rejected);
        if (tacos_evaluation_due(evaluation))
            (void)tacos_evaluation_report(evaluation, NAN, 1000 + k);
    }
}

/* ---- bytes ---- */

typedef struct Bytes {
    unsigned char at[1 << 16];
    size_t n, taken;
} Bytes;

static inline int bytes_put(void *user, const void *bytes, size_t n) {
    Bytes *to = user;
    if (n > sizeof to->at - to->n)
        return 1;
    memcpy(to->at + to->n, bytes, n);
    to->n += n;
    return 0;
}

static inline int bytes_take(void *user, void *bytes, size_t n) {
    Bytes *from = user;
    if (n > from->n - from->taken)
        return 1;
    memcpy(bytes, from->at + from->taken, n);
    from->taken += n;
    return 0;
}

static inline void save_into(Bytes *bytes, const tacos_evaluation *evaluation) {
    tacos_error err;
    bytes->n = bytes->taken = 0;
    assert_succeeds(tacos_evaluation_save_to(evaluation, bytes_put, bytes, &err));
}

static inline tacos_status load_out_of(Bytes *bytes, tacos_evaluation **out, tacos_error *err) {
    bytes->taken = 0;
    return tacos_evaluation_load_from(out, bytes_take, bytes, err);
}

#endif
