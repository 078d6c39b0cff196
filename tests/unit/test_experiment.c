/* test_experiment.c - experiments as their users see them, through tacos.h. */
#include "tiny_run.h"

#include <math.h>

/* ---- Opening --------------------------------------------------------------------------------- */

static void builtin_experiments_are_listed_and_open(void **state) {
    tacos_experiment_info info;
    size_t n = 0;
    bool demo = false;
    (void)state;
    for (; tacos_experiment_builtin(n, &info); n++) {
        tacos_experiment *experiment;
        tacos_error err;
        assert_true(info.about[0] && info.text[0]);
        assert_succeeds(tacos_experiment_open(&experiment, info.name, &err));
        assert_string_equal(tacos_experiment_name(experiment), info.name);
        demo |= strcmp(info.name, "demo") == 0;
        tacos_experiment_free(experiment);
    }
    assert_true(demo && n >= 3);
    tacos_experiment_free(NULL);
}

static void an_unknown_name_is_answered_with_the_nearest(void **state) {
    tacos_experiment *experiment;
    tacos_error err;
    (void)state;
    assert_fails(tacos_experiment_open(&experiment, "split-mnits", &err), TACOS_UNKNOWN);
    assert_says(err, "the nearest is 'split-mnist'");
    assert_fails(tacos_experiment_open(&experiment, "xyzzyxyzzy", &err), TACOS_UNKNOWN);
    assert_says(err, "demo"); /* there is nothing near: all are told */
}

static void a_file_is_read_and_names_the_experiment(void **state) {
    tacos_experiment *experiment = open_tiny(*state);
    char value[64];
    tacos_error err;
    assert_string_equal(tacos_experiment_name(experiment), "my-run");
    assert_succeeds(tacos_experiment_get(experiment, "samples_per_task", value, 64, &err));
    assert_string_equal(value, "30");
    assert_succeeds(tacos_experiment_get(experiment, "hidden", value, 64, &err));
    assert_string_equal(value, "20");
    tacos_experiment_free(experiment);
}

static void a_bad_file_is_explained_with_the_line(void **state) {
    static const struct {
        const char *text;
        tacos_status status;
        const char *says;
    } cases[] = {
        {"hidden = 20\n\nalpha = 2\n", TACOS_RANGE, "/my-run.conf:3: alpha = 2 is out of range"},
        {"# x\nsample_per_task = 1", TACOS_UNKNOWN, "my-run.conf:2: unknown key"},
        {"model = use+consolidation", TACOS_INVALID,
         "model = use+consolidation was removed after version 0.1.0; model = columns"},
        {"expansion = 0", TACOS_UNKNOWN, "key 'expansion' was removed after version 0.1.0"},
        {"tasks = 0-1,2-2\n", TACOS_INVALID,
         "my-run.conf:1: tasks = 0-1,2-2: class 2 occurs twice"},
        {"\ndataset = ../cats\n", TACOS_INVALID, "my-run.conf:2: dataset = ../cats"},
        {"outputs = 3\n", TACOS_INVALID, "my-run.conf:1: outputs is not a key of an experiment"},
        {"just words", TACOS_INVALID, "my-run.conf:1: expected 'key = value'"},
    };
    tacos_experiment *experiment;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(open_text(*state, cases[i].text, &experiment, &err), cases[i].status);
        assert_says(err, cases[i].says);
    }
    assert_fails(tacos_experiment_open(&experiment, "/nowhere/x.conf", &err), TACOS_MISSING);
}

