/* test_evaluation.c - prequential evaluation: figures against those computed by hand, and against a
 * version that keeps every sample. */
#include "stream/evaluation.h"

#include "stream_box.h"

static void add_times(tacos_evaluation *evaluation, size_t n, size_t label, int answer) {
    for (size_t k = 0; k < n; k++)
        add_sample(evaluation, label, answer, 0);
}

#define assert_near(got, wanted) assert_true(fabs((got) - (wanted)) < 1e-12)

/* ---- by hand ---- */

/* 20 of 25 and 15 of 25 right: agreement 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5. */
static void cohens_kappa(void **state) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 0);
    (void)state;
    add_times(evaluation, 20, 0, 0);
    add_times(evaluation, 5, 0, 1);
    add_times(evaluation, 10, 1, 0);
    add_times(evaluation, 15, 1, 1);
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    assert_int_equal(figures.overall.samples, 50);
    assert_int_equal(figures.overall.right, 35);
    assert_near(figures.overall.accuracy, 70);
    assert_near(figures.overall.kappa, 0.4);
    /* Wrong at the first sample and at the border: 48 right, of which none is by chance. */
    assert_near(figures.overall.repeat_last, 96);
    assert_near(figures.overall.kappa_temporal, (35.0 - 48) / (50 - 48));
    assert_near(figures.overall.majority, 48); /* label 0, from the second sample on */
    assert_memory_equal(&figures.overall, &figures.window, sizeof figures.window);
    tacos_evaluation_label one = tacos_evaluation_label_get(evaluation, 1);
    assert_int_equal(one.samples, 25);
    assert_int_equal(one.answered, 20);
    assert_near(one.recall, 60);
    assert_near(one.precision, 75);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 1, 0), 10);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 0, 1), 5);
    tacos_evaluation_free(evaluation);
}

/* Label 2 appears at the end; the window holds the last four samples.
 *     label    0  0  1  1  0  2
 *     answer   -  0  0  1  1  2
 *     right       x     x     x
 *     repeated    x     x
 *     majority    x        x     (0 and 1 are equal before the fifth: the lowest) */
static tacos_evaluation *six_samples(void) {
    tacos_evaluation *evaluation = evaluation_of(4, 3, 0);
    add_sample(evaluation, 0, -1, 0);
    add_sample(evaluation, 0, 0, 0);
    add_sample(evaluation, 1, 0, 0);
    add_sample(evaluation, 1, 1, 0);
    add_sample(evaluation, 0, 1, 0);
    add_sample(evaluation, 2, 2, 0);
    return evaluation;
}

static void all_and_the_window(void **state) {
    tacos_evaluation *evaluation = six_samples();
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    (void)state;
    assert_int_equal(figures.labels, 3);
    assert_int_equal(figures.overall.samples, 6);
    assert_int_equal(figures.overall.unanswered, 1);
    assert_near(figures.overall.accuracy, 50);
    assert_near(figures.overall.answered, 60);
    assert_near(figures.overall.repeat_last, 100.0 * 2 / 6);
    assert_near(figures.overall.majority, 100.0 * 2 / 6);
    /* Labels 3, 2, 1 and answers 2, 2, 1: (6 * 3 - 11) / (36 - 11). */
    assert_near(figures.overall.kappa, 0.28);
    assert_near(figures.overall.kappa_temporal, 0.25);
    assert_int_equal(figures.window.samples, 4);
    assert_int_equal(figures.window.unanswered, 0);
    assert_near(figures.window.accuracy, 50);
    assert_near(figures.window.answered, 50);
    assert_near(figures.window.repeat_last, 25);
    assert_near(figures.window.majority, 25);
    /* Labels 1, 2, 1 and answers 1, 2, 1: (4 * 2 - 6) / (16 - 6). */
    assert_near(figures.window.kappa, 0.2);
    assert_near(figures.window.kappa_temporal, 1.0 / 3);
    tacos_evaluation_free(evaluation);
}

static void labels_appear_later(void **state) {
    static const uint64_t wanted[3][4] = {{1, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}};
    tacos_evaluation *evaluation = six_samples();
    (void)state;
    for (size_t label = 0; label < 3; label++)
        for (int answer = -1; answer < 3; answer++)
            assert_int_equal(tacos_evaluation_confusion(evaluation, label, answer),
                             wanted[label][answer + 1]);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 3, 0), 0);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 0, 3), 0);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 0, -2), 0);
    tacos_evaluation_label none = tacos_evaluation_label_get(evaluation, 3);
    assert_int_equal(none.samples, 0);
    assert_true(isnan(none.recall) && isnan(none.precision));
    tacos_evaluation_free(evaluation);
}

