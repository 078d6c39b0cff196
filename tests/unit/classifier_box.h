/* classifier_box.h - classifiers, a stream for them that is always the same, and their bytes. */
#ifndef TESTS_CLASSIFIER_BOX_H
#define TESTS_CLASSIFIER_BOX_H

#include "tacos_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* "key = value" pairs, up to NULL. */
static inline tacos_classifier *classifier_of(const char *preset, const char *const *keys) {
    tacos_classifier *c;
    tacos_error err;
    assert_succeeds(tacos_classifier_new(&c, preset, 7, &err));
    for (; keys && keys[0]; keys += 2)
        assert_succeeds(tacos_classifier_set(c, keys[0], keys[1], &err));
    return c;
}

/* ---- a stream ---- */

enum { BOX_FEATURES = 4 };

/* Three numbers and a text; some are missing. */
typedef struct BoxSample {
    double numbers[BOX_FEATURES];
    const char *texts[BOX_FEATURES];
    tacos_sample sample;
    const char *label; /* NULL: none */
} BoxSample;

/* Sample k: its label is one of two at first, then of up to seven; the second feature is missing in
 * the first samples. */
static inline void box_sample(BoxSample *out, uint32_t k) {
    static const char *const labels[] = {"a", "b", "c", "\xc3\xa9t\xc3\xa9", "e \"5\"", "f", "g"};
    static const char *const colours[] = {"red", "green", "blue", "", "\xff\xfe", "grey", "black"};
    Dice dice = {.game = 5000 + k};
    size_t most = 2 + (k / 15 < 5 ? k / 15 : 5), label = (size_t)roll(&dice, 0, (double)most);
    *out = (BoxSample){.label = roll(&dice, 0, 1) < 0.15 ? NULL : labels[label]};
    out->numbers[0] = 1e6 + 1000 * (double)label + roll(&dice, 0, 300);
    out->numbers[1] = roll(&dice, 0, 1) < 0.2 || k < 3 ? (double)NAN : -1e-6 * (double)(label % 3);
    out->numbers[3] = 5;
    if (roll(&dice, 0, 1) < 0.9)
        out->texts[2] = colours[(label + (size_t)roll(&dice, 0, 1.3)) % 7];
    else
        out->numbers[2] = (double)NAN;
    out->sample = (tacos_sample){out->numbers, out->texts, BOX_FEATURES};
}

static inline tacos_answer box_next(tacos_classifier *c, uint32_t k) {
    BoxSample box;
    tacos_answer answer;
    tacos_error err;
    box_sample(&box, k);
    assert_succeeds(tacos_classifier_next(c, &box.sample, box.label, &answer, &err));
    return answer;
}

static inline void box_learn(tacos_classifier *c, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++)
        (void)box_next(c, k);
}

static inline bool same_real(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Both give the same answer to sample k, and learn it. */
static inline void box_twins_next(tacos_classifier *a, tacos_classifier *b, uint32_t k) {
    tacos_answer x = box_next(a, k), y = box_next(b, k);
    assert_int_equal(x.label, y.label);
    assert_true(same_real(x.confidence, y.confidence) && same_real(x.novelty, y.novelty));
    assert_int_equal(tacos_classifier_n_labels(a), tacos_classifier_n_labels(b));
    for (size_t label = 0; label < tacos_classifier_n_labels(a); label++)
        assert_true(same_real(x.chances[label], y.chances[label]));
}

/* ---- bytes ---- */

typedef struct BoxTape {
    uint8_t *bytes;
    size_t n, at, room;
} BoxTape;

static inline int box_write(void *user, const void *bytes, size_t n) {
    BoxTape *tape = user;
    while (tape->n + n > tape->room) {
        tape->room = 2 * tape->room + n;
        tape->bytes = realloc(tape->bytes, tape->room);
        assert_non_null(tape->bytes);
    }
    memcpy(tape->bytes + tape->n, bytes, n);
    tape->n += n;
    return 0;
}

static inline int box_read(void *user, void *bytes, size_t n) {
    BoxTape *tape = user;
    if (n > tape->n - tape->at)
        return 1;
    memcpy(bytes, tape->bytes + tape->at, n);
    tape->at += n;
    return 0;
}

static inline void box_save(tacos_classifier *c, BoxTape *tape) {
    tacos_error err;
    tape->n = tape->at = 0;
    assert_succeeds(tacos_classifier_save_to(c, box_write, tape, &err));
}

static inline tacos_classifier *box_load(BoxTape *tape) {
    tacos_classifier *c;
    tacos_error err;
    tape->at = 0;
    assert_succeeds(tacos_classifier_load_from(&c, box_read, tape, &err));
    assert_int_equal(tape->at, tape->n);
    return c;
}

#endif
