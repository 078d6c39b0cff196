/* test_confusion.c - counts of answers: each in its place, and none where there would be too many.
 */
#include "lab/confusion.h"

#include "folder.h"
#include "lab/results.h"

static void every_count_has_its_place(void **state) {
    static const tacos_answer_count wanted[] = {{0, 0, -1, 1}, {1, 2, 0, 2}, {2, 2, 1, 1}};
    Confusion confusion;
    tacos_run run = {0};
    tacos_error err;
    (void)state;
    assert_succeeds(confusion_make(&confusion, 2, 3, 2, &err));
    confusion_count(&confusion, 0, 0, -1);
    confusion_count(&confusion, 2, 2, 1);
    confusion_count(&confusion, 1, 1, 1); /* of a moment that was stopped, and is counted again */
    confusion_clear(&confusion, 1);
    confusion_count(&confusion, 1, 2, 0);
    confusion_count(&confusion, 1, 2, 0);
    assert_succeeds(confusion_give(&confusion, &run, &err));
    assert_int_equal(run.n_answers, 3);
    assert_memory_equal(run.answers, wanted, sizeof wanted);
    run_free(&run);
    confusion_free(&confusion);
}

static void too_many_are_not_kept(void **state) {
    Confusion confusion;
    tacos_run run = {0};
    tacos_error err;
    (void)state;
    assert_succeeds(confusion_make(&confusion, 50, 1623, 5, &err));
    confusion_count(&confusion, 50, 1622, 4); /* counts nothing */
    confusion_clear(&confusion, 50);
    assert_succeeds(confusion_give(&confusion, &run, &err));
    assert_int_equal(run.n_answers, 0);
    confusion_free(&confusion);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_has_its_place),
        cmocka_unit_test(too_many_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