/* Three of ten are rejected, of which two would have been right; six of seven are. */
static void rejected_samples(void **state) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 0);
    (void)state;
    add_times(evaluation, 6, 0, 0);
    add_sample(evaluation, 0, 0, 1);
    add_sample(evaluation, 1, 1, 1);
    add_sample(evaluation, 1, 999, 1); /* an answer that was not given needs no room */
    add_sample(evaluation, 1, 0, 0);
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    assert_int_equal(figures.overall.rejected, 3);
    assert_int_equal(figures.overall.unanswered, 0);
    assert_int_equal(figures.rejected_right, 2);
    assert_int_equal(figures.labels, 2);
    assert_near(figures.overall.accuracy, 60);
    assert_near(figures.overall.answered, 100.0 * 6 / 7);
    assert_near(figures.window.answered, 100.0 * 6 / 7);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 1, -1), 2);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 1, 1), 0);
    assert_near(tacos_evaluation_label_get(evaluation, 0).precision, 100.0 * 6 / 7);
    assert_near(tacos_evaluation_label_get(evaluation, 1).recall, 0);
    tacos_evaluation_free(evaluation);
}

static void what_is_not_defined(void **state) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 0);
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    (void)state;
    assert_true(isnan(figures.overall.accuracy) && isnan(figures.window.repeat_last));
    assert_true(isnan(figures.overall.kappa) && isnan(figures.overall.kappa_temporal));
    add_sample(evaluation, 0, 0, 0); /* chance alone would be perfect, too */
    figures = tacos_evaluation_figures_get(evaluation);
    assert_near(figures.overall.accuracy, 100);
    assert_true(isnan(figures.overall.kappa));
    assert_near(figures.overall.kappa_temporal, 1); /* there was nothing to repeat */
    tacos_evaluation_free(evaluation);
}

static void beyond_the_limits(void **state) {
    tacos_evaluation_options wide = {.window = 1000001}, many = {.max_labels = 4097};
    tacos_evaluation *evaluation;
    tacos_error err;
    (void)state;
    assert_fails(tacos_evaluation_new(&evaluation, &wide, &err), TACOS_RANGE);
    assert_null(evaluation);
    assert_fails(tacos_evaluation_new(&evaluation, &many, &err), TACOS_RANGE);
    assert_null(evaluation);
    evaluation = six_samples();
    assert_fails(tacos_evaluation_add(evaluation, 3, 0, 0, &err), TACOS_RANGE);
    assert_says(err, "label 3: there may be 3 labels");
    assert_fails(tacos_evaluation_add(evaluation, 0, 3, 0, &err), TACOS_RANGE);
    assert_fails(tacos_evaluation_add(evaluation, 0, -2, 0, &err), TACOS_RANGE);
    assert_fails(tacos_evaluation_add(evaluation, 0, 3, 1, &err), TACOS_RANGE);
    assert_fails(tacos_evaluation_add(evaluation, SIZE_MAX, 0, 0, &err), TACOS_RANGE);
    assert_int_equal(tacos_evaluation_figures_get(evaluation).overall.samples, 6);
    tacos_evaluation_free(evaluation);
    evaluation = evaluation_of(1, 4096, 1);
    add_sample(evaluation, 4095, 4095, 0);
    assert_int_equal(tacos_evaluation_confusion(evaluation, 4095, 4095), 1);
    tacos_evaluation_free(evaluation);
}

static void defaults(void **state) {
    tacos_evaluation *evaluation;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_evaluation_new(&evaluation, NULL, &err));
    tacos_evaluation_options options = tacos_evaluation_options_get(evaluation);
    assert_int_equal(options.window, 1000);
    assert_int_equal(options.max_labels, 1000);
    assert_int_equal(options.report_every, 100);
    tacos_evaluation_free(evaluation);
    tacos_evaluation_free(NULL);
}

/* ---- against a version that keeps every sample ---- */

enum { SAMPLES = 3000, LABELS = 40 };
typedef struct Kept {
    size_t label;
    int answer; /* -1 where rejected */
    bool rejected;
} Kept;