static void keys_are_set_and_read(void **state) {
    static const char *const derived[] = {"inputs", "outputs"};
    tacos_experiment *experiment = open_tiny(*state);
    char value[64];
    tacos_error err;
    assert_succeeds(tacos_experiment_set(experiment, "m_max", "7.5", &err));
    assert_succeeds(tacos_experiment_set(experiment, "tasks", "4-5", &err));
    assert_fails(tacos_experiment_set(experiment, "m_max", "-1", &err), TACOS_RANGE);
    assert_fails(tacos_experiment_set(experiment, "tasks", "4-", &err), TACOS_INVALID);
    assert_succeeds(tacos_experiment_get(experiment, "m_max", value, sizeof value, &err));
    assert_string_equal(value, "7.5");
    assert_succeeds(tacos_experiment_get(experiment, "tasks", value, sizeof value, &err));
    assert_string_equal(value, "4-5");
    assert_fails(tacos_experiment_set(experiment, "m_mx", "1", &err), TACOS_UNKNOWN);
    assert_says(err, "'m_max'");
    assert_fails(tacos_experiment_get(experiment, "m_mx", value, 64, &err), TACOS_UNKNOWN);
    for (size_t i = 0; i < 2; i++) {
        assert_fails(tacos_experiment_set(experiment, derived[i], "2", &err), TACOS_INVALID);
        assert_says(err, "follows from");
    }
    tacos_experiment_free(experiment);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The whole experiment with one job and with two, run once for all tests. */
static struct {
    Watch watch[2];
    tacos_results *results[2];
} whole;

static int run_whole(void **state) {
    (void)folder_make(state);
    for (unsigned k = 0; k < 2; k++) {
        whole.watch[k].stop_after_runs = SIZE_MAX;
        tacos_run_options how = options(k + 1, &whole.watch[k], NULL);
        tacos_error err;
        assert_succeeds(run(*state, &how, &whole.results[k], &err));
    }
    return folder_remove(state);
}

static int free_whole(void **state) {
    (void)state;
    tacos_results_free(whole.results[0]);
    tacos_results_free(whole.results[1]);
    tacos_results_free(NULL);
    return 0;
}

static void jobs_change_no_result(void **state) {
    (void)state;
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(tacos_results_count(whole.results[k]), N_SEEDS);
    for (size_t i = 0; i < N_SEEDS; i++)
        assert_same_run(tacos_results_run(whole.results[0], i),
                        tacos_results_run(whole.results[1], i));
}

static void runs_are_sorted_and_each_its_own(void **state) {
    const tacos_results *results = whole.results[0];
    (void)state;
    for (size_t i = 0; i < N_SEEDS; i++) {
        const tacos_run *one = tacos_results_run(results, i);
        assert_int_equal(one->seed, 1 + 2 * i);
        assert_int_equal(one->stats.learning.samples, 60);
        assert_int_equal(one->stats.predicting.samples, 120);
        assert_true(one->memory_overhead > 2.4 && one->memory_overhead < 2.6);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(one->model_digest, tacos_results_run(results, k)->model_digest);
    }
    assert_null(tacos_results_run(results, N_SEEDS));
}

static void progress_reaches_the_total_exactly(void **state) {
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const tacos_progress *last = &whole.watch[k].last;
        assert_int_equal(last->total, N_SEEDS * TINY_SAMPLES);
        assert_int_equal(last->done, last->total);
        assert_int_equal(last->runs_total, N_SEEDS);
        assert_int_equal(last->runs_done, N_SEEDS);
    }
}

/* 0.0625 s a sample, and progress every 0.05 s: each sample that is learned, and every 8 that are
 * scored. */
static void on_the_clock_of_tests_progress_is_by_count(void **state) {
    Watch seen = {.stop_after_runs = SIZE_MAX};
    tacos_run_options how = options(1, &seen, NULL);
    tacos_results *results;
    tacos_error err;
    how.n_seeds = 1;
    (void)setenv("TACOS_TEST_CLOCK", "0.0625", 1);
    assert_succeeds(run(*state, &how, &results, &err));
    tacos_results_free(results);
    enum { SCORES = 3 * 2, CHUNKS = 3 };
    assert_int_equal(seen.calls, 1 + 2 * 30 + SCORES * CHUNKS + 1 + 1); /* begin, run, end */
    assert_true(seen.last.seconds == 0.0625 * TINY_SAMPLES);
    (void)unsetenv("TACOS_TEST_CLOCK");
}

static void a_clock_of_tests_that_makes_no_sense_is_refused(void **state) {
    static const char *const wrong[] = {"soon", "0", "-1", "nan", "inf", "1s"};
    Watch seen = {.stop_after_runs = SIZE_MAX};
    tacos_run_options how = options(1, &seen, NULL);
    tacos_results *results;
    tacos_error err;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        (void)setenv("TACOS_TEST_CLOCK", wrong[k], 1);
        assert_fails(run(*state, &how, &results, &err), TACOS_INVALID);
        assert_says(err, "TACOS_TEST_CLOCK must be the seconds per sample, not '");
        assert_null(results);
    }
    (void)unsetenv("TACOS_TEST_CLOCK");
}

