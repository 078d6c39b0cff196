/* test_adwin.c - ADWIN against a version that keeps every bit and tries every border between
 * buckets, and on streams whose rate is known. */
#include "stream/adwin.h"

#include "check.h"

#include <math.h>

/* ---- the straightforward version ---- */

enum { BITS = 6000 };

/* Buckets from the oldest on, as sizes; what is in them is counted in the bits themselves. */
typedef struct Plain {
    bool bits[BITS];
    size_t n_bits, start; /* the window begins at start */
    size_t n_buckets, sizes[BITS];
} Plain;

static void remove_size(Plain *plain, size_t k) {
    plain->n_buckets--;
    memmove(plain->sizes + k, plain->sizes + k + 1, (plain->n_buckets - k) * sizeof *plain->sizes);
}

/* More than M buckets of a size: the two oldest become one. */
static void merge(Plain *plain) {
    for (size_t size = 1; size < BITS; size *= 2) {
        size_t count = 0, first = 0;
        for (size_t k = plain->n_buckets; k-- > 0;)
            if (plain->sizes[k] == size) {
                count++;
                first = k;
            }
        if (count <= ADWIN_BUCKETS)
            return;
        remove_size(plain, first + 1);
        plain->sizes[first] = 2 * size;
    }
}

static double mean_of(const Plain *plain, size_t from, size_t to) {
    double sum = 0;
    for (size_t k = from; k < to; k++)
        sum += plain->bits[k];
    return sum / (double)(to - from);
}

/* The bound as it is printed in the paper. */
static AdwinChange compare(const Plain *plain, size_t cut) {
    double n = (double)(plain->n_bits - plain->start), n0 = (double)(cut - plain->start);
    double mean = mean_of(plain, plain->start, plain->n_bits), variance = 0;
    for (size_t k = plain->start; k < plain->n_bits; k++)
        variance += (plain->bits[k] - mean) * (plain->bits[k] - mean) / n;
    double m = 1 / (1 / n0 + 1 / (n - n0)), delta = ADWIN_DELTA / log(n);
    double bound = sqrt(2 / m * variance * log(2 / delta)) + 2 / (3 * m) * log(2 / delta);
    double before = mean_of(plain, plain->start, cut), after = mean_of(plain, cut, plain->n_bits);
    return fabs(after - before) <= bound ? ADWIN_SAME : after > before ? ADWIN_ROSE : ADWIN_FELL;
}

static AdwinChange try_all(const Plain *plain) {
    size_t cut = plain->start;
    for (size_t k = 0; k < plain->n_buckets; k++) {
        cut += plain->sizes[k];
        if (cut - plain->start < ADWIN_LEAST || plain->n_bits - cut < ADWIN_LEAST ||
            cut >= plain->n_bits)
            continue;
        AdwinChange change = compare(plain, cut);
        if (change != ADWIN_SAME)
            return change;
    }
    return ADWIN_SAME;
}

static AdwinChange plain_add(Plain *plain, bool one) {
    AdwinChange first = ADWIN_SAME, change;
    plain->bits[plain->n_bits++] = one;
    plain->sizes[plain->n_buckets++] = 1;
    merge(plain);
    if (plain->n_bits % ADWIN_EVERY != 0)
        return ADWIN_SAME;
    while ((change = try_all(plain)) != ADWIN_SAME) {
        if (first == ADWIN_SAME)
            first = change;
        plain->start += plain->sizes[0];
        remove_size(plain, 0);
    }
    return first;
}

/* Rates that jump, drift and stay. */
static double rate_at(uint32_t game, size_t k) {
    switch (game % 4) {
    case 0:
        return 0.3;
    case 1:
        return k / 1500 % 2 ? 0.6 : 0.2;
    case 2:
        return (double)k / BITS;
    default:
        return k < BITS / 2 ? 0 : 1;
    }
}

