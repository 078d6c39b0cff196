/* test_columns_numbers.c - roots, logarithms and counts of columns in whole numbers, against exact
 * values and over many draws. */
#include "check.h"
#include "columns/count.h"
#include "columns/integer.h"
#include "small/tables.h"

#include <math.h>
#include <stdlib.h>

static Tables tables;

/* 64 random bits, of which the highest may be 0. */
static uint64_t roll_wide(Dice *dice) {
    uint64_t word = (uint64_t)roll_word(dice) << 32 | roll_word(dice);
    return word >> roll_word(dice) % 64;
}

static bool within(double error, double low, double high) {
    return error >= low && error <= high;
}

/* ---- roots ---- */

static void assert_root(uint64_t v) {
    uint64_t root = exact_root(v);
    assert_true(root * root <= v);
    assert_true(root == UINT32_MAX || (root + 1) * (root + 1) > v);
}

static void exact_roots_are_exact(void **state) {
    Dice dice = {.game = 1};
    (void)state;
    for (uint64_t v = 0; v < 100000; v++)
        assert_root(v);
    for (uint64_t root = 1; root <= UINT32_MAX; root += root / 3 + 1) {
        assert_int_equal(exact_root(root * root), root);
        assert_int_equal(exact_root(root * root - 1), root - 1);
    }
    for (size_t k = 0; k < 100000; k++)
        assert_root(roll_wide(&dice));
    assert_int_equal(exact_root(UINT64_MAX), UINT32_MAX);
}

static void exact_cube_roots_are_exact(void **state) {
    enum { MOST = 1 << 20 };
    Dice dice = {.game = 2};
    (void)state;
    for (uint64_t root = 1; root < MOST; root += root / 1000 + 1) {
        assert_int_equal(exact_cube_root(root * root * root), root);
        assert_int_equal(exact_cube_root(root * root * root - 1), root - 1);
    }
    for (size_t k = 0; k < 100000; k++) {
        uint64_t v = roll_wide(&dice) >> 4, root = exact_cube_root(v);
        assert_true(root * root * root <= v && (root + 1) * (root + 1) * (root + 1) > v);
    }
    assert_int_equal(exact_cube_root(((uint64_t)1 << 60) - 1), MOST - 1);
}

static void assert_root_of(uint32_t v) {
    double exact = 16 * sqrt(v), error = root_of(&tables, v) - exact;
    double most = v < 4096 ? 2.8 : 0.005 * exact;
    if (!within(error, -most, most))
        fail_msg("root of %u is off by %g", v, error);
}

static void table_roots_have_their_bounds(void **state) {
    (void)state;
    for (uint32_t i = 64; i < MANTISSAS; i++)
        assert_int_equal(tables.root[i], floor(4096 * sqrt(i + 0.5)));
    for (uint32_t v = 0; v < 1 << 20; v++)
        assert_root_of(v);
    for (uint32_t v = 1 << 20; v < 1 << 24; v += 61)
        assert_root_of(v);
    assert_root_of((1 << 24) - 1);
}

static void assert_root_scaled(uint64_t v) {
    Root root = root_scaled(&tables, v);
    double ratio = ldexp(root.mantissa, -root.shift) / sqrt((double)v);
    assert_true(root.mantissa >= 1 << 15 && root.mantissa <= 1 << 16);
    if (!within(ratio - 1, -0x1p-15, 0x1p-17))
        fail_msg("scaled root of %llu is off by %g", (unsigned long long)v, ratio - 1);
}

static void scaled_roots_have_their_bounds(void **state) {
    Dice dice = {.game = 3};
    (void)state;
    for (uint64_t v = 1; v < 1 << 20; v++)
        assert_root_scaled(v);
    for (size_t k = 0; k < 1000000; k++)
        assert_root_scaled(roll_wide(&dice) | 1);
    assert_root_scaled(UINT32_MAX);
    assert_root_scaled(UINT64_MAX);
}

/* What a device has in flash is what is computed elsewhere. */
static void constant_tables_are_the_same(void **state) {
    (void)state;
    assert_memory_equal(&flash_tables, &tables, sizeof tables);
    for (size_t code = 0; code <= COUNT_MOST; code++)
        assert_int_equal(flash_count_log[code],
                         log2_of(&tables, 2 * count_value((uint8_t)code) + 1));
}

/* ---- logarithms ---- */

static void assert_log(uint32_t v) {
    double error = log2_of(&tables, v) - 256 * log2(v);
    if (!within(error, -1.9, 0.5))
        fail_msg("logarithm of %u is off by %g", v, error);
}

static void logarithms_have_their_bounds(void **state) {
    (void)state;
    for (uint32_t i = 0; i < MANTISSAS; i++)
        assert_int_equal(tables.log2[i], floor(256 * log2(1 + i / 256.0) + 0.5));
    for (uint32_t v = 1; v < 1 << 20; v++)
        assert_log(v);
    for (uint64_t v = 1 << 20; v <= UINT32_MAX; v += v / 5000)
        assert_log((uint32_t)v);
    assert_log(UINT32_MAX);
    for (int e = 0; e < 32; e++)
        assert_int_equal(log2_of(&tables, (uint32_t)1 << e), 256 * e);
}

