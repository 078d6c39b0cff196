/* test_points.c - where a sweep looks: each kind of points keeps its promise, whatever the seed. */
#include "plan/points.h"
#include "check.h"

#include <math.h>

enum { N_AXES = SOBOL_AXES_MAX, N_MAX = 1024 };

static Points points_of(Sampling sampling, uint32_t seed, uint32_t stream, uint32_t n) {
    Points points;
    points_init(&points, sampling, seed, stream, n);
    return points;
}

/* In which of so many equal parts of an axis a point lies. */
static uint32_t part(const Points *points, uint32_t i, uint32_t axis, uint32_t n_parts) {
    double at = points_at(points, i, axis);
    assert_true(at >= 0 && at < 1);
    return (uint32_t)(at * n_parts);
}

/* Each of n points in a stratum of its own. */
static void assert_stratified(const Points *points, uint32_t axis) {
    bool seen[N_MAX] = {false};
    for (uint32_t i = 0; i < points->n; i++) {
        uint32_t k = part(points, i, axis, points->n);
        if (seen[k])
            fail_msg("axis %u has two of %u points in stratum %u", axis, points->n, k);
        seen[k] = true;
    }
}

/* Each of 2^n_bits points in a box of its own of 2^bits by 2^(n_bits - bits), in all shapes. */
static void assert_net(const Points *points, unsigned n_bits) {
    for (unsigned bits = 0; bits <= n_bits; bits++) {
        bool seen[N_MAX] = {false};
        for (uint32_t i = 0; i < points->n; i++) {
            uint32_t x = part(points, i, 0, 1u << bits), y = part(points, i, 1, points->n >> bits);
            uint32_t box = x * (points->n >> bits) + y;
            if (seen[box])
                fail_msg("two points in a box of 1/%u by 1/%u", 1u << bits, points->n >> bits);
            seen[box] = true;
        }
    }
}

static void latin_points_have_a_stratum_each(void **state) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 16, 17, 100, 1000};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint32_t seed = 0; seed < 4; seed++) {
            Points points = points_of(SAMPLING_LATIN, seed, 0, sizes[k]);
            for (uint32_t axis = 0; axis < N_AXES; axis++)
                assert_stratified(&points, axis);
        }
}

static void sobol_points_have_a_stratum_each(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= N_MAX; n *= 2)
        for (uint32_t seed = 0; seed < 4; seed++) {
            Points points = points_of(SAMPLING_SOBOL, seed, 0, n);
            for (uint32_t axis = 0; axis < N_AXES; axis++)
                assert_stratified(&points, axis);
        }
}

static void sobol_points_are_a_net_in_the_first_two_axes(void **state) {
    (void)state;
    for (unsigned n_bits = 0; n_bits <= 8; n_bits++)
        for (uint32_t seed = 0; seed < 4; seed++) {
            Points points = points_of(SAMPLING_SOBOL, seed, 0, 1u << n_bits);
            assert_net(&points, n_bits);
        }
}

/* The sequence itself, as scipy.stats.qmc.Sobol(21, scramble=False) has it: points 1 and 100. */
static void sobol_points_are_those_of_joe_and_kuo(void **state) {
    static const uint32_t which[] = {0, 1, 100};
    static const double hundredth[N_AXES] = {
        0.4140625, 0.2578125, 0.7734375, 0.7265625, 0.8828125, 0.7421875, 0.0234375,
        0.4765625, 0.6328125, 0.6953125, 0.4609375, 0.6796875, 0.4765625, 0.8515625,
        0.3203125, 0.4921875, 0.6796875, 0.7421875, 0.8359375, 0.3359375, 0.7578125};
    Points points = points_of(SAMPLING_SOBOL, 7, 3, N_MAX);
    (void)state;
    for (uint32_t axis = 0; axis < N_AXES; axis++) {
        uint32_t word[3];
        for (uint32_t k = 0; k < 3; k++)
            word[k] = (uint32_t)(points_at(&points, which[k], axis) * 0x1p32);
        assert_true((word[0] ^ word[1]) * 0x1p-32 == 0.5);
        assert_true((word[0] ^ word[2]) * 0x1p-32 == hundredth[axis]);
    }
}