static void metrics_are_summed_up(void **state) {
    const tacos_results *results = whole.results[0];
    tacos_summary summary;
    tacos_error err;
    double sum = 0;
    (void)state;
    for (size_t i = 0; i < N_SEEDS; i++)
        sum += tacos_results_run(results, i)->after[1].MA;
    assert_succeeds(tacos_results_summary(results, "MA", &summary, &err));
    assert_int_equal(summary.n, N_SEEDS);
    assert_true(summary.mean * N_SEEDS - sum < 1e-9 && sum - summary.mean * N_SEEDS < 1e-9);
    assert_succeeds(tacos_results_summary(results, "MO", &summary, &err));
    assert_fails(tacos_results_summary(results, "luck", &summary, &err), TACOS_UNKNOWN);
}

static void numbers_of_a_run_are_found_by_name(void **state) {
    const tacos_run *run = tacos_results_run(whole.results[0], 0);
    (void)state;
    assert_true(tacos_run_value(run, "A", 1, 0) == run->after[0].A);
    assert_true(tacos_run_value(run, "MA", 0, 0) == run->after[run->n_tasks - 1].MA);
    assert_true(tacos_run_value(run, "MO", 0, 0) == run->memory_overhead);
    assert_true(tacos_run_value(run, "kops_learn", 0, 0) > 0);
    double us = run->test_seconds / (double)run->stats.predicting.samples * 1e6;
    assert_true(fabs(tacos_run_value(run, "us_predict", 0, 0) - us) <= us * 1e-9);
    assert_true(tacos_run_value(run, "silent", 0, 0) >= 0);
    assert_true(isnan(tacos_run_value(run, "silent", 1, 0))); /* it is of the last task */
    assert_true(isnan(tacos_run_value(run, "MA", run->n_tasks + 1, 0)));
    assert_true(isnan(tacos_run_value(run, "luck", 0, 0)));
}

static void what_cannot_run_is_refused(void **state) {
    tacos_experiment *experiment = open_tiny(*state);
    tacos_run_options none = {0}, one = {.seeds = SEEDS, .n_seeds = 1};
    tacos_results *results;
    tacos_error err;
    assert_fails(tacos_experiment_run(experiment, &none, &results, &err), TACOS_INVALID);
    assert_null(results);
    assert_succeeds(tacos_experiment_set(experiment, "tasks", "0-1,2-12", &err));
    assert_fails(tacos_experiment_run(experiment, &one, &results, &err), TACOS_RANGE);
    assert_says(err, "task 2 has class 12");
    assert_succeeds(tacos_experiment_set(experiment, "tasks", "0-1", &err));
    assert_succeeds(tacos_experiment_set(experiment, "init_w", "1,2,3", &err));
    assert_fails(tacos_experiment_run(experiment, &one, &results, &err), TACOS_RANGE);
    assert_null(results);
    tacos_experiment_free(experiment);
}

/* ---- Stopping and writing -------------------------------------------------------------------- */

static bool file_says(const char *folder, const char *name, const char *word) {
    char path[256];
    size_t n;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_bytes(path, &n);
    bool found = strstr(text, word) != NULL;
    free(text);
    return found;
}

static void a_stopped_run_keeps_what_is_complete(void **state) {
    const Folder *folder = *state;
    Watch seen = {.stop_after_runs = 1};
    tacos_run_options how = options(1, &seen, folder->file);
    tacos_results *stopped;
    tacos_error err;
    (void)setenv("TACOS_TEST_CLOCK", "1", 1); /* or a second run may end before the first is told */
    assert_fails(run(folder, &how, &stopped, &err), TACOS_INTERRUPTED);
    (void)unsetenv("TACOS_TEST_CLOCK");
    assert_non_null(stopped);
    assert_int_equal(tacos_results_count(stopped), 1);
    assert_same_run(tacos_results_run(stopped, 0), tacos_results_run(whole.results[0], 0));
    assert_true(file_says(folder->file, "results.json", "\"partial\""));
    tacos_results_free(stopped);
}

