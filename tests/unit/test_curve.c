/* test_curve.c - accuracies within tasks: taken at the right moments, and without a trace in
 * anything else. */
#include "lab/curve.h"

#include "report_box.h"

/* A run of TASKS tasks without a curve, and with one. TESTS: all scored samples of a task, so that
 * a curve ends where R begins. */
enum { TASKS = 3, TESTS = 20, POINTS = 7, N_LEARNED = 30 };

static const char *const learners[] = {"model=tacos", "model=snn",   "model=columns",
                                       "model=naive", "model=joint", "model=slda"};
enum { N_LEARNERS = sizeof learners / sizeof *learners };

static json_t *run_with(const Folder *folder, const char *name, const char *points,
                        const char *model, const char *more, size_t n_seeds) {
    remove_all(within(folder, name));
    run_into(within(folder, name), n_seeds,
             KEYS("tasks=0-1,2-3,4-5", "samples_per_task=30", "test_samples_per_task=20", "batch=8",
                  points, model, more));
    return open_results(within(folder, name));
}

/* Percent at a point of a task; below 0 if it was not asked. */
static double point(const json_t *run, const char *name, size_t task, size_t part) {
    const json_t *measures = json_object_get(run, "measures"), *one;
    size_t i;
    json_array_foreach(measures, i, one) {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0 &&
            json_integer_value(json_object_get(one, "after_task")) == (json_int_t)task &&
            json_integer_value(json_object_get(one, "part")) == (json_int_t)part)
            return json_number_value(json_object_get(one, "value"));
    }
    return -1;
}

static double accuracy(const json_t *run, size_t after, size_t task) {
    return json_number_value(
        json_array_get(json_array_get(json_object_get(run, "R"), after - 1), task - 1));
}

/* All that a run has but its curve and its seconds. */
static void forget_curve(json_t *run) {
    json_t *measures = json_object_get(run, "measures");
    for (size_t i = json_array_size(measures); i-- > 0;)
        if (strncmp(json_string_value(json_object_get(json_array_get(measures, i), "name")),
                    "curve", 5) == 0)
            (void)json_array_remove(measures, i);
    if (json_array_size(measures) == 0)
        (void)json_object_del(run, "measures");
    assert_int_equal(json_object_del(run, "seconds"), 0);
}

static void a_curve_leaves_no_trace(void **state) {
    static const char *const scenarios[] = {"scenario=domain", "scenario=task", "permute=pixels",
                                            "blur=0.4"};
    for (size_t i = 0; i < N_LEARNERS * 4; i++) {
        json_t *without = run_with(*state, "without", "curve_points=0", learners[i / 4],
                                   scenarios[i % 4], 1),
               *with =
                   run_with(*state, "with", "curve_points=7", learners[i / 4], scenarios[i % 4], 1);
        json_t *a = json_array_get(json_object_get(without, "runs"), 0),
               *b = json_array_get(json_object_get(with, "runs"), 0);
        assert_true(point(a, "curve", TASKS, POINTS - 1) < 0);
        assert_true(point(b, "curve", TASKS, POINTS - 1) >= 0);
        forget_curve(a);
        forget_curve(b);
        if (!json_equal(a, b))
            fail_msg("%s, %s: the curve changed the run", learners[i / 4], scenarios[i % 4]);
        json_decref(without);
        json_decref(with);
    }
}

/* Since all samples are asked, as they are for R; a rival that is told when a task ends goes on. */
static void a_curve_ends_at_R(void **state) {
    for (size_t i = 0; i < N_LEARNERS; i++) {
        json_t *root = run_with(*state, "run", "curve_points=7", learners[i], "silence=wrong", 2),
               *run;
        size_t k;
        json_array_foreach(json_object_get(root, "runs"), k, run) {
            for (size_t t = 1; t <= TASKS; t++) {
                assert_true(point(run, "curve", t, POINTS - 1) == accuracy(run, t, t));
                double first = t > 1 ? accuracy(run, t, 1) : -1;
                assert_true(point(run, "curve_first", t, POINTS - 1) == first);
                assert_true(point(run, "curve", t, POINTS) < 0);
            }
        }
        json_decref(root);
    }
}

/* The curve of a task of two parts has the accuracy after the first half. */
static void a_point_is_what_the_network_knew_then(void **state) {
    static const char *const two[] = {"model=tacos", "model=columns"};
    for (size_t i = 0; i < 2; i++) {
        const Folder *folder = *state;
        remove_all(within(folder, "half"));
        remove_all(within(folder, "all"));
        run_into(within(folder, "half"), 1,
                 KEYS("tasks=0-1", "samples_per_task=15", "test_samples_per_task=20", two[i]));
        run_into(within(folder, "all"), 1,
                 KEYS("tasks=0-1", "samples_per_task=30", "test_samples_per_task=20", two[i],
                      "curve_points=2"));
        json_t *half = open_results(within(folder, "half")),
               *all = open_results(within(folder, "all"));
        /* samples_per_task takes the first of the same order */
        assert_true(point(json_array_get(json_object_get(all, "runs"), 0), "curve", 1, 0) ==
                    accuracy(json_array_get(json_object_get(half, "runs"), 0), 1, 1));
        json_decref(half);
        json_decref(all);
    }
}