static void it_is_the_straightforward_version(void **state) {
    size_t n_changes = 0;
    (void)state;
    for (uint32_t game = 0; game < 12; game++) {
        static Plain plain;
        Dice dice = {.game = game};
        Adwin adwin;
        memset(&plain, 0, sizeof plain);
        adwin_start(&adwin, ADWIN_DELTA);
        for (size_t k = 0; k < BITS; k++) {
            bool one = roll(&dice, 0, 1) < rate_at(game, k);
            AdwinChange wanted = plain_add(&plain, one), got = adwin_add(&adwin, one);
            if (got != wanted || adwin.n != plain.n_bits - plain.start)
                fail_msg("game %u, bit %zu: change %d and width %llu, not %d and %zu", game, k, got,
                         (unsigned long long)adwin.n, wanted, plain.n_bits - plain.start);
            n_changes += got != ADWIN_SAME;
        }
    }
    assert_in_range(n_changes, 12, 200);
}

/* ---- streams ---- */

/* The paper bounds false changes by delta for each check; these seeds have none. */
static void nothing_changes(void **state) {
    static const double rates[] = {0.02, 0.1, 0.3, 0.5, 0.9};
    enum { N_RATES = sizeof rates / sizeof *rates, N_SEEDS = 6, LENGTH = 100000 };
    (void)state;
    for (uint32_t game = 0; game < N_RATES * N_SEEDS; game++) {
        Dice dice = {.game = 100 + game};
        Adwin adwin;
        size_t n_changes = 0;
        adwin_start(&adwin, ADWIN_DELTA);
        for (size_t k = 0; k < LENGTH; k++)
            n_changes += adwin_add(&adwin, roll(&dice, 0, 1) < rates[game % N_RATES]) != ADWIN_SAME;
        assert_int_equal(n_changes, 0);
        assert_int_equal(adwin.n, LENGTH);
    }
}

/* 10,000 bits of one rate, then another: found within 256 bits, and the old ones are forgotten. */
static void a_change_is_found(void **state) {
    static const struct {
        double before, after;
        AdwinChange change;
    } cases[] = {{0.2, 0.5, ADWIN_ROSE},
                 {0.5, 0.2, ADWIN_FELL},
                 {0.02, 0.3, ADWIN_ROSE},
                 {0.9, 0.5, ADWIN_FELL},
                 {0, 1, ADWIN_ROSE}};
    enum { N_CASES = sizeof cases / sizeof *cases, BEFORE = 10000, SOON = 256 };
    (void)state;
    for (uint32_t game = 0; game < 4 * N_CASES; game++) {
        Dice dice = {.game = 200 + game};
        Adwin adwin;
        AdwinChange first = ADWIN_SAME;
        adwin_start(&adwin, ADWIN_DELTA);
        for (size_t k = 0; k < BEFORE; k++)
            assert_int_equal(adwin_add(&adwin, roll(&dice, 0, 1) < cases[game % N_CASES].before),
                             ADWIN_SAME);
        for (size_t k = 0; k < SOON; k++) {
            AdwinChange change = adwin_add(&adwin, roll(&dice, 0, 1) < cases[game % N_CASES].after);
            first = first == ADWIN_SAME ? change : first;
        }
        assert_int_equal(first, cases[game % N_CASES].change);
        assert_true(adwin.n < 3 * SOON);
    }
}

static void the_window_counts_what_it_holds(void **state) {
    Dice dice = {.game = 300};
    Adwin adwin;
    (void)state;
    adwin_start(&adwin, ADWIN_DELTA);
    for (size_t k = 0; k < 50000; k++) {
        uint64_t n = 0, ones = 0;
        (void)adwin_add(&adwin, roll(&dice, 0, 1) < (k / 7000 % 2 ? 0.8 : 0.3));
        for (size_t row = 0; row < ADWIN_ROWS; row++)
            for (size_t b = 0; b < adwin.n_buckets[row]; b++) {
                n += (uint64_t)1 << row;
                ones += adwin.sum[row][b];
            }
        assert_int_equal(n, adwin.n);
        assert_int_equal(ones, adwin.ones);
    }
    assert_int_equal(adwin.n_added, 50000);
}

static void logarithms(void **state) {
    (void)state;
    assert_true(adwin_ln(1) == 0);
    for (double x = 1; x < 1e19; x *= 1.0137)
        assert_true(fabs(adwin_ln(x) - log(x)) <= 1e-14 * (log(x) + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_straightforward_version),
        cmocka_unit_test(nothing_changes),
        cmocka_unit_test(a_change_is_found),
        cmocka_unit_test(the_window_counts_what_it_holds),
        cmocka_unit_test(logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
