/* test_elementary.c - logarithms and powers of two: near those of the C library, exact where they
 * can be, the same bits everywhere. Sines are in test_wav.c. */
#include "base/elementary.h"
#include "base/pack_file.h"

#include <float.h>
#include <math.h>

#include "check.h"

static void logarithms_are_near_those_of_libm(void **state) {
    Dice dice = {.game = 1};
    (void)state;
    for (int i = 0; i < 50000; i++) {
        double value = ldexp(roll(&dice, 0.5, 1), (int)roll(&dice, -1020, 1024));
        double near_one = 1 + roll(&dice, -1, 1) * ldexp(1, -(i % 50));
        assert_true(fabs(log2_exact(value) - log2(value)) <= 1e-15 * fmax(1, fabs(log2(value))));
        if (near_one > 0)
            assert_true(fabs(log2_exact(near_one) - log2(near_one)) <=
                        1e-15 * fmax(1, fabs(log2(near_one))));
    }
}

static void powers_are_near_those_of_libm(void **state) {
    Dice dice = {.game = 2};
    double worst = 0;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double x = roll(&dice, -1, 1) * ldexp(999, -(i % 60)), wanted = exp2(x);
        worst = fmax(worst, fabs(exp2_exact(x) / wanted - 1));
    }
    print_message("relative error of powers of two: at most %.2g\n", worst);
    assert_true(worst < 0x1p-50);
}

static void powers_at_the_ends(void **state) {
    (void)state;
    for (int k = -999; k <= 1000; k++) {
        assert_true(exp2_exact(k) == ldexp(1, k));
        assert_true(log2_exact(ldexp(1, k)) == k);
    }
    assert_true(exp2_exact(-1000) == 0 && exp2_exact(-1e308) == 0 && exp2_exact(-HUGE_VAL) == 0);
    assert_true(exp2_exact((double)NAN) == 0);
    assert_true(exp2_exact(-0.0) == 1 && exp2_exact(DBL_TRUE_MIN) == 1);
    assert_true(log2_exact(DBL_MIN) == -1022);
    assert_true(fabs(log2_exact(DBL_MAX) - 1024) < 1e-12);
    assert_true(log2_exact(0x1p1023) == 1023);
}

/* Over steps that are far above rounding. */
static void powers_grow(void **state) {
    double last = 0;
    (void)state;
    for (int i = -60000; i <= 60000; i++) {
        double power = exp2_exact(i / 4096.0);
        assert_true(power > last);
        last = power;
    }
}

static void the_bits_are_the_same_everywhere(void **state) {
    Pack pack = {.writing = true};
    (void)state;
    for (int i = 0; i < 3000; i++) {
        (void)pack_real(&pack, exp2_exact((i - 1500) / 7.0));
        (void)pack_real(&pack, log2_exact((i + 1) / 257.0));
    }
    assert_int_equal(pack.crc, 0x4124fc50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_near_those_of_libm),
        cmocka_unit_test(powers_are_near_those_of_libm),
        cmocka_unit_test(powers_at_the_ends),
        cmocka_unit_test(powers_grow),
        cmocka_unit_test(the_bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
