/* test_classifier.c - learning a stream: labels as they come, refusals without a trace, the same
 * bits each time, and every model. */
#include "base/posix.h"

#include "base/pack_file.h"
#include "stream/classifier.h"

#include <float.h>

#include "classifier_box.h"

static tacos_status next_of(tacos_classifier *c, const double *numbers, size_t n, const char *label,
                            tacos_answer *out, tacos_error *err) {
    return tacos_classifier_next(c, &(tacos_sample){numbers, NULL, n}, label, out, err);
}

/* ---- settings ---- */

static void every_preset_learns(void **state) {
    tacos_preset_info preset;
    (void)state;
    for (size_t i = 0; tacos_preset(i, &preset); i++) {
        if (strcmp(preset.name, "sound") == 0) /* test_stream_sound.c */
            continue;
        tacos_classifier *c = classifier_of(preset.name, NULL);
        char model[40];
        tacos_answer answer;
        tacos_error err;
        assert_true(preset.about[0] && tacos_preset(i, &preset));
        assert_succeeds(tacos_classifier_get(c, "model", model, sizeof model, &err));
        for (size_t k = 0; k < 13; k++)
            assert_succeeds(
                next_of(c, (double[]){(double)(k % 2), 0.5}, 2, k % 2 ? "b" : "a", &answer, &err));
        assert_in_range(answer.label, 0, tacos_classifier_n_labels(c) - 1);
        assert_true(isnan(answer.novelty) == (strcmp(model, "columns") != 0));
        tacos_classifier_free(c);
    }
    tacos_classifier *c;
    tacos_error err;
    assert_fails(tacos_classifier_new(&c, "defualt", 1, &err), TACOS_UNKNOWN);
    assert_says(err, "the nearest is 'default'");
    assert_null(c);
    tacos_classifier_free(NULL);
}

static void keys_are_listed_set_and_got(void **state) {
    tacos_classifier *c = classifier_of(NULL, NULL);
    tacos_classifier_key_info key;
    char value[100];
    tacos_error err;
    (void)state;
    for (size_t i = 0; tacos_classifier_key(i, &key); i++) {
        assert_succeeds(tacos_classifier_get(c, key.name, value, sizeof value, &err));
        assert_string_equal(value, key.default_value);
        assert_succeeds(tacos_classifier_set(c, key.name, value, &err));
        assert_true(key.about[0] != '\0');
    }
    assert_fails(tacos_classifier_set(c, "warm_upp", "3", &err), TACOS_UNKNOWN);
    assert_says(err, "warm_up");
    assert_fails(tacos_classifier_set(c, "labels_max", "1", &err), TACOS_RANGE);
    assert_fails(tacos_classifier_set(c, "inputs", "5", &err), TACOS_INVALID);
    assert_fails(tacos_classifier_set(c, "column_group", "2", &err), TACOS_INVALID);
    box_learn(c, 0, 1);
    assert_fails(tacos_classifier_set(c, "warm_up", "3", &err), TACOS_INVALID);
    assert_fails(tacos_classifier_set_features(c, (const char *[]){"x"}, 1, &err), TACOS_INVALID);
    tacos_classifier_free(c);
}

/* The number of trends may change after features have names. */
static void settings_and_names_come_in_any_order(void **state) {
    static const char *const names[] = {"u", "v", "w", "x"};
    static const char *const lists[] = {"none", "6", "5,50,500", "7,70"};
    tacos_error err;
    (void)state;
    for (size_t first = 0; first < 4; first++)
        for (size_t then = 0; then < 4; then++) {
            tacos_classifier *a = classifier_of(NULL, NULL), *b = classifier_of(NULL, NULL);
            assert_succeeds(tacos_classifier_set(a, "encoder_trends", lists[first], &err));
            assert_succeeds(tacos_classifier_set_features(a, names, 4, &err));
            assert_succeeds(tacos_classifier_set(a, "encoder_trends", lists[then], &err));
            assert_succeeds(tacos_classifier_set(b, "encoder_trends", lists[then], &err));
            assert_succeeds(tacos_classifier_set_features(b, names, 4, &err));
            assert_int_equal(tacos_classifier_digest(a), tacos_classifier_digest(b));
            for (uint32_t k = 0; k < 30; k++)
                box_twins_next(a, b, k);
            assert_int_equal(tacos_classifier_digest(a), tacos_classifier_digest(b));
            tacos_classifier_free(a);
            tacos_classifier_free(b);
        }
}