/* Pairs of axes are not copies of each other, as with wrong direction numbers they may be. */
static void axes_do_not_follow_each_other(void **state) {
    (void)state;
    for (Sampling sampling = SAMPLING_RANDOM; sampling <= SAMPLING_SOBOL; sampling++) {
        Points points = points_of(sampling, 1, 0, N_MAX);
        for (uint32_t a = 0; a < N_AXES; a++)
            for (uint32_t b = 0; b < a; b++) {
                double sum = 0;
                for (uint32_t i = 0; i < N_MAX; i++)
                    sum += (points_at(&points, i, a) - 0.5) * (points_at(&points, i, b) - 0.5);
                assert_true(fabs(12 * sum / N_MAX) < 0.2); /* the correlation */
            }
    }
}

static void random_points_fill_the_axis_evenly(void **state) {
    enum { PARTS = 8 };
    (void)state;
    for (uint32_t axis = 0; axis < N_AXES; axis++) {
        Points points = points_of(SAMPLING_RANDOM, 1, 0, N_MAX);
        int count[PARTS] = {0};
        for (uint32_t i = 0; i < N_MAX; i++)
            count[part(&points, i, axis, PARTS)]++;
        for (size_t k = 0; k < PARTS; k++)
            assert_in_range(count[k], N_MAX / PARTS - 60, N_MAX / PARTS + 60);
    }
}

/* How many of the points of two are the same on an axis. */
static size_t shared(const Points *a, const Points *b) {
    size_t n = 0;
    for (uint32_t i = 0; i < a->n; i++)
        n += points_at(a, i, 2) == points_at(b, i, 2);
    return n;
}

static void seeds_and_streams_give_other_points(void **state) {
    (void)state;
    for (Sampling sampling = SAMPLING_RANDOM; sampling <= SAMPLING_SOBOL; sampling++) {
        Points points = points_of(sampling, 1, 0, 100), same = points_of(sampling, 1, 0, 100);
        Points seed = points_of(sampling, 2, 0, 100), stream = points_of(sampling, 1, 1, 100);
        assert_int_equal(shared(&points, &same), 100);
        assert_int_equal(shared(&points, &seed), 0);
        assert_int_equal(shared(&points, &stream), 0);
    }
}

/* Axes and seeds put the strata in different orders; every order of three comes up. */
static void latin_orders_are_random(void **state) {
    int count[3][3] = {{0}};
    (void)state;
    for (uint32_t seed = 0; seed < 600; seed++) {
        Points points = points_of(SAMPLING_LATIN, seed, 0, 3);
        count[part(&points, 0, 0, 3)][part(&points, 1, 0, 3)]++;
    }
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            assert_true(a == b ? count[a][b] == 0 : count[a][b] > 50);
}

static void the_last_of_many_points_is_in_range(void **state) {
    (void)state;
    for (Sampling sampling = SAMPLING_RANDOM; sampling <= SAMPLING_SOBOL; sampling++) {
        Points points = points_of(sampling, 1, 999, UINT32_MAX);
        for (uint32_t axis = 0; axis < N_AXES; axis++) {
            double at = points_at(&points, UINT32_MAX - 1, axis);
            assert_true(at >= 0 && at < 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latin_points_have_a_stratum_each),
        cmocka_unit_test(sobol_points_have_a_stratum_each),
        cmocka_unit_test(sobol_points_are_a_net_in_the_first_two_axes),
        cmocka_unit_test(sobol_points_are_those_of_joe_and_kuo),
        cmocka_unit_test(axes_do_not_follow_each_other),
        cmocka_unit_test(random_points_fill_the_axis_evenly),
        cmocka_unit_test(seeds_and_streams_give_other_points),
        cmocka_unit_test(latin_orders_are_random),
        cmocka_unit_test(the_last_of_many_points_is_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
