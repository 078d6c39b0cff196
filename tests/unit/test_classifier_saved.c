/* test_classifier_saved.c - a classifier as a file: at every sample of a stream all of it and
 * nothing else, and no damage or lie passes. */
#include "base/little_endian.h"
#include "base/pack.h"

#include "classifier_box.h"
#include "folder.h"

static const char *const *const settings[] = {
    (const char *const[]){"warm_up", "24", "column_memory_kb", "60", NULL},
    (const char *const[]){"warm_up", "1", "column_units", "40", "context", "none", NULL},
    (const char *const[]){"warm_up", "50", "encoder_trends", "5,20", "encoder_categories", "3",
                          "column_units", "30", NULL},
    (const char *const[]){"warm_up", "20", "model", "tacos", "hidden", "8", "outputs", "7", "steps",
                          "20", "feedback", "shared", NULL},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool same_tape(const BoxTape *a, const BoxTape *b) {
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* ---- round trips ---- */

/* In the warm-up and after it, with labels and without, with new labels: what is loaded goes on as
 * if nothing had been. */
static void a_stream_goes_on_from_any_sample(void **state) {
    BoxTape first = {0}, again = {0};
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        tacos_classifier *c = classifier_of(NULL, settings[i]);
        for (uint32_t k = 0; k < 110; k++) {
            box_save(c, &first);
            tacos_classifier *is = box_load(&first);
            assert_int_equal(tacos_classifier_digest(is), tacos_classifier_digest(c));
            box_save(is, &again);
            assert_true(same_tape(&first, &again));
            for (uint32_t more = 0; more < 3 && k % 11 == 0; more++)
                box_learn(is, k + more, k + more + 1);
            tacos_classifier_free(is);
            is = box_load(&first);
            box_twins_next(c, is, k);
            assert_int_equal(tacos_classifier_digest(is), tacos_classifier_digest(c));
            tacos_classifier_free(c);
            c = is; /* it has been loaded as often as it has learned */
        }
        tacos_classifier *never_saved = classifier_of(NULL, settings[i]);
        box_learn(never_saved, 0, 110);
        assert_int_equal(tacos_classifier_digest(never_saved), tacos_classifier_digest(c));
        tacos_classifier_free(never_saved);
        tacos_classifier_free(c);
    }
    free(first.bytes);
    free(again.bytes);
}

/* The last steps of a signal are kept, too; some are missing. */
static void a_signal_goes_on_from_any_step(void **state) {
    const char *const keys[] = {"encoder_window", "8", "warm_up", "20", "column_units", "40", NULL};
    tacos_classifier *c = classifier_of("signal", keys);
    BoxTape tape = {0};
    (void)state;
    for (size_t k = 0; k < 70; k++) {
        const double step[2] = {sin((double)k), k % 9 ? (double)(k % 5) : (double)NAN};
        const tacos_sample sample = {step, NULL, 2};
        tacos_answer x, y;
        tacos_error err;
        box_save(c, &tape);
        tacos_classifier *is = box_load(&tape);
        assert_succeeds(tacos_classifier_next(c, &sample, k % 5 > 2 ? "up" : "down", &x, &err));
        assert_succeeds(tacos_classifier_next(is, &sample, k % 5 > 2 ? "up" : "down", &y, &err));
        assert_true(x.label == y.label && same_real(x.confidence, y.confidence));
        assert_int_equal(tacos_classifier_digest(is), tacos_classifier_digest(c));
        tacos_classifier_free(c);
        c = is;
    }
    assert_int_equal(tacos_classifier_info_get(c).n_inputs, 16);
    tacos_classifier_free(c);
    free(tape.bytes);
}

static void names_of_features_are_kept(void **state) {
    static const char *const names[] = {"", "two", "\xff", "four"};
    BoxTape tape = {0};
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"encoder_trends", "9", NULL});
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_classifier_set_features(c, names, 4, &err));
    box_save(c, &tape);
    tacos_classifier *is = box_load(&tape);
    for (uint32_t k = 0; k < 20; k++)
        box_twins_next(c, is, k);
    tacos_classifier_free(is);
    box_save(c, &tape);
    is = box_load(&tape);
    double numbers[4] = {0, HUGE_VAL};
    assert_fails(tacos_classifier_next(is, &(tacos_sample){numbers, NULL, 4}, NULL, NULL, &err),
                 TACOS_RANGE);
    assert_says(err, "feature 'two' is infinite");
    tacos_classifier_free(is);
    tacos_classifier_free(c);
    free(tape.bytes);
}