static void features_have_names_in_messages(void **state) {
    char longest[NAME_LONGEST + 2];
    tacos_classifier *c = classifier_of(NULL, NULL);
    tacos_error err;
    (void)state;
    memset(longest, 'x', sizeof longest);
    longest[NAME_LONGEST + 1] = '\0';
    assert_succeeds(tacos_classifier_set_features(c, (const char *[]){"a", "b b"}, 2, &err));
    uint32_t digest = tacos_classifier_digest(c);
    assert_fails(tacos_classifier_set_features(c, (const char *[]){"u", longest, "w"}, 3, &err),
                 TACOS_RANGE);
    assert_fails(tacos_classifier_set_features(c, NULL, 0, &err), TACOS_INVALID);
    assert_int_equal(tacos_classifier_digest(c), digest);
    assert_fails(next_of(c, (double[]){1, HUGE_VAL}, 2, "x", NULL, &err), TACOS_RANGE);
    assert_says(err, "feature 'b b' is infinite");
    assert_fails(next_of(c, (double[]){1, 2, 3}, 3, "x", NULL, &err), TACOS_INVALID);
    tacos_classifier_free(c);
}

/* ---- labels ---- */

static void labels_appear_up_to_the_most(void **state) {
    static const char *const most[] = {"2", "3", "9", "70"};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        const char *const keys[] = {"labels_max", most[i / 2], "warm_up", i % 2 ? "1" : "256",
                                    NULL};
        tacos_classifier *c = classifier_of(NULL, keys);
        size_t n = strtoul(most[i / 2], NULL, 10);
        char label[40];
        tacos_error err;
        for (size_t k = 0; k < n; k++) {
            tacos_answer answer;
            (void)snprintf(label, sizeof label, "label %zu", k);
            for (int twice = 0; twice < 2; twice++)
                assert_succeeds(next_of(c, (double[]){(double)k, 1}, 2, label, &answer, &err));
            assert_int_equal(tacos_classifier_n_labels(c), k + 1);
            assert_string_equal(tacos_classifier_label(c, k), label);
            assert_int_equal(tacos_classifier_label_samples(c, k), 2);
        }
        uint32_t digest = tacos_classifier_digest(c);
        assert_fails(next_of(c, (double[]){0, 1}, 2, "one more", NULL, &err), TACOS_RANGE);
        assert_says(err, "label 'one more' is one too many: labels_max is");
        assert_int_equal(tacos_classifier_digest(c), digest);
        assert_succeeds(next_of(c, (double[]){0, 1}, 2, "label 0", NULL, &err));
        assert_null(tacos_classifier_label(c, n));
        assert_int_equal(tacos_classifier_label_samples(c, n), 0);
        tacos_classifier_free(c);
    }
}

static void labels_of_odd_bytes_are_names(void **state) {
    static const char *const odd[] = {"\x01", "\n",           "\xff\xfe", " ",
                                      "a\tb", "\xe2\x80\xae", "A",        "a"};
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "4", NULL});
    char longest[NAME_LONGEST + 1];
    tacos_error err;
    (void)state;
    memset(longest, 'y', sizeof longest);
    longest[NAME_LONGEST] = '\0';
    for (size_t k = 0; k < 24; k++)
        assert_succeeds(next_of(c, (double[]){(double)(k % 8)}, 1, odd[k % 8], NULL, &err));
    assert_succeeds(next_of(c, (double[]){9}, 1, longest, NULL, &err));
    assert_int_equal(tacos_classifier_n_labels(c), 9);
    for (size_t k = 0; k < 8; k++)
        assert_string_equal(tacos_classifier_label(c, k), odd[k]);
    tacos_classifier_free(c);
}