static tacos_evaluation_span count(const Kept *kept, size_t from, size_t to) {
    tacos_evaluation_span span = {.samples = to - from};
    double by_label[LABELS] = {0}, by_answer[LABELS] = {0}, before[LABELS] = {0}, chance = 0;
    size_t repeated = 0, majority = 0;
    for (size_t k = 0; k < to; k++) {
        const Kept *sample = &kept[k];
        size_t most = 0;
        for (size_t c = 1; c < LABELS; c++)
            most = before[c] > before[most] ? c : most;
        before[sample->label]++;
        if (k < from)
            continue;
        repeated += k > 0 && kept[k - 1].label == sample->label;
        majority += k > 0 && most == sample->label;
        span.right += sample->answer == (int)sample->label;
        span.rejected += sample->rejected;
        span.unanswered += sample->answer < 0 && !sample->rejected;
        by_label[sample->label]++;
        if (sample->answer >= 0)
            by_answer[sample->answer]++;
    }
    double n = (double)span.samples, right = (double)span.right;
    for (size_t c = 0; c < LABELS; c++)
        chance += by_label[c] / n * by_answer[c] / n;
    span.accuracy = 100 * right / n;
    span.answered = 100 * right / (n - (double)span.rejected - (double)span.unanswered);
    span.repeat_last = 100 * (double)repeated / n;
    span.majority = 100 * (double)majority / n;
    span.kappa = (right / n - chance) / (1 - chance);
    span.kappa_temporal = (right / n - span.repeat_last / 100) / (1 - span.repeat_last / 100);
    return span;
}

static void assert_same(const tacos_evaluation_span *got, const tacos_evaluation_span *wanted) {
    assert_memory_equal(got, wanted, offsetof(tacos_evaluation_span, accuracy));
    const double *a = &got->accuracy, *b = &wanted->accuracy;
    for (size_t k = 0; k < 6; k++)
        assert_true(fabs(a[k] - b[k]) < 1e-9);
}

/* Labels in runs, more of them as it goes on; answers that are right as often as not. */
static Kept next_sample(Dice *dice, const Kept *last, size_t k) {
    Kept sample = {.label = (size_t)roll(dice, 0, 2 + (double)k * (LABELS - 2) / SAMPLES)};
    if (last && roll(dice, 0, 1) < 0.6)
        sample.label = last->label;
    sample.answer = roll(dice, 0, 1) < 0.5 ? (int)sample.label : (int)roll(dice, -1, LABELS);
    sample.rejected = roll(dice, 0, 1) < 0.1;
    if (sample.rejected)
        sample.answer = -1;
    return sample;
}

static void every_figure_of_every_sample(void **state) {
    static Kept kept[SAMPLES];
    static const size_t windows[] = {1, 7, 100, 2 * SAMPLES};
    Dice dice = {.game = 1};
    (void)state;
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        tacos_evaluation *evaluation = evaluation_of(windows[w], LABELS, 0);
        for (size_t k = 0; k < SAMPLES; k++) {
            kept[k] = next_sample(&dice, k > 0 ? &kept[k - 1] : NULL, k);
            add_sample(evaluation, kept[k].label, kept[k].answer, kept[k].rejected);
            if (k % 97 != 0 && k < SAMPLES - 1 && k > 40)
                continue;
            size_t n = k + 1, from = n > windows[w] ? n - windows[w] : 0;
            tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
            tacos_evaluation_span all = count(kept, 0, n), window = count(kept, from, n);
            if (k > 40) /* until then some are not defined */
                assert_same(&figures.overall, &all);
            if (k > 40 && windows[w] > 7)
                assert_same(&figures.window, &window);
            assert_int_equal(figures.window.right, window.right);
            assert_int_equal(figures.window.rejected, window.rejected);
        }
        tacos_evaluation_free(evaluation);
    }
}

/* ---- drift ---- */

/* 3,000 samples of which 90% are right, then as many with 30%. */
static void drift_once(tacos_evaluation *evaluation, uint32_t game) {
    Dice dice = {.game = 10 + game};
    for (size_t k = 0; k < 6000; k++) {
        size_t label = (size_t)roll(&dice, 0, 4);
        bool right = roll(&dice, 0, 1) < (k < 3000 ? 0.9 : 0.3);
        add_sample(evaluation, label, right ? (int)label : (int)(label + 1), 0);
    }
}

/* The first alarm comes soon after the accuracy fell, others while the window shrinks; getting
 * better gives none. */