static void jobs_do_not_matter(void **state) {
    const Folder *folder = *state;
    static const uint32_t seeds[] = {1};
    for (size_t i = 0; i < N_LEARNERS; i++) {
        json_t *runs[2];
        for (unsigned n = 0; n < 2; n++) {
            tacos_experiment *experiment;
            tacos_results *results;
            tacos_error err;
            tacos_run_options options = {.out_dir = within(folder, "run"),
                                         .seeds = seeds,
                                         .n_seeds = 1,
                                         .n_jobs = 1 + 2 * n};
            remove_all(within(folder, "run"));
            assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
            assert_succeeds(set_keys(experiment,
                                     KEYS("tasks=0-1,2-3", "samples_per_task=30", "steps=60",
                                          "hidden=24", "curve_points=7", learners[i]),
                                     &err));
            assert_succeeds(tacos_experiment_run(experiment, &options, &results, &err));
            tacos_results_free(results);
            tacos_experiment_free(experiment);
            json_t *root = open_results(within(folder, "run"));
            runs[n] = json_incref(json_array_get(json_object_get(root, "runs"), 0));
            assert_int_equal(json_object_del(runs[n], "seconds"), 0);
            json_decref(root);
        }
        assert_true(point(runs[0], "curve", 2, POINTS - 1) >= 0);
        assert_true(json_equal(runs[0], runs[1]));
        json_decref(runs[0]);
        json_decref(runs[1]);
    }
}

/* Where there are fewer samples, or batches of a rival, the points between two are left out. */
static void fewer_samples_than_points(void **state) {
    for (size_t i = 0; i < N_LEARNERS; i++) {
        json_t *root = run_with(*state, "run", "curve_points=100", learners[i], "silence=wrong", 1);
        const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
        size_t n = 0;
        for (size_t p = 0; p < 100; p++)
            n += point(run, "curve", 1, p) >= 0;
        assert_int_equal(n, i < 3 ? N_LEARNED : (N_LEARNED + 7) / 8);
        assert_true(point(run, "curve", 1, 99) >= 0);
        json_decref(root);
    }
}

static void every_point_is_met_once(void **state) {
    (void)state;
    for (size_t n_points = 1; n_points <= CURVE_POINTS_MAX; n_points++)
        for (size_t n = 1; n < 260; n += 1 + n / 9) {
            Curve curve = {.n_points = n_points};
            size_t met = 0, stepped = 0;
            for (size_t done = 1; done <= n; done++)
                met += curve_points(&curve, done, n) > curve_points(&curve, done - 1, n);
            for (size_t done = 0; done < n; stepped++) {
                size_t next = curve_next(&curve, done, n);
                assert_in_range(next, 1, n - done);
                assert_true(curve_points(&curve, done + next, n) > curve_points(&curve, done, n));
                assert_int_equal(curve_points(&curve, done + next - 1, n),
                                 curve_points(&curve, done, n));
                done += next;
            }
            assert_int_equal(met, n < n_points ? n : n_points);
            assert_int_equal(stepped, met);
            assert_int_equal(curve_points(&curve, n, n), n_points);
            assert_true(curve_next(&curve, n, n) == SIZE_MAX);
        }
    assert_true(curve_next(&(Curve){0}, 3, 9) == SIZE_MAX);
}

/* ---- the figure ---- */

static void the_figure_has_the_points(void **state) {
    const Folder *folder = *state;
    char *text, line[128];
    tacos_error err;
    json_t *root = run_with(folder, "run", "curve_points=5", learners[0], "silence=wrong", 1);
    const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
    assert_succeeds(tacos_figure_draw("curves", within(folder, "run"), 1, &text, &err));
    assert_holds(text, "series,tasks_learned,mean,sd\n");
    for (size_t t = 1; t <= TASKS; t++)
        for (size_t p = 0; p < 5; p++)
            for (size_t s = 0; s < 2; s++) {
                double at = point(run, s == 0 ? "curve" : "curve_first", t, p);
                (void)snprintf(line, sizeof line, "\n%s,%.10g,%.10g,",
                               s == 0 ? "the task being learned" : "the first task",
                               (double)(t - 1) + (double)(p + 1) / 5, at);
                if (at >= 0)
                    assert_holds(text, line);
                else
                    assert_true(s == 1 && t == 1);
            }
    tacos_figure_free(text);
    json_decref(root);
}

static void without_a_curve_there_is_a_sentence(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    json_decref(run_with(folder, "run", "curve_points=0", learners[0], "silence=wrong", 1));
    assert_fails(tacos_figure_draw("curves", within(folder, "run"), 0, &text, &err), TACOS_MISSING);
    assert_says(err, "curve_points=50");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_curve_leaves_no_trace),
        IN_FOLDER(a_curve_ends_at_R),
        IN_FOLDER(a_point_is_what_the_network_knew_then),
        IN_FOLDER(jobs_do_not_matter),
        IN_FOLDER(fewer_samples_than_points),
        cmocka_unit_test(every_point_is_met_once),
        IN_FOLDER(the_figure_has_the_points),
        IN_FOLDER(without_a_curve_there_is_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