/* Whether labels come before, in or after the warm-up. */
static void the_first_label_may_come_late(void **state) {
    static const size_t moments[] = {0, 1, 5, 6, 7, 40};
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "6", NULL});
        tacos_answer answer;
        tacos_error err;
        for (size_t k = 0; k < moments[i]; k++) {
            assert_succeeds(next_of(c, (double[]){(double)k, 2}, 2, NULL, &answer, &err));
            assert_int_equal(answer.label, -1);
            assert_true(answer.novelty == 1 && answer.confidence == 0);
        }
        assert_null(tacos_classifier_learner(c));
        for (size_t k = 0; k < 40; k++)
            assert_succeeds(
                next_of(c, (double[]){k % 2 ? 1 : 9, 2}, 2, k % 2 ? "odd" : "even", &answer, &err));
        assert_int_equal(answer.label, 1);
        assert_non_null(tacos_classifier_learner(c));
        tacos_classifier_info info = tacos_classifier_info_get(c);
        assert_true(info.n_seen == moments[i] + 40 && info.n_learned == 40);
        assert_false(info.warming_up);
        tacos_classifier_free(c);
    }
}

/* ---- refusals ---- */

static void refused(tacos_classifier *c, const tacos_sample *sample, const char *label,
                    tacos_status status) {
    tacos_error err;
    tacos_answer answer = {.label = 77};
    uint32_t digest = tacos_classifier_digest(c);
    size_t n_labels = tacos_classifier_n_labels(c);
    assert_fails(tacos_classifier_next(c, sample, label, &answer, &err), status);
    assert_int_equal(answer.label, 77);
    assert_int_equal(tacos_classifier_digest(c), digest);
    assert_int_equal(tacos_classifier_n_labels(c), n_labels);
}

/* Each wrong in one way; two of them bring a kind, a category or a label that must not stay. */
static void refuse_all(tacos_classifier *c, bool begun) {
    static const double inf[4] = {1, 2, 3, HUGE_VAL}, plain[4] = {1, 2, 0, 4};
    static const char *const text[4] = {NULL, NULL, "new colour"};
    static const char *const wrong[4] = {"number", NULL, "new colour"};
    static char too_long[NAME_LONGEST + 2];
    const char *const long_text[4] = {NULL, NULL, too_long};
    memset(too_long, 'z', NAME_LONGEST + 1);
    refused(c, &(tacos_sample){inf, text, 4}, "new", TACOS_RANGE);
    refused(c, &(tacos_sample){plain, text, 4}, "", TACOS_INVALID);
    refused(c, &(tacos_sample){plain, text, 4}, too_long, TACOS_RANGE);
    refused(c, &(tacos_sample){plain, long_text, 4}, "a", TACOS_RANGE);
    refused(c, &(tacos_sample){plain, text, 0}, "a", TACOS_INVALID);
    if (!begun)
        return;
    refused(c, &(tacos_sample){plain, text, 3}, "new", TACOS_INVALID);
    refused(c, &(tacos_sample){plain, NULL, 4}, "new", TACOS_INVALID);
    refused(c, &(tacos_sample){plain, wrong, 4}, "new", TACOS_INVALID);
}

static void refusals_leave_no_trace(void **state) {
    const char *const keys[] = {"warm_up", "20", "encoder_trends", "5,9", NULL};
    tacos_classifier *c = classifier_of(NULL, keys), *untouched = classifier_of(NULL, keys);
    (void)state;
    for (uint32_t k = 0; k < 45; k++) {
        refuse_all(c, k > 4); /* by then every feature has had a value */
        assert_int_equal(tacos_classifier_digest(c), tacos_classifier_digest(untouched));
        box_twins_next(c, untouched, k);
    }
    tacos_classifier_free(c);
    tacos_classifier_free(untouched);
}

/* After a first sample that was refused another one may have other features. */
static void a_refused_first_sample_decides_nothing(void **state) {
    tacos_classifier *c = classifier_of(NULL, NULL);
    tacos_error err;
    (void)state;
    refused(c, &(tacos_sample){(double[]){1, HUGE_VAL}, NULL, 2}, "a", TACOS_RANGE);
    assert_succeeds(next_of(c, (double[]){1, 2, 3}, 3, "a", NULL, &err));
    assert_int_equal(tacos_classifier_info_get(c).n_features, 3);
    tacos_classifier_free(c);
}