static void alarms_where_accuracy_falls(void **state) {
    enum { TIMES = 40, SOON = 128, SHRUNK = 1500 };
    tacos_evaluation *evaluation = evaluation_of(0, 0, 0);
    uint64_t last = 0;
    (void)state;
    for (size_t k = 0; k < TIMES; k++) {
        drift_once(evaluation, (uint32_t)k);
        tacos_evaluation_drift drift = tacos_evaluation_drift_get(evaluation);
        size_t n_new = (size_t)(drift.alarms - last);
        uint64_t fell = 6000 * k + 3000;
        last = drift.alarms;
        assert_int_equal(drift.n, last < TACOS_EVALUATION_ALARMS ? last : TACOS_EVALUATION_ALARMS);
        assert_in_range(n_new, 1, drift.n);
        assert_in_range(drift.at[drift.n - n_new], fell + 1, fell + SOON);
        assert_in_range(drift.at[drift.n - 1], fell + 1, fell + SHRUNK);
        assert_in_range(drift.width, 2900, 3200); /* since it fell */
        for (size_t i = 1; i < drift.n; i++)
            assert_true(drift.at[i - 1] < drift.at[i]);
    }
    assert_true(last > TACOS_EVALUATION_ALARMS);
    tacos_evaluation_free(evaluation);
}

/* ---- time series ---- */

static void rows_as_they_are_due(void **state) {
    tacos_evaluation *evaluation = evaluation_of(10, 0, 5);
    size_t n, n_due = 0;
    (void)state;
    assert_false(tacos_evaluation_due(evaluation));
    tacos_evaluation_clock(evaluation, 100);
    for (size_t k = 1; k <= 23; k++) {
        add_sample(evaluation, k % 2, (int)(k / 12), 0);
        if (!tacos_evaluation_due(evaluation))
            continue;
        tacos_evaluation_row row =
            tacos_evaluation_report(evaluation, 100 + 0.5 * (double)++n_due, 1000 + k);
        assert_int_equal(row.samples, k);
        assert_int_equal(row.bytes, 1000 + k);
        assert_near(row.samples_per_second, 10);
    }
    assert_int_equal(n_due, 4);
    tacos_evaluation_row last = tacos_evaluation_report(evaluation, NAN, 7);
    assert_int_equal(last.samples, 23);
    assert_true(isnan(last.samples_per_second));
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    assert_true(last.window_kappa == figures.window.kappa);
    assert_true(last.repeat_last == figures.overall.repeat_last);
    const tacos_evaluation_row *rows = tacos_evaluation_series(evaluation, &n);
    assert_int_equal(n, 4); /* that of sample 23 is not due */
    for (size_t k = 0; k < n; k++)
        assert_int_equal(rows[k].samples, 5 * (k + 1));
    (void)tacos_evaluation_report(evaluation, NAN, 7);
    (void)tacos_evaluation_series(evaluation, &n);
    assert_int_equal(n, 4);
    tacos_evaluation_free(evaluation);
}

static void a_long_series_is_thinned_out(void **state) {
    enum { EVERY = 3 };
    tacos_evaluation *evaluation = evaluation_of(10, 0, EVERY);
    size_t n, stride = 1;
    (void)state;
    for (size_t k = 1; k <= EVERY * TACOS_EVALUATION_ROWS * 9; k++) {
        add_sample(evaluation, 0, 0, 0);
        if (tacos_evaluation_due(evaluation))
            (void)tacos_evaluation_report(evaluation, NAN, 0);
        const tacos_evaluation_row *rows = tacos_evaluation_series(evaluation, &n);
        size_t due = k / EVERY;
        while (due / stride > TACOS_EVALUATION_ROWS)
            stride *= 2;
        assert_int_equal(n, due / stride);
        for (size_t i = 0; i < n && k % 100 == 0; i++)
            assert_int_equal(rows[i].samples, EVERY * stride * (i + 1));
    }
    assert_int_equal(stride, 16);
    tacos_evaluation_free(evaluation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cohens_kappa),
        cmocka_unit_test(all_and_the_window),
        cmocka_unit_test(labels_appear_later),
        cmocka_unit_test(rejected_samples),
        cmocka_unit_test(what_is_not_defined),
        cmocka_unit_test(beyond_the_limits),
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_figure_of_every_sample),
        cmocka_unit_test(alarms_where_accuracy_falls),
        cmocka_unit_test(rows_as_they_are_due),
        cmocka_unit_test(a_long_series_is_thinned_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
