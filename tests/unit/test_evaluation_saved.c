/* test_evaluation_saved.c - an evaluation that is saved and loaded goes on as if nothing had
 * happened; bytes that are damaged are refused. */
#include "stream/evaluation.h"

#include "base/little_endian.h"

#include "stream_box.h"

enum { SAMPLES = 4000 };

static tacos_evaluation *stream_until(size_t n) {
    tacos_evaluation *evaluation = evaluation_of(150, 30, 25);
    go_on(evaluation, 0, n);
    return evaluation;
}

static void assert_same_bytes(const Bytes *got, const Bytes *wanted) {
    assert_int_equal(got->n, wanted->n);
    assert_memory_equal(got->at, wanted->at, wanted->n);
}

/* Saved and loaded after every sample at first, then now and then: in the end the same bytes, and
 * so the same figures, as without. */
static void resumed_at_any_sample(void **state) {
    static Bytes bytes, whole;
    tacos_evaluation *evaluation = evaluation_of(150, 30, 25), *loaded;
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < SAMPLES; k++) {
        go_on(evaluation, k, k + 1);
        if (k > 200 && k % 53 != 0)
            continue;
        save_into(&bytes, evaluation);
        assert_succeeds(load_out_of(&bytes, &loaded, &err));
        assert_int_equal(bytes.taken, bytes.n);
        tacos_evaluation_free(evaluation);
        evaluation = loaded;
    }
    save_into(&bytes, evaluation);
    tacos_evaluation *straight = stream_until(SAMPLES);
    save_into(&whole, straight);
    assert_same_bytes(&bytes, &whole);
    tacos_evaluation_figures a = tacos_evaluation_figures_get(evaluation);
    tacos_evaluation_figures b = tacos_evaluation_figures_get(straight);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(tacos_evaluation_drift_get(straight).alarms > 2);
    tacos_evaluation_free(straight);
    tacos_evaluation_free(evaluation);
}

/* The same on every machine. */
static void the_bytes_are_known(void **state) {
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(SAMPLES);
    (void)state;
    save_into(&bytes, evaluation);
    assert_int_equal(bytes.n, 17879);
    assert_int_equal(crc_add(0, bytes.at, bytes.n), 0x383e1f4f);
    tacos_evaluation_free(evaluation);
}

static void every_prefix_is_refused(void **state) {
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(600), *loaded;
    tacos_error err;
    (void)state;
    save_into(&bytes, evaluation);
    size_t whole = bytes.n;
    for (bytes.n = 0; bytes.n < whole; bytes.n++) {
        assert_fails(load_out_of(&bytes, &loaded, &err), TACOS_FORMAT);
        assert_null(loaded);
    }
    assert_succeeds(load_out_of(&bytes, &loaded, &err));
    tacos_evaluation_free(loaded);
    tacos_evaluation_free(evaluation);
}

/* Every bit is covered by a checksum; a version that is newer says so. */
static void every_flipped_bit_is_refused(void **state) {
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(300), *loaded;
    tacos_error err;
    (void)state;
    save_into(&bytes, evaluation);
    for (size_t k = 0; k < 8 * bytes.n; k++) {
        bool version = k / 8 >= 8 && k / 8 < 12;
        bytes.at[k / 8] ^= (unsigned char)(1 << k % 8);
        tacos_status status = load_out_of(&bytes, &loaded, &err);
        assert_int_equal(status, version && k != 64 ? TACOS_VERSION : TACOS_FORMAT);
        assert_null(loaded);
        bytes.at[k / 8] ^= (unsigned char)(1 << k % 8);
    }
    bytes.at[0] = 'X';
    assert_fails(load_out_of(&bytes, &loaded, &err), TACOS_FORMAT);
    assert_says(err, "holds no evaluation");
    tacos_evaluation_free(evaluation);
}

/* Its checksum is right, but with this delta the bound of ADWIN is infinite. */
static void a_delta_of_nearly_nothing_is_refused(void **state) {
    enum { DELTA = 8 + 4 + 4 + 4 + 8 + 4, HEADER = DELTA + 8 };
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(300), *loaded;
    tacos_error err;
    (void)state;
    save_into(&bytes, evaluation);
    memset(bytes.at + DELTA, 0, 8);
    bytes.at[DELTA] = 1; /* the smallest number above 0 */
    little_endian_put(bytes.at + HEADER, crc_add(0, bytes.at, HEADER), 4);
    assert_fails(load_out_of(&bytes, &loaded, &err), TACOS_FORMAT);
    assert_says(err, "the header of the evaluation is wrong");
    tacos_evaluation_free(evaluation);
}

static void saving_that_fails(void **state) {
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(300);
    tacos_error err;
    (void)state;
    save_into(&bytes, evaluation);
    bytes.n = sizeof bytes.at - 100; /* there is only this much room */
    assert_fails(tacos_evaluation_save_to(evaluation, bytes_put, &bytes, &err), TACOS_IO);
    tacos_evaluation_free(evaluation);
}

/* The clock is not saved: speeds count from the first row after loading. */
static void the_clock_starts_again(void **state) {
    static Bytes bytes;
    tacos_evaluation *evaluation = stream_until(100), *loaded;
    tacos_error err;
    (void)state;
    (void)tacos_evaluation_report(evaluation, 50, 0);
    save_into(&bytes, evaluation);
    assert_succeeds(load_out_of(&bytes, &loaded, &err));
    go_on(loaded, 100, 110);
    assert_true(isnan(tacos_evaluation_report(loaded, 3, 0).samples_per_second));
    go_on(loaded, 110, 120);
    assert_true(tacos_evaluation_report(loaded, 5, 0).samples_per_second == 5);
    tacos_evaluation_free(loaded);
    tacos_evaluation_free(evaluation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumed_at_any_sample),
        cmocka_unit_test(the_bytes_are_known),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(a_delta_of_nearly_nothing_is_refused),
        cmocka_unit_test(saving_that_fails),
        cmocka_unit_test(the_clock_starts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