/* Memory for columns is so small that the places of many features do not fit. */
static void settings_that_do_not_fit_are_told_at_every_label(void **state) {
    const char *const keys[] = {"column_memory_kb", "1", "warm_up", "3", NULL};
    tacos_classifier *c = classifier_of(NULL, keys);
    double numbers[30] = {0};
    const tacos_sample sample = {numbers, NULL, 30};
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 5; k++) {
        refused(c, &sample, "a", TACOS_RANGE);
        assert_succeeds(tacos_classifier_next(c, &sample, NULL, NULL, &err));
    }
    tacos_classifier_free(c);
    c = classifier_of(NULL, (const char *[]){"model", "tacos", "input_shape", "3,3", "hidden", "4",
                                             "outputs", "2", "warm_up", "3", NULL});
    for (size_t k = 0; k < 6; k++) {
        assert_succeeds(next_of(c, numbers, 2, k % 2 ? "b" : "a", NULL, &err));
        if (k > 0)
            refused(c, &(tacos_sample){numbers, NULL, 2}, "c", TACOS_RANGE);
    }
    tacos_classifier_free(c);
}

/* A feature that was missing until now is a text, or a number: everything is encoded anew. */
static void kinds_may_be_decided_late(void **state) {
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "30", NULL});
    const double missing[2] = {(double)NAN, 1};
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 10; k++)
        assert_succeeds(next_of(c, missing, 2, k % 2 ? "b" : "a", NULL, &err));
    for (size_t k = 0; k < 30; k++) {
        const char *texts[2] = {k % 2 ? "blue" : "red", NULL};
        tacos_answer answer;
        assert_succeeds(tacos_classifier_next(c, &(tacos_sample){missing, texts, 2},
                                              k % 2 ? "b" : "a", &answer, &err));
        if (k > 6)
            assert_string_equal(tacos_classifier_label(c, (size_t)answer.label), k % 2 ? "b" : "a");
    }
    refused(c, &(tacos_sample){(double[]){1, 1}, NULL, 2}, "a", TACOS_INVALID);
    tacos_classifier_free(c);
}

static void numbers_only_where_the_encoder_says_so(void **state) {
    static const char *const encoders[] = {"none", "image"};
    const char *const texts[2] = {NULL, "text"};
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        tacos_classifier *c = classifier_of(NULL, (const char *[]){"encoder", encoders[k], NULL});
        refused(c, &(tacos_sample){(double[]){0, 0}, texts, 2}, "a", TACOS_INVALID);
        assert_succeeds(next_of(c, (double[]){0, 1}, 2, "a", NULL, &err));
        if (k == 0)
            refused(c, &(tacos_sample){(double[]){0, 1.5}, NULL, 2}, "a", TACOS_RANGE);
        assert_string_equal(tacos_classifier_info_get(c).encoder, encoders[k]);
        tacos_classifier_free(c);
    }
}

/* ---- answers ---- */

static void predicting_changes_nothing(void **state) {
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "20", NULL});
    tacos_error err;
    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        BoxSample box;
        tacos_answer once, again;
        const float *inputs;
        size_t n;
        uint32_t digest = tacos_classifier_digest(c);
        box_sample(&box, 1000 + k);
        assert_succeeds(tacos_classifier_predict(c, &box.sample, &once, &err));
        double sum = 0;
        for (size_t i = 0; i < tacos_classifier_n_labels(c); i++)
            sum += once.chances[i];
        assert_true(once.label == -1 || fabs(sum - 1) < 1e-12);
        assert_true(once.novelty >= 0 && once.novelty <= 1);
        assert_succeeds(tacos_classifier_predict(c, &box.sample, &again, &err));
        assert_true(once.label == again.label && same_real(once.confidence, again.confidence));
        if (k > 0) {
            assert_succeeds(tacos_classifier_encode(c, &box.sample, &inputs, &n, &err));
            assert_int_equal(n, tacos_classifier_info_get(c).n_inputs);
            assert_fails(tacos_classifier_predict(c, &(tacos_sample){box.numbers, box.texts, 2},
                                                  &again, &err),
                         TACOS_INVALID);
        } else
            assert_fails(tacos_classifier_encode(c, &box.sample, &inputs, &n, &err), TACOS_INVALID);
        assert_int_equal(tacos_classifier_digest(c), digest);
        (void)box_next(c, k);
    }
    tacos_classifier_free(c);
}

