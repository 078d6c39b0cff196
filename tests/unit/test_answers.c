/* test_answers.c - what every class was taken for: the counts agree with the accuracies, however
 * they were made, stored and read. */
#include "report_box.h"

/* At every moment the counts of right answers give the mean of the accuracies on all tasks. */
static void assert_counts_agree(const char *folder) {
    json_t *root = open_results(folder), *run, *moment, *cell;
    const json_t *outputs = json_object_get(root, "outputs");
    size_t i, k, c;
    json_array_foreach(json_object_get(root, "runs"), i, run) {
        const json_t *R = json_object_get(run, "R");
        size_t n = json_array_size(R);
        assert_int_equal(json_array_size(json_object_get(run, "answers")), n + 1);
        json_array_foreach(json_object_get(run, "answers"), k, moment) {
            const json_t *row = k == 0 ? json_object_get(run, "b") : json_array_get(R, k - 1);
            double all = 0, right = 0, mean = 0;
            assert_int_equal(json_integer_value(json_object_get(moment, "after_task")), k);
            json_array_foreach(json_object_get(moment, "counts"), c, cell) {
                json_int_t class = json_integer_value(json_array_get(cell, 0)),
                           samples = json_integer_value(json_array_get(cell, 2));
                const json_t *taught =
                    json_array_get(outputs, (size_t)json_integer_value(json_array_get(cell, 1)));
                for (size_t t = 0; t < json_array_size(taught); t++)
                    if (json_integer_value(json_array_get(taught, t)) == class)
                        right += (double)samples;
                all += (double)samples;
            }
            for (size_t t = 0; t < n; t++)
                mean += json_number_value(json_array_get(row, t)) / (double)n;
            assert_true(all > 0 && 100 * right / all - mean < 1e-6 &&
                        mean - 100 * right / all < 1e-6);
        }
    }
    json_decref(root);
}

static void counts_agree_with_accuracies(void **state) {
    static const char *const models[] = {"model=tacos", "model=columns", "model=naive"};
    static const char *const scenarios[] = {"scenario=domain", "scenario=class", "scenario=task"};
    const Folder *folder = *state;
    char run[256];
    for (size_t i = 0; i < 9; i++) {
        (void)snprintf(run, sizeof run, "%s/run-%zu", folder->path, i);
        run_into(run, 2, KEYS("tasks=0-1,2-3", models[i / 3], scenarios[i % 3], "silence=first"));
        assert_counts_agree(run);
    }
}

static void no_answer_is_counted_as_none(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1,
             KEYS("threshold_output=100000", "hidden=none", "silence=wrong"));
    char *page = page_of(within(folder, "run"), folder->file), *text;
    tacos_error err;
    free(page);
    assert_succeeds(tacos_figure_draw("confusion", within(folder, "run"), 1, &text, &err));
    assert_holds(text, "\n5,9,none,4,0\n"); /* all its samples */
    assert_holds(text, "\n5,9,1/3/5/7/9,0,1\n");
    tacos_figure_free(text);
}

static void files_without_counts_are_read(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 1, NULL);
    json_t *root = open_results(within(folder, "run"));
    assert_int_equal(json_object_del(json_array_get(json_object_get(root, "runs"), 0), "answers"),
                     0);
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "data-name=\"accuracy\"");
    assert_lacks(page, "data-name=\"confusion\"");
    free(page);
    assert_fails(tacos_figure_draw("confusion", within(folder, "run"), 0, &text, &err),
                 TACOS_MISSING);
    assert_says(err, "has no counts of answers");
}

static void damaged_counts_are_told(void **state) {
    static const char *const bad[] = {"[1, 0]",        "[1, -2, 3]",    "[1, 0, 0]",
                                      "[\"a\", 0, 1]", "[70000, 0, 1]", "7"};
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 1, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_t *root = open_results(within(folder, "run"));
        json_t *run = json_array_get(json_object_get(root, "runs"), 0);
        json_t *counts =
            json_object_get(json_array_get(json_object_get(run, "answers"), 0), "counts");
        assert_int_equal(json_array_set_new(counts, 0, json_loads(bad[i], JSON_DECODE_ANY, NULL)),
                         0);
        write_results(root, within(folder, "run"));
        assert_fails(tacos_figure_draw("confusion", within(folder, "run"), 0, &text, &err),
                     TACOS_FORMAT);
        assert_says(err, "not three whole numbers");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(counts_agree_with_accuracies),
        IN_FOLDER(no_answer_is_counted_as_none),
        IN_FOLDER(files_without_counts_are_read),
        IN_FOLDER(damaged_counts_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
