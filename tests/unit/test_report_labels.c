/* test_report_labels.c - names beside points: none over another, over a point, over a line, or
 * outside. */
#include "report/charts/charts.h"
#include "check.h"

#include <math.h>

static const double EM = 7.5;
static const Box INSIDE = {10, 20, 220, 180};

static bool overlap(Box a, Box b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static void assert_inside(Box box) {
    assert_true(box.x >= INSIDE.x && box.x + box.width <= INSIDE.x + INSIDE.width);
    assert_true(box.y >= INSIDE.y && box.y + box.height <= INSIDE.y + INSIDE.height);
}

static void a_name_alone_is_right_of_its_point(void **state) {
    Labels labels = {.inside = INSIDE};
    Box box;
    (void)state;
    assert_true(labels_place(&labels, EM, 100, 100, "fly", &box));
    assert_true(box.x > 100 && box.x < 100 + EM);
    assert_true(box.y < 100 && box.y + box.height > 100);
    assert_true(box.width >= EM * svg_text_width("fly") - 1e-9);
}

static void at_the_edge_it_is_left(void **state) {
    Labels labels = {.inside = INSIDE};
    Box box;
    (void)state;
    assert_true(labels_place(&labels, EM, INSIDE.x + INSIDE.width - 2, 100, "randumb 2000", &box));
    assert_inside(box);
    assert_true(box.x + box.width < INSIDE.x + INSIDE.width - 2);
}

static void where_there_is_no_room_there_is_no_name(void **state) {
    Labels labels = {.inside = INSIDE};
    Box box;
    (void)state;
    labels_take(&labels, INSIDE);
    assert_false(labels_place(&labels, EM, 100, 100, "fly", &box));
}

static void a_line_is_in_the_way(void **state) {
    Labels labels = {.inside = INSIDE};
    Box box;
    (void)state;
    labels_take_line(&labels, EM, 100, 100, 200, 100); /* to the right of the point */
    assert_true(labels_place(&labels, EM, 100, 100, "fly", &box));
    assert_false(overlap(box, (Box){100, 99, 100, 2}));
}

/* Below the point is a name, and room only further below: the thin line would cross it. */
static void no_thin_line_crosses_a_name(void **state) {
    static const Box name = {80, 110, 40, 10};
    Labels labels = {.inside = {60, 98, 80, 100}};
    Box box;
    (void)state;
    labels_take(&labels, name);
    labels_take(&labels, (Box){60, 90, 80, 20}); /* beside the point, and above */
    assert_true(labels_place(&labels, EM, 100, 100, "fly", &box));
    assert_false(overlap(box, name));
    double x = fmin(fmax(100, box.x), box.x + box.width);
    for (int k = 0; k <= 100; k++) {
        Box at = {100 + (x - 100) * k / 100, 100 + (box.y - 100) * k / 100, 0, 0};
        assert_false(overlap(at, name));
    }
}

/* As many points as there are methods, in a corner of the figure. */
static void crowds(void **state) {
    enum { POINTS = 12, TURNS = 300 };
    Dice dice = {.game = 5};
    (void)state;
    for (int turn = 0; turn < TURNS; turn++) {
        Labels labels = {.inside = INSIDE};
        double x[POINTS], y[POINTS];
        Box boxes[POINTS];
        for (size_t i = 0; i < POINTS; i++) {
            x[i] = roll(&dice, 120, 225);
            y[i] = roll(&dice, 25, 110);
            labels_take(&labels, (Box){x[i] - 2, y[i] - 2, 4, 4});
        }
        for (size_t i = 0; i < POINTS; i++) {
            assert_true(labels_place(&labels, EM, x[i], y[i], "rls relu 1000", &boxes[i]));
            assert_inside(boxes[i]);
            for (size_t k = 0; k < i; k++)
                assert_false(overlap(boxes[i], boxes[k]));
            for (size_t k = 0; k < POINTS; k++)
                assert_false(overlap(boxes[i], (Box){x[k] - 2, y[k] - 2, 4, 4}));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_alone_is_right_of_its_point),
        cmocka_unit_test(at_the_edge_it_is_left),
        cmocka_unit_test(where_there_is_no_room_there_is_no_name),
        cmocka_unit_test(a_line_is_in_the_way),
        cmocka_unit_test(no_thin_line_crosses_a_name),
        cmocka_unit_test(crowds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