/* The label with the largest chance is the answer, whatever calibration did to it. */
/* What comes next is answered as tacos_classifier_next will answer it, and nothing is learned. */
static void the_next_answer_is_known_before(void **state) {
    tacos_classifier *c = classifier_of(NULL, NULL);
    size_t n_confident = 0;
    (void)state;
    box_learn(c, 0, 300);
    for (uint32_t k = 300; k < 400; k++) {
        BoxSample box;
        tacos_answer before, answer;
        tacos_error err;
        box_sample(&box, k);
        uint32_t digest = tacos_classifier_digest(c);
        assert_succeeds(tacos_classifier_predict_next(c, &box.sample, &before, &err));
        double confidence = before.confidence;
        assert_int_equal(tacos_classifier_digest(c), digest);
        answer = box_next(c, k);
        assert_int_equal(answer.label, before.label);
        assert_true(same_real(answer.confidence, confidence));
        n_confident += confidence > 0.5;
    }
    assert_true(n_confident > 0);
    tacos_classifier_free(c);
}

static void the_answer_is_the_likeliest(void **state) {
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "40", NULL});
    (void)state;
    for (uint32_t k = 0; k < 1500; k++) {
        tacos_answer answer = box_next(c, k);
        for (size_t label = 0; answer.label >= 0 && label < tacos_classifier_n_labels(c); label++)
            assert_true((int)label == answer.label ||
                        answer.chances[label] < answer.chances[answer.label]);
    }
    tacos_classifier_free(c);
}

static void it_learns_and_knows_what_is_new(void **state) {
    tacos_classifier *c = classifier_of(NULL, NULL);
    size_t right = 0;
    tacos_answer answer;
    tacos_error err;
    (void)state;
    for (uint32_t k = 0; k < 900; k++) {
        Dice dice = {.game = k};
        size_t label = k % 3;
        double x = 100 * (double)label + roll(&dice, 0, 40), y = roll(&dice, 0, 1e-3);
        static const char *const names[] = {"low", "middle", "high"};
        assert_succeeds(next_of(c, (double[]){x, y, -x}, 3, names[label], &answer, &err));
        right += k >= 600 && answer.label == (int)label;
    }
    print_message("%zu of the last 300 right\n", right);
    assert_true(right >= 285);
    assert_succeeds(tacos_classifier_predict(c, &(tacos_sample){(double[]){20, 5e-4, -20}, NULL, 3},
                                             &answer, &err));
    double usual = answer.novelty;
    assert_true(answer.label == 0 && answer.confidence > 0.8 && usual < 0.7);
    assert_succeeds(tacos_classifier_predict(
        c, &(tacos_sample){(double[]){20, 5e-4, -200}, NULL, 3}, &answer, &err));
    assert_true(answer.novelty > usual + 0.1);
    tacos_classifier_free(c);
}

static void numbers_of_any_size_are_learned(void **state) {
    static const double odd[] = {DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, 0, -0.0, 1e308, -1e-308, 1};
    const char *const keys[] = {"warm_up", "20", "encoder_trends", "2,1000000", NULL};
    tacos_classifier *c = classifier_of(NULL, keys);
    (void)state;
    for (size_t k = 0; k < 400; k++) {
        const double numbers[2] = {odd[k * k / 3 % 8], odd[k % 8]};
        tacos_answer answer;
        tacos_error err;
        assert_succeeds(next_of(c, numbers, 2, k % 3 ? "a" : "b", &answer, &err));
        assert_true(answer.confidence >= 0 && answer.confidence <= 1);
        assert_true(answer.novelty >= 0 && answer.novelty <= 1);
    }
    tacos_classifier_free(c);
}

/* A template that fits better than perfectly, by rounding. */
static void a_match_of_1_is_as_common_as_can_be(void **state) {
    const char *const keys[] = {"column_match", "1", "warm_up", "3", "encoder", "none", NULL};
    tacos_classifier *c = classifier_of(NULL, keys);
    BoxTape tape = {0};
    (void)state;
    for (uint32_t k = 0; k < 300; k++) {
        Dice dice = {.game = k % 20};
        double numbers[30];
        tacos_answer answer;
        tacos_error err;
        for (size_t i = 0; i < 30; i++)
            numbers[i] = roll(&dice, 0, 1);
        assert_succeeds(next_of(c, numbers, 30, k % 2 ? "a" : "b", &answer, &err));
        assert_true(answer.novelty >= 0 && answer.novelty <= 1);
        box_save(c, &tape);
        tacos_classifier_free(box_load(&tape));
    }
    free(tape.bytes);
    tacos_classifier_free(c);
}