static void logarithms_never_fall(void **state) {
    int32_t last = 0;
    (void)state;
    for (uint32_t v = 1; v < 1 << 20; v++) {
        int32_t log = log2_of(&tables, v);
        assert_true(log >= last);
        last = log;
    }
}

/* ---- counts ---- */

static void codes_stand_for_growing_numbers(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= 16; code++)
        assert_int_equal(count_value((uint8_t)code), code);
    for (uint32_t code = 0; code < COUNT_MOST; code++)
        assert_int_equal(count_value((uint8_t)(code + 1)) - count_value((uint8_t)code),
                         1 << code / 16);
    assert_int_equal(count_value(COUNT_MOST), 1015792);
}

/* Compared with the two neighbours of the last answer, for every number up to past the largest. */
static void the_nearest_code_is_found(void **state) {
    uint32_t below = 0; /* the last code that is not above the number */
    (void)state;
    for (uint64_t v = 0; v < 1100000; v++) {
        while (below < COUNT_MOST && count_value((uint8_t)(below + 1)) <= v)
            below++;
        uint64_t under = v - count_value((uint8_t)below);
        uint64_t over = below < COUNT_MOST ? count_value((uint8_t)(below + 1)) - v : UINT64_MAX;
        assert_int_equal(count_code(v), over < under ? below + 1 : below);
    }
    assert_int_equal(count_code(UINT64_MAX), COUNT_MOST);
}

/* As learning draws: from a new random word for every event. */
static void add_events(uint8_t *code, uint32_t counter, uint64_t from, uint64_t to) {
    for (uint64_t event = from; event < to; event++) {
        uint32_t draws = rng_block(1, RNG_COLUMNS, event, counter, 0).word[3];
        count_add(code, &draws);
    }
}

/* The standard deviation of one count is at most 0.15 of it; five of the mean's are allowed. */
static void the_mean_of_counts_is_the_number_of_events(void **state) {
    enum { COUNTERS = 1000 };
    static const uint64_t events[] = {0, 1, 16, 40, 300, 3000};
    static uint8_t codes[COUNTERS];
    (void)state;
    for (size_t k = 1; k < sizeof events / sizeof *events; k++) {
        double sum = 0, n = (double)events[k];
        for (uint32_t c = 0; c < COUNTERS; c++) {
            add_events(&codes[c], c, events[k - 1], events[k]);
            sum += count_value(codes[c]);
        }
        double off = fabs(sum / COUNTERS / n - 1);
        if (events[k] <= 16 ? off > 0 : off > 5 * 0.15 / sqrt(COUNTERS))
            fail_msg("%g events are counted as %g", n, sum / COUNTERS);
    }
}

/* A code with exponent e grows in one of 2^e cases. */
static void every_exponent_has_its_odds(void **state) {
    enum { WANTED = 200 };
    (void)state;
    for (uint32_t e = 0; e < 16; e++) {
        uint32_t n = 0;
        for (uint64_t event = 0; event < (uint64_t)WANTED << e; event++) {
            uint8_t code = (uint8_t)(16 * e + 7);
            add_events(&code, e, event, event + 1);
            n += code == 16 * e + 8;
        }
        if (e == 0)
            assert_int_equal(n, WANTED);
        if (fabs((double)n - WANTED) > 5 * sqrt(WANTED))
            fail_msg("exponent %u: %u instead of %d", e, n, WANTED);
    }
}

static void a_full_count_stays_and_draws_nothing(void **state) {
    uint8_t code = COUNT_MOST;
    uint32_t draws = 0;
    (void)state;
    for (size_t k = 0; k < 1000; k++) {
        count_add(&code, &draws);
        assert_int_equal(draws, 0);
        draws = 0;
    }
    assert_int_equal(code, COUNT_MOST);
}

/* ---- draws ---- */

static void draws_below_a_number_are_below_it(void **state) {
    uint32_t draws = 5, seen[10] = {0};
    (void)state;
    for (size_t k = 0; k < 10000; k++) {
        uint32_t draw = draw_below(&draws, 10);
        assert_true(draw < 10);
        seen[draw]++;
    }
    for (size_t k = 0; k < 10; k++)
        assert_true(seen[k] > 850 && seen[k] < 1150);
}

int main(void) {
    tables_fill(&tables);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_roots_are_exact),
        cmocka_unit_test(exact_cube_roots_are_exact),
        cmocka_unit_test(table_roots_have_their_bounds),
        cmocka_unit_test(scaled_roots_have_their_bounds),
        cmocka_unit_test(constant_tables_are_the_same),
        cmocka_unit_test(logarithms_have_their_bounds),
        cmocka_unit_test(logarithms_never_fall),
        cmocka_unit_test(codes_stand_for_growing_numbers),
        cmocka_unit_test(the_nearest_code_is_found),
        cmocka_unit_test(the_mean_of_counts_is_the_number_of_events),
        cmocka_unit_test(every_exponent_has_its_odds),
        cmocka_unit_test(a_full_count_stays_and_draws_nothing),
        cmocka_unit_test(draws_below_a_number_are_below_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
