/* test_report_scale.c - axes: ticks are round, few, within their range, and never missing. */
#include "report/charts/colour.h"
#include "report/charts/charts.h"
#include "report/charts/axes.h"
#include "check.h"

#include <math.h>

static void assert_ticks(Range range, size_t about, bool whole, size_t n, double first, double last,
                         int digits) {
    Ticks ticks = ticks_in(range, about, whole);
    assert_int_equal(ticks.n, n);
    assert_float_equal(ticks.at[0], first, 1e-9);
    assert_float_equal(ticks.at[n - 1], last, 1e-9);
    assert_int_equal(ticks.digits, digits);
}

static void known_ranges(void **state) {
    (void)state;
    assert_ticks((Range){0, 100}, 5, false, 6, 0, 100, 0);
    assert_ticks((Range){0, 1}, 5, false, 6, 0, 1, 1);
    assert_ticks((Range){-47, 12}, 5, false, 3, -40, 0, 0);
    assert_ticks((Range){0.95, 0.99}, 5, false, 5, 0.95, 0.99, 2);
    assert_ticks((Range){0, 5}, 10, true, 6, 0, 5, 0);
    assert_ticks((Range){0, 50}, 8, true, 6, 0, 50, 0);
    assert_ticks((Range){1, 1}, 8, true, 1, 1, 1, 0);
}

/* The first is a multiple of the step, and the step one, two or five times a power of ten. */
static void assert_round(double step) {
    double leading = step / pow(10, floor(log10(step) + 1e-9));
    if (fabs(leading - 1) > 1e-6 && fabs(leading - 2) > 1e-6 && fabs(leading - 5) > 1e-6)
        fail_msg("a step of %g is not round", step);
}

static void any_range(void **state) {
    (void)state;
    Dice dice = {.game = 2};
    for (int turn = 0; turn < 20000; turn++) {
        double size = pow(10, roll(&dice, -6, 9)), lo = roll(&dice, -1, 1) * size;
        Range range = {lo, lo + size * roll(&dice, 0.01, 2)};
        size_t about = 2 + roll_word(&dice) % 9;
        Ticks ticks = ticks_in(range, about, false);
        assert_in_range(ticks.n, 0, about + 1);
        for (size_t k = 0; k < ticks.n; k++)
            assert_true(ticks.at[k] >= range.lo - 1e-5 * size &&
                        ticks.at[k] <= range.hi + 1e-5 * size);
        if (ticks.n > 1)
            assert_round(ticks.at[1] - ticks.at[0]);
        Range wide = range_round(range, about);
        assert_true(wide.lo <= range.lo + 1e-5 * size && wide.hi >= range.hi - 1e-5 * size);
        ticks = ticks_in(wide, about, false);
        assert_in_range(ticks.n, 2, about + 1);
        assert_true(fabs(ticks.at[0] - wide.lo) <= 1e-5 * size);
        assert_true(fabs(ticks.at[ticks.n - 1] - wide.hi) <= 1e-5 * size);
    }
}

static void ranges_that_are_none(void **state) {
    (void)state;
    static const Range ranges[] = {{1, 0},          {0, 0},           {-5, -5},    {1e300, 1e301},
                                   {-1e308, 1e308}, {1e-300, 2e-300}, {1e15, 1e15}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        Range round = range_round(ranges[i], 5);
        Ticks ticks = ticks_in(ranges[i], 5, false);
        assert_true(isfinite(round.lo) && isfinite(round.hi) && round.lo < round.hi);
        assert_in_range(ticks.n, 1, TICKS_MAX);
    }
    assert_true(range_round((Range){0, 0}, 5).lo == 0); /* counts of nothing */
    assert_int_equal(signbit(ticks_in((Range){-1e-9, 1}, 5, false).at[0]), 0);
}

static void what_is_no_number_is_passed_over(void **state) {
    (void)state;
    Range range = RANGE_EMPTY;
    range_take(&range, NAN);
    range_take(&range, INFINITY);
    assert_true(range_is_empty(range));
    range_take(&range, 3);
    range_take(&range, -INFINITY);
    range_take(&range, -2);
    assert_float_equal(range.lo, -2, 0);
    assert_float_equal(range.hi, 3, 0);
}

static void places(void **state) {
    (void)state;
    Scale up = {0, 100, 300, 20}; /* a y-axis: the larger the higher up */
    assert_float_equal(scale_at(&up, 0), 300, 1e-9);
    assert_float_equal(scale_at(&up, 100), 20, 1e-9);
    assert_float_equal(scale_at(&up, 25), 230, 1e-9);
}

static void counting(void **state) {
    (void)state;
    Counting c = {.lo = 0, .hi = HISTOGRAM_BINS};
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        counting_take(&c, i + 0.5);
    for (size_t b = 0; b < HISTOGRAM_BINS; b++)
        assert_int_equal(c.bin[b], 1);
    counting_take(&c, HISTOGRAM_BINS); /* the upper end is in the last bin */
    counting_take(&c, -3);
    counting_take(&c, 1e9);
    assert_int_equal(c.bin[HISTOGRAM_BINS - 1], 3);
    assert_int_equal(c.bin[0], 2);
    assert_int_equal(c.n, HISTOGRAM_BINS + 3);
}

/* White on dark and black on light shades is readable: at least 4.5 to one for every shade. */
static double lightness(Rgb c) {
    uint8_t parts[] = {c.r, c.g, c.b};
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (size_t i = 0; i < 3; i++) {
        double v = parts[i] / 255.0;
        sum += weights[i] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static void numbers_on_shades_can_be_read(void **state) {
    (void)state;
    for (int k = 0; k <= 100; k++) {
        Rgb shade = ramp_amount(k / 100.0);
        double light = lightness(shade);
        double contrast = colour_is_dark(shade) ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05;
        assert_true(contrast >= 4.5);
        if (k > 0)
            assert_true(light < lightness(ramp_amount((k - 1) / 100.0))); /* more is darker */
    }
    Rgb none = ramp_amount(NAN), least = ramp_amount(-5), first = ramp_amount(0);
    assert_memory_equal(&none, &first, sizeof first);
    assert_memory_equal(&least, &first, sizeof first);
}

/* At least three to one against white paper and against that of a dark page. */
static void lines_by_order_stand_out(void **state) {
    (void)state;
    double dark = lightness((Rgb){0x18, 0x1d, 0x22});
    for (int k = 0; k <= 100; k++) {
        double light = lightness(ramp_order(k / 100.0));
        assert_true(1.05 / (light + 0.05) >= 3);
        assert_true((light + 0.05) / (dark + 0.05) >= 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ranges),
        cmocka_unit_test(any_range),
        cmocka_unit_test(ranges_that_are_none),
        cmocka_unit_test(what_is_no_number_is_passed_over),
        cmocka_unit_test(places),
        cmocka_unit_test(counting),
        cmocka_unit_test(numbers_on_shades_can_be_read),
        cmocka_unit_test(lines_by_order_stand_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
