/* test_preprocess.c - images centred and softened, by hand. */
#include "data/preprocess.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

static void a_point_goes_to_the_middle(void **state) {
    (void)state;
    for (size_t at = 0; at < 15; at++) {
        uint8_t in[15] = {0}, out[15], expected[15] = {0};
        in[at] = 200;
        expected[1 * 5 + 2] = 200; /* of 3 x 5 */
        preprocess_centre(in, 3, 5, 1, out);
        assert_memory_equal(out, expected, sizeof out);
    }
}

/* Between two pixels there is no middle one: half a pixel on is as near as half a pixel back, and
 * the way is rounded up. */
static void of_even_sides_it_is_one_of_the_middle(void **state) {
    (void)state;
    for (size_t at = 0; at < 16; at++) {
        uint8_t in[16] = {0}, out[16], expected[16] = {0};
        in[at] = 1;
        expected[2 * 4 + 2] = 1;
        preprocess_centre(in, 4, 4, 1, out);
        assert_memory_equal(out, expected, sizeof out);
    }
}

static void light_weighs_by_its_brightness(void **state) {
    const uint8_t in[7] = {30, 0, 0, 0, 10, 0, 0}; /* centre at 1, middle at 3 */
    const uint8_t expected[7] = {0, 0, 30, 0, 0, 0, 10};
    uint8_t out[7];
    (void)state;
    preprocess_centre(in, 1, 7, 1, out);
    assert_memory_equal(out, expected, sizeof out);
    preprocess_centre(in, 7, 1, 1, out);
    assert_memory_equal(out, expected, sizeof out);
}

static void what_moves_out_is_lost(void **state) {
    const uint8_t in[7] = {9, 9, 0, 0, 0, 0, 1}, /* centre at 15/19: 2 to go */
        expected[7] = {0, 0, 9, 9, 0, 0, 0};
    uint8_t out[7];
    (void)state;
    preprocess_centre(in, 1, 7, 1, out);
    assert_memory_equal(out, expected, sizeof out);
}

static void darkness_stays(void **state) {
    uint8_t in[12] = {0}, out[12];
    (void)state;
    memset(out, 1, sizeof out);
    preprocess_centre(in, 4, 3, 1, out);
    assert_memory_equal(out, in, sizeof out);
}

/* Whatever is drawn, its centre ends within half a pixel of the middle, where nothing is lost. */
static void the_centre_comes_to_the_middle(void **state) {
    enum { SIDE = 20 };
    Dice dice = {5, 0};
    (void)state;
    for (size_t game = 0; game < 500; game++) {
        uint8_t in[SIDE * SIDE] = {0}, out[SIDE * SIDE];
        size_t top = (size_t)roll(&dice, 0, 15), left = (size_t)roll(&dice, 0, 15);
        double light = 0, across = 0, down = 0;
        for (size_t k = 0; k < 25; k++)
            in[(top + k / 5) * SIDE + left + k % 5] = (uint8_t)roll(&dice, 1, 256);
        preprocess_centre(in, SIDE, SIDE, 1, out);
        for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
            light += out[k];
            across += (double)(k % SIDE) * out[k];
            down += (double)(k / SIDE) * out[k];
        }
        assert_true(fabs(across / light - (SIDE - 1) / 2.0) <= 0.5);
        assert_true(fabs(down / light - (SIDE - 1) / 2.0) <= 0.5);
    }
}

static void a_point_is_spread_over_its_square(void **state) {
    uint8_t in[30] = {0}, out[30];
    (void)state;
    in[2 * 6 + 3] = 90; /* of 5 x 6 */
    preprocess_soften(in, 5, 6, 1, 1, out);
    for (size_t y = 0; y < 5; y++)
        for (size_t x = 0; x < 6; x++)
            assert_int_equal(out[y * 6 + x], y >= 1 && y <= 3 && x >= 2 && x <= 4 ? 10 : 0);
}

static void outside_is_dark_and_means_are_rounded(void **state) {
    const uint8_t in[3] = {255, 255, 255}, expected[3] = {57, 85, 57}; /* 510/9, 765/9 */
    uint8_t out[3];
    (void)state;
    preprocess_soften(in, 1, 3, 1, 1, out);
    assert_memory_equal(out, expected, sizeof out);
    preprocess_soften(in, 3, 1, 1, 1, out);
    assert_memory_equal(out, expected, sizeof out);
}

static void a_radius_may_be_larger_than_the_image(void **state) {
    const uint8_t in[4] = {255, 255, 255, 255};
    uint8_t out[4];
    (void)state;
    preprocess_soften(in, 2, 2, 1, 5, out);
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(out[k], 8); /* 1020/121 */
    preprocess_soften(in, 2, 2, 1, 0, out);
    assert_memory_equal(out, in, sizeof out);
}

/* The centre is that of all channels' light together, and they move together. */
static void colours_move_together(void **state) {
    const uint8_t in[5 * 3] = {9, 0, 1, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0, 0}; /* at 0 and at 2 */
    const uint8_t expected[5 * 3] = {0, 0, 0, 9, 0, 1, 0, 0, 0, 0, 5, 5, 0, 0, 0};
    uint8_t out[5 * 3];
    (void)state;
    preprocess_centre(in, 1, 5, 3, out);
    assert_memory_equal(out, expected, sizeof out);
    preprocess_centre(in, 5, 1, 3, out);
    assert_memory_equal(out, expected, sizeof out);
}

static void colours_do_not_mix(void **state) {
    uint8_t in[9 * 2] = {0}, out[9 * 2];
    (void)state;
    in[4 * 2] = 90; /* the first of two channels, in the middle of 3 x 3 */
    preprocess_soften(in, 3, 3, 2, 1, out);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(out[2 * i], 10);
        assert_int_equal(out[2 * i + 1], 0);
    }
}

static void colours_are_preprocessed_in_their_room(void **state) {
    const Preprocess look = {1, 3, 2, true, 1};
    const uint8_t in[3 * 2] = {0, 0, 0, 0, 90, 45}; /* to the middle, then spread */
    const uint8_t expected[3 * 2] = {10, 5, 10, 5, 10, 5};
    uint8_t room[2 * sizeof in];
    (void)state;
    assert_memory_equal(preprocess_image(&look, in, room), expected, sizeof in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_goes_to_the_middle),
        cmocka_unit_test(of_even_sides_it_is_one_of_the_middle),
        cmocka_unit_test(light_weighs_by_its_brightness),
        cmocka_unit_test(what_moves_out_is_lost),
        cmocka_unit_test(darkness_stays),
        cmocka_unit_test(the_centre_comes_to_the_middle),
        cmocka_unit_test(a_point_is_spread_over_its_square),
        cmocka_unit_test(outside_is_dark_and_means_are_rounded),
        cmocka_unit_test(a_radius_may_be_larger_than_the_image),
        cmocka_unit_test(colours_move_together),
        cmocka_unit_test(colours_do_not_mix),
        cmocka_unit_test(colours_are_preprocessed_in_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