static void files_are_told_apart(void **state) {
    const Folder *folder = *state;
    tacos_classifier *c = classifier_of(NULL, settings[0]), *is;
    tacos_learner *learner;
    char other[160];
    tacos_error err;
    (void)snprintf(other, sizeof other, "%s/other", folder->path);
    box_learn(c, 0, 40);
    assert_int_equal(tacos_classifier_is_file(other), 0);
    assert_fails(tacos_classifier_load(&is, other, &err), TACOS_MISSING);
    assert_null(is);
    assert_succeeds(tacos_classifier_save(c, folder->file, &err));
    assert_int_equal(tacos_classifier_is_file(folder->file), 1);
    assert_succeeds(tacos_classifier_load(&is, folder->file, &err));
    assert_int_equal(tacos_classifier_digest(is), tacos_classifier_digest(c));
    assert_fails(tacos_learner_load(&learner, folder->file, NULL, &err), TACOS_FORMAT);
    assert_succeeds(tacos_learner_save(tacos_classifier_learner(is), other, &err));
    assert_int_equal(tacos_classifier_is_file(other), 0);
    tacos_classifier_free(is);
    assert_fails(tacos_classifier_load(&is, other, &err), TACOS_FORMAT);
    assert_says(err, "is not a saved classifier");
    FILE *file = fopen(folder->file, "ab");
    assert_true(file && fputc('x', file) == 'x' && fclose(file) == 0);
    assert_fails(tacos_classifier_load(&is, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "longer");
    assert_null(is);
    tacos_classifier_free(c);
}

enum { BEFORE_TEXT = 8 + 4 + 1 + 4, CHECKSUM = 4 };

/* ---- docs/checkpoint.md ---- */

static uint64_t whole(BoxTape *tape, size_t n) {
    assert_true(tape->at + n <= tape->n);
    tape->at += n;
    return little_endian_get(tape->bytes + tape->at - n, n);
}

static double real(BoxTape *tape) {
    uint64_t bits = whole(tape, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t skip_names(BoxTape *tape) {
    size_t n = (size_t)whole(tape, 4);
    for (size_t k = 0; k < n; k++)
        tape->at += (size_t)whole(tape, 2);
    return n;
}

static void skip_judge(BoxTape *tape, size_t n_labels) {
    tape->at += 2 * (2 + 2 * 48) * 8;
    assert_true(real(tape) > 0 && real(tape) > 0);
    assert_true(real(tape) <= 1 && whole(tape, 8) > 10 && whole(tape, 4) <= n_labels);
    tape->at += 64 * 8;
    assert_true(whole(tape, 8) > 10);
}

/* As many trends as are set. */
static void skip_features(BoxTape *tape, size_t n_trends) {
    static const uint64_t kinds[] = {1, 1, 2, 1};
    assert_int_equal(whole(tape, 4), 4);
    assert_int_equal(skip_names(tape), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(whole(tape, 1), kinds[i]);
        double low = real(tape), high = real(tape);
        assert_true(low <= high);
        assert_int_equal(skip_names(tape), kinds[i] == 2 ? 2 : 0);
        for (size_t k = 0; k < n_trends; k++) {
            assert_true(isfinite(real(tape)) && real(tape) >= 0);
            assert_true(whole(tape, 8) == 0 || kinds[i] == 1);
        }
    }
    assert_int_equal(whole(tape, 4), 0); /* no signal */
}

static void the_file_is_as_documented(void **state) {
    enum { SAMPLES = 47, WARM_UP = 50 };
    BoxTape tape = {0};
    tacos_classifier *c = classifier_of(NULL, settings[2]);
    (void)state;
    box_learn(c, 0, SAMPLES);
    tacos_classifier_info info = tacos_classifier_info_get(c);
    box_save(c, &tape);
    tape.at = BEFORE_TEXT + (size_t)little_endian_get(tape.bytes + 13, 4) + CHECKSUM;
    assert_int_equal(whole(&tape, 4), 7); /* the seed */
    assert_int_equal(whole(&tape, 8), SAMPLES);
    assert_int_equal(whole(&tape, 8), info.n_learned);
    skip_features(&tape, 2);
    assert_int_equal(whole(&tape, 1), 1); /* a table */
    assert_true(whole(&tape, 4) == 6 && whole(&tape, 4) == 3 && whole(&tape, 4) == info.n_inputs);
    assert_int_equal(whole(&tape, 4) + whole(&tape, 4) + whole(&tape, 4), 0);
    assert_true(real(&tape) == 0 && real(&tape) == 0);
    assert_int_equal(skip_names(&tape), info.n_labels);
    for (size_t k = 0; k < info.n_labels; k++)
        assert_int_equal(whole(&tape, 8), tacos_classifier_label_samples(c, k));
    skip_judge(&tape, info.n_labels);
    assert_int_equal(whole(&tape, 1), SAMPLES >= WARM_UP);
    assert_int_equal(whole(&tape, 4), SAMPLES);
    for (size_t k = 0; k < SAMPLES; k++) {
        assert_true(whole(&tape, 4) <= info.n_labels);
        assert_true(real(&tape) >= 1e6);
        tape.at += 3 * 8;
    }
    (void)whole(&tape, 4);
    assert_memory_equal(tape.bytes + tape.at, "TACOSNET", 8);
    tacos_classifier_free(c);
    free(tape.bytes);
}

/* ---- damage ---- */

static tacos_classifier *small(uint32_t n_samples) {
    tacos_classifier *c = classifier_of(NULL, settings[2]);
    box_learn(c, 0, n_samples);
    return c;
}

static tacos_status try_load(BoxTape *tape, tacos_classifier **out, tacos_error *err) {
    *err = (tacos_error){0};
    tape->at = 0;
    return tacos_classifier_load_from(out, box_read, tape, err);
}

static void must_refuse(BoxTape *tape) {
    tacos_classifier *is;
    tacos_error err;
    assert_int_not_equal(try_load(tape, &is, &err), TACOS_OK);
    assert_true(err.text[0] && !is);
}

static void no_damage_passes(void **state) {
    BoxTape tape = {0};
    (void)state;
    for (uint32_t n = 20; n <= 60; n += 40) {
        tacos_classifier *c = small(n);
        box_save(c, &tape);
        size_t length = tape.n;
        for (size_t at = 0; at < length; at += 1 + at % 7) {
            tape.n = at;
            must_refuse(&tape);
            tape.n = length;
            tape.bytes[at] = (uint8_t)(tape.bytes[at] ^ 1 << at % 8);
            must_refuse(&tape);
            tape.bytes[at] = (uint8_t)(tape.bytes[at] ^ 1 << at % 8);
        }
        tacos_classifier_free(box_load(&tape));
        tacos_classifier_free(c);
    }
    free(tape.bytes);
}

static void other_versions_are_told(void **state) {
    BoxTape tape = {0};
    tacos_classifier *c = small(3), *is;
    tacos_error err;
    (void)state;
    box_save(c, &tape);
    tape.bytes[8] = 2;
    assert_int_equal(try_load(&tape, &is, &err), TACOS_VERSION);
    tape.bytes[8] = 0;
    assert_int_equal(try_load(&tape, &is, &err), TACOS_FORMAT);
    tacos_classifier_free(c);
    free(tape.bytes);
}

/* ---- lies ---- */

/* Where what is known of the stream begins; it ends where the learner begins. */
static size_t state_begins(const BoxTape *tape) {
    return BEFORE_TEXT + (size_t)little_endian_get(tape->bytes + BEFORE_TEXT - 4, 4) + CHECKSUM;
}

static size_t state_ends(const BoxTape *tape) {
    size_t at = state_begins(tape);
    while (at + 8 < tape->n && memcmp(tape->bytes + at, "TACOSNET", 8) != 0)
        at++;
    return at + 8 < tape->n ? at : tape->n;
}

static void repair(BoxTape *tape, size_t begin, size_t end) {
    little_endian_put(tape->bytes + end - CHECKSUM,
                      crc_add(0, tape->bytes + begin, end - CHECKSUM - begin), CHECKSUM);
}

/* With the checksum right a changed file is refused, or it is what the classifier saves again; and
 * then it can be used. */
static void what_is_loaded_is_what_was_in_the_file(void **state) {
    static const uint8_t changes[] = {1, 0x80, 0xff};
    BoxTape tape = {0}, again = {0};
    size_t n_refused = 0, n_loaded = 0;
    (void)state;
    for (uint32_t n = 0; n <= 60; n += 12) {
        tacos_classifier *c = small(n), *is;
        box_save(c, &tape);
        size_t begin = state_begins(&tape), end = state_ends(&tape);
        for (size_t at = begin; at < end - CHECKSUM; at++)
            for (size_t k = 0; k < 3; k++) {
                tacos_error err;
                tape.bytes[at] = (uint8_t)(tape.bytes[at] ^ changes[k]);
                repair(&tape, begin, end);
                bool good = try_load(&tape, &is, &err) == TACOS_OK;
                n_loaded += good;
                n_refused += !good;
                assert_true(good || err.text[0]);
                if (good) {
                    box_save(is, &again);
                    assert_true(same_tape(&tape, &again));
                    BoxSample box;
                    box_sample(&box, 500);
                    (void)tacos_classifier_next(is, &box.sample, box.label, NULL, &err);
                }
                tacos_classifier_free(is);
                tape.bytes[at] = (uint8_t)(tape.bytes[at] ^ changes[k]);
            }
        tacos_classifier_free(c);
    }
    print_message("%zu changes refused, %zu loaded\n", n_refused, n_loaded);
    assert_true(n_refused > 500 && n_loaded > 500);
    free(tape.bytes);
    free(again.bytes);
}

/* The sanitizer sees what becomes of the past of no features. */
static void a_stream_without_features_is_refused(void **state) {
    enum { COUNTS = 20 };
    static const char *const presets[] = {"signal", "series", "default"};
    BoxTape tape = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tacos_classifier *c = classifier_of(presets[i], NULL);
        tacos_error err;
        assert_succeeds(
            tacos_classifier_next(c, &(tacos_sample){(double[]){1, 2}, NULL, 2}, NULL, NULL, &err));
        box_save(c, &tape);
        size_t begin = state_begins(&tape);
        little_endian_put(tape.bytes + begin + COUNTS, 0, 4);
        repair(&tape, begin, tape.n);
        must_refuse(&tape);
        tacos_classifier_free(c);
    }
    free(tape.bytes);
}

/* A learner of another classifier, behind what is known of this one's stream. */
static void a_learner_of_another_kind_is_refused(void **state) {
    BoxTape tape = {0}, other = {0}, mixed = {0};
    tacos_classifier *c = small(60), *stranger;
    (void)state;
    stranger = classifier_of(NULL, (const char *[]){"column_units", "31", "warm_up", "50", NULL});
    box_learn(stranger, 0, 60);
    box_save(c, &tape);
    box_save(stranger, &other);
    assert_int_equal(box_write(&mixed, tape.bytes, state_ends(&tape)), 0);
    assert_int_equal(
        box_write(&mixed, other.bytes + state_ends(&other), other.n - state_ends(&other)), 0);
    must_refuse(&mixed);
    tacos_classifier_free(c);
    tacos_classifier_free(stranger);
    free(tape.bytes);
    free(other.bytes);
    free(mixed.bytes);
}

static int refuse_bytes(void *user, const void *bytes, size_t n) {
    size_t *left = user;
    (void)bytes;
    if (n > *left)
        return 1;
    *left -= n;
    return 0;
}

static void a_writer_that_fails_is_an_error(void **state) {
    BoxTape tape = {0};
    tacos_classifier *c = small(60);
    uint32_t digest = tacos_classifier_digest(c);
    (void)state;
    box_save(c, &tape);
    for (size_t room = 0; room < tape.n; room += 1 + room / 3) {
        size_t left = room;
        tacos_error err;
        assert_fails(tacos_classifier_save_to(c, refuse_bytes, &left, &err), TACOS_IO);
    }
    assert_int_equal(tacos_classifier_digest(c), digest);
    tacos_classifier_free(c);
    free(tape.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_goes_on_from_any_sample),
        cmocka_unit_test(a_signal_goes_on_from_any_step),
        cmocka_unit_test(names_of_features_are_kept),
        IN_FOLDER(files_are_told_apart),
        cmocka_unit_test(the_file_is_as_documented),
        cmocka_unit_test(no_damage_passes),
        cmocka_unit_test(other_versions_are_told),
        cmocka_unit_test(what_is_loaded_is_what_was_in_the_file),
        cmocka_unit_test(a_stream_without_features_is_refused),
        cmocka_unit_test(a_learner_of_another_kind_is_refused),
        cmocka_unit_test(a_writer_that_fails_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
