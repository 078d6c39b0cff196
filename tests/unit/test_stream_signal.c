/* test_stream_signal.c - classifiers of signals: a sample is the last few steps of the stream. */
#include "classifier_box.h"

enum { STEPS = 6000, LATE = 3000, SEGMENT = 97 };

/* Step k of three kinds of signal, which take turns: slow and fast waves, and one that stands
 * still; all with noise, so that one step says little. */
static size_t step_of(uint32_t k, double out[2]) {
    Dice dice = {.game = 9000 + k};
    size_t kind = k / SEGMENT % 3;
    double phase = kind == 0 ? k % 20 / 20.0 : kind == 1 ? k % 8 / 8.0 : 0.25;
    double wave = phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase;
    out[0] = 100 + 10 * wave + roll(&dice, -5, 5);
    out[1] = k % 50 == 7 ? (double)NAN : roll(&dice, 0, 1);
    return kind;
}

static tacos_answer next_step(tacos_classifier *c, uint32_t k) {
    static const char *const labels[] = {"slow", "fast", "still"};
    double numbers[2];
    tacos_answer answer;
    tacos_error err;
    const char *label = labels[step_of(k, numbers)];
    tacos_sample sample = {numbers, NULL, 2};
    assert_succeeds(tacos_classifier_next(c, &sample, k % 5 == 4 ? NULL : label, &answer, &err));
    return answer;
}

static double accuracy(const char *const *keys, const char *preset) {
    tacos_classifier *c = classifier_of(preset, keys);
    static const char *const labels[] = {"slow", "fast", "still"};
    size_t right = 0;
    for (uint32_t k = 0; k < STEPS; k++) {
        double numbers[2];
        size_t kind = step_of(k, numbers);
        tacos_answer answer = next_step(c, k);
        if (k >= LATE && answer.label >= 0)
            right += strcmp(tacos_classifier_label(c, (size_t)answer.label), labels[kind]) == 0;
    }
    tacos_classifier_free(c);
    return (double)right / (STEPS - LATE);
}

/* Without context, so that only the signal can tell. */
static void a_window_tells_what_a_step_does_not(void **state) {
    const char *const window[] = {"context", "none", "encoder_window", "24", NULL};
    const char *const steps[] = {"context", "none", NULL};
    (void)state;
    double with = accuracy(window, "signal"), without = accuracy(steps, NULL);
    if (!(with > 0.7 && without < with - 0.2))
        fail_msg("%.3f of windows, %.3f of steps", with, without);
}

static void inputs_are_the_steps_the_oldest_first(void **state) {
    const char *const keys[] = {"encoder_window", "3", "warm_up", "4", NULL};
    tacos_classifier *c = classifier_of("signal", keys);
    static const double values[] = {0, 10, 5, 5};
    const float *inputs;
    size_t n;
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 4; k++)
        assert_succeeds(
            tacos_classifier_next(c, &(tacos_sample){&values[k], NULL, 1}, "a", NULL, &err));
    const double now = 10;
    assert_succeeds(tacos_classifier_encode(c, &(tacos_sample){&now, NULL, 1}, &inputs, &n, &err));
    assert_int_equal(n, 3);
    assert_true(inputs[0] == 0.5f && inputs[1] == 0.5f && inputs[2] == 1);
    tacos_classifier_info info = tacos_classifier_info_get(c);
    assert_string_equal(info.encoder, "signal");
    assert_int_equal(info.width, 3);
    assert_int_equal(info.height, 1);
    assert_int_equal(info.channels, 1);
    tacos_classifier_free(c);
}

/* Saved and loaded after any step, also within the first window. */
static void a_loaded_signal_goes_on_bit_for_bit(void **state) {
    const char *const keys[] = {"encoder_window",   "16", "warm_up", "40",
                                "column_memory_kb", "20", NULL};
    BoxTape tape = {0};
    (void)state;
    for (uint32_t n = 0; n < 70; n += n < 20 ? 3 : 11) {
        tacos_classifier *c = classifier_of("signal", keys);
        for (uint32_t k = 0; k < n; k++)
            (void)next_step(c, k);
        box_save(c, &tape);
        tacos_classifier *again = box_load(&tape);
        assert_int_equal(tacos_classifier_digest(c), tacos_classifier_digest(again));
        for (uint32_t k = n; k < n + 30; k++) {
            tacos_answer a = next_step(c, k), b = next_step(again, k);
            assert_int_equal(a.label, b.label);
            assert_true(same_real(a.confidence, b.confidence));
        }
        assert_int_equal(tacos_classifier_digest(c), tacos_classifier_digest(again));
        tacos_classifier_free(c);
        tacos_classifier_free(again);
    }
    free(tape.bytes);
}

static void text_is_refused(void **state) {
    tacos_classifier *c = classifier_of("signal", NULL);
    const char *text = "red";
    const double none = 0;
    tacos_error err;
    (void)state;
    assert_fails(tacos_classifier_next(c, &(tacos_sample){&none, &text, 1}, "a", NULL, &err),
                 TACOS_INVALID);
    assert_says(err, "encoder = signal");
    tacos_classifier_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_tells_what_a_step_does_not),
        cmocka_unit_test(inputs_are_the_steps_the_oldest_first),
        cmocka_unit_test(a_loaded_signal_goes_on_bit_for_bit),
        cmocka_unit_test(text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