/* ---- the same bits ---- */

static const char *const *const settings[] = {
    (const char *const[]){NULL},
    (const char *const[]){"warm_up", "1", "context", "none", NULL},
    (const char *const[]){"warm_up", "50", "encoder_trends", "5,20", "encoder_fields", "9", NULL},
    (const char *const[]){"warm_up", "30", "column_input", "spikes", "steps", "20", NULL},
    (const char *const[]){"warm_up", "20", "model", "tacos", "hidden", "12", "outputs", "7",
                          "steps", "30", "feedback", "shared", NULL},
    (const char *const[]){"warm_up", "20", "encoder_categories", "2", "column_memory_kb", "40",
                          NULL},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void two_runs_are_equal(void **state) {
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        tacos_classifier *a = classifier_of(NULL, settings[i]);
        tacos_classifier *b = classifier_of(NULL, settings[i]);
        for (uint32_t k = 0; k < 120; k++)
            box_twins_next(a, b, k);
        assert_int_equal(tacos_classifier_digest(a), tacos_classifier_digest(b));
        box_learn(a, 120, 121);
        assert_int_not_equal(tacos_classifier_digest(a), tacos_classifier_digest(b));
        tacos_classifier_free(a);
        tacos_classifier_free(b);
    }
}

static void kernels_are_equal(void **state) {
    static const char *const names[] = {"ref", "avx2", "avx512", "avx512-vnni", "neon", "neon-dot"};
    size_t n_tried = 0;
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        uint32_t digest = 0;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const Kernel *kernel;
            assert_int_equal(setenv("TACOS_KERNEL", names[k], 1), 0);
            if (kernel_select(&kernel, NULL) != TACOS_OK)
                continue; /* not on this machine */
            tacos_classifier *c = classifier_of(NULL, settings[i]);
            box_learn(c, 0, 90);
            assert_true(k == 0 || tacos_classifier_digest(c) == digest);
            digest = tacos_classifier_digest(c);
            n_tried++;
            tacos_classifier_free(c);
        }
        assert_int_equal(unsetenv("TACOS_KERNEL"), 0);
    }
    assert_true(n_tried >= SETTINGS);
}

/* Answers that any machine and compiler must give, to the last bit. NaN is left out: its bits are
 * not the same everywhere. */
static void the_bits_are_pinned(void **state) {
    static const uint32_t sums[SETTINGS] = {0x6511e4f6, 0x450a597,  0xf18374c4,
                                            0x3c9114fd, 0x8a56dde7, 0x41393efe};
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        tacos_classifier *c = classifier_of(NULL, settings[i]);
        Pack pack = {.writing = true};
        for (uint32_t k = 0; k < 90; k++) {
            tacos_answer answer = box_next(c, k);
            (void)pack_whole(&pack, (uint64_t)(answer.label + 1), 4);
            (void)pack_real(&pack, answer.confidence);
            (void)pack_real(&pack, isnan(answer.novelty) ? -1 : answer.novelty);
        }
        assert_int_equal(pack.crc, sums[i]);
        tacos_classifier_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_learns),
        cmocka_unit_test(keys_are_listed_set_and_got),
        cmocka_unit_test(settings_and_names_come_in_any_order),
        cmocka_unit_test(features_have_names_in_messages),
        cmocka_unit_test(labels_appear_up_to_the_most),
        cmocka_unit_test(labels_of_odd_bytes_are_names),
        cmocka_unit_test(the_first_label_may_come_late),
        cmocka_unit_test(refusals_leave_no_trace),
        cmocka_unit_test(a_refused_first_sample_decides_nothing),
        cmocka_unit_test(settings_that_do_not_fit_are_told_at_every_label),
        cmocka_unit_test(kinds_may_be_decided_late),
        cmocka_unit_test(numbers_only_where_the_encoder_says_so),
        cmocka_unit_test(predicting_changes_nothing),
        cmocka_unit_test(the_answer_is_the_likeliest),
        cmocka_unit_test(the_next_answer_is_known_before),
        cmocka_unit_test(it_learns_and_knows_what_is_new),
        cmocka_unit_test(numbers_of_any_size_are_learned),
        cmocka_unit_test(a_match_of_1_is_as_common_as_can_be),
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(kernels_are_equal),
        cmocka_unit_test(the_bits_are_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