static void a_run_stopped_at_once_leaves_nothing(void **state) {
    const Folder *folder = *state;
    Watch seen = {.stop_after_runs = 0};
    tacos_run_options how = options(2, &seen, folder->file);
    tacos_results *results;
    tacos_error err;
    assert_fails(run(folder, &how, &results, &err), TACOS_INTERRUPTED);
    assert_null(results);
    assert_int_equal(seen.calls, 1);
    assert_false(exists(folder->file));
}

static void results_are_written_and_not_written_over(void **state) {
    const Folder *folder = *state;
    char out[128];
    (void)snprintf(out, sizeof out, "%s/deep/out", folder->path);
    Watch seen = {.stop_after_runs = SIZE_MAX}, again = seen, forced = seen;
    tacos_run_options how = options(1, &seen, out), once_more = options(1, &again, out);
    tacos_run_options over = options(1, &forced, out);
    tacos_results *results;
    tacos_error err;
    assert_succeeds(run(folder, &how, &results, &err));
    tacos_results_free(results);
    assert_int_equal(folder_count(out), 3 + N_SEEDS); /* a model each */
    assert_true(file_says(out, "results.json", "\"complete\""));
    assert_true(file_says(out, "accuracy.csv", "seed,after_task,task,accuracy\n1,0,1,"));
    assert_succeeds(run(folder, &once_more, &results, &err)); /* nothing is left to do */
    assert_int_equal(tacos_results_count(results), N_SEEDS);
    assert_int_equal(again.calls, 0);
    tacos_results_free(results);
    over.force = 1;
    assert_succeeds(run(folder, &over, &results, &err));
    tacos_results_free(results);
    assert_int_equal(folder_count(out), 3 + N_SEEDS); /* a model each */
}

static void an_unwritable_place_is_found_before_the_work(void **state) {
    const Folder *folder = *state;
    char below[128];
    Watch seen = {.stop_after_runs = SIZE_MAX};
    tacos_results *results;
    tacos_error err;
    (void)snprintf(below, sizeof below, "%s/out", folder->file);
    write_bytes(folder->file, "x", 1);
    tacos_run_options how = options(1, &seen, below), itself = options(1, &seen, folder->file);
    assert_fails(run(folder, &how, &results, &err), TACOS_IO);
    assert_fails(run(folder, &itself, &results, &err), TACOS_IO);
    assert_null(results);
    assert_int_equal(seen.calls, 0);
}

static void a_place_lost_during_the_work_is_an_error(void **state) {
    const Folder *folder = *state;
    Watch seen = {.stop_after_runs = SIZE_MAX, .remove = folder->file};
    tacos_run_options how = options(1, &seen, folder->file);
    tacos_results *results;
    tacos_error err;
    assert_fails(run(folder, &how, &results, &err), TACOS_MISSING);
    assert_null(results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtin_experiments_are_listed_and_open),
        cmocka_unit_test(an_unknown_name_is_answered_with_the_nearest),
        IN_FOLDER(a_file_is_read_and_names_the_experiment),
        IN_FOLDER(a_bad_file_is_explained_with_the_line),
        IN_FOLDER(keys_are_set_and_read),
        cmocka_unit_test(jobs_change_no_result),
        cmocka_unit_test(runs_are_sorted_and_each_its_own),
        cmocka_unit_test(progress_reaches_the_total_exactly),
        IN_FOLDER(on_the_clock_of_tests_progress_is_by_count),
        IN_FOLDER(a_clock_of_tests_that_makes_no_sense_is_refused),
        cmocka_unit_test(metrics_are_summed_up),
        cmocka_unit_test(numbers_of_a_run_are_found_by_name),
        IN_FOLDER(what_cannot_run_is_refused),
        IN_FOLDER(a_stopped_run_keeps_what_is_complete),
        IN_FOLDER(a_run_stopped_at_once_leaves_nothing),
        IN_FOLDER(results_are_written_and_not_written_over),
        IN_FOLDER(an_unwritable_place_is_found_before_the_work),
        IN_FOLDER(a_place_lost_during_the_work_is_an_error),
    };
    return cmocka_run_group_tests(tests, run_whole, free_whole);
}
