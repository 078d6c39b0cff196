/* test_limits.c - what callers of tacos.h give: buffers of every size, counts beyond all reason,
 * and numbers that are wrong by a hair. */
#include "tacos_lab.h"
#include "check.h"
#include "folder.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

/* ---- buffers: whole and terminated, or "" with an error ---- */

typedef struct Things {
    tacos_config *config;
    tacos_learner *learner;
    tacos_experiment *experiment;
} Things;

static tacos_status of_config(const Things *things, char *buf, size_t size, tacos_error *err) {
    return tacos_config_get(things->config, "hidden", buf, size, err);
}

static tacos_status of_learner(const Things *things, char *buf, size_t size, tacos_error *err) {
    return tacos_learner_get(things->learner, "hidden", buf, size, err);
}

static tacos_status of_experiment(const Things *things, char *buf, size_t size, tacos_error *err) {
    return tacos_experiment_get(things->experiment, "dataset", buf, size, err);
}

static tacos_status of_data(const Things *things, char *buf, size_t size, tacos_error *err) {
    (void)things;
    return tacos_data_dir("abc", buf, size, err);
}

static tacos_status of_cache(const Things *things, char *buf, size_t size, tacos_error *err) {
    (void)things;
    return tacos_data_dir(NULL, buf, size, err);
}

typedef tacos_status Fill(const Things *things, char *buf, size_t size, tacos_error *err);

static void check_sizes(Fill *fill, const Things *things, const char *whole) {
    size_t n = strlen(whole);
    tacos_error err;
    for (size_t size = 0; size <= n + 2; size++) {
        char buf[64];
        memset(buf, 'x', sizeof buf);
        if (size > n) {
            assert_succeeds(fill(things, buf, size, &err));
            assert_string_equal(buf, whole);
        } else {
            assert_fails(fill(things, buf, size, &err), TACOS_RANGE);
            assert_true(size == 0 || buf[0] == '\0');
        }
        for (size_t i = size; i < sizeof buf; i++)
            assert_int_equal(buf[i], 'x');
    }
}

static void a_buffer_gets_the_whole_or_nothing(void **state) {
    (void)state;
    Things things;
    tacos_error err;
    assert_succeeds(tacos_config_new(&things.config, &err));
    assert_succeeds(tacos_config_set(things.config, "hidden", "12,34", &err));
    assert_succeeds(tacos_learner_new(&things.learner, things.config, 1, NULL, &err));
    assert_succeeds(tacos_experiment_open(&things.experiment, "demo", &err));
    check_sizes(of_config, &things, "12,34");
    check_sizes(of_learner, &things, "12,34");
    check_sizes(of_experiment, &things, "glyphs");
    check_sizes(of_data, &things, "abc");
    assert_int_equal(setenv("TACOS_DATA", "/tmp/d", 1), 0);
    check_sizes(of_cache, &things, "/tmp/d");
    assert_int_equal(unsetenv("TACOS_DATA"), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/c", 1), 0);
    check_sizes(of_cache, &things, "/c/tacos");
    tacos_config_free(things.config);
    tacos_learner_free(things.learner);
    tacos_experiment_free(things.experiment);
}

static void every_error_empties_the_buffer(void **state) {
    (void)state;
    tacos_config *config;
    tacos_experiment *experiment;
    tacos_error err;
    char buf[8] = "old";
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    assert_fails(tacos_data_dir("", buf, sizeof buf, &err), TACOS_INVALID);
    assert_string_equal(buf, "");
    strcpy(buf, "old");
    assert_fails(tacos_config_get(config, "nothing", buf, sizeof buf, &err), TACOS_UNKNOWN);
    assert_string_equal(buf, "");
    strcpy(buf, "old");
    assert_fails(tacos_experiment_get(experiment, "nothing", buf, sizeof buf, &err), TACOS_UNKNOWN);
    assert_string_equal(buf, "");
    assert_fails(tacos_config_get(config, "nothing", NULL, 0, &err), TACOS_UNKNOWN);
    tacos_config_free(config);
    tacos_experiment_free(experiment);
}

static void numbers_of_the_paper_fill_what_there_is_room_for(void **state) {
    (void)state;
    tacos_experiment *experiment;
    tacos_error err;
    size_t n = 0, again = 0;
    assert_succeeds(tacos_experiment_open(&experiment, "split-mnist", &err));
    assert_succeeds(tacos_experiment_paper_numbers(experiment, NULL, 0, &n, &err));
    assert_true(n > 2 && n < 100);
    for (size_t max = 0; max <= n + 1; max++) {
        tacos_paper_number numbers[101];
        memset(numbers, 'x', sizeof numbers);
        assert_succeeds(tacos_experiment_paper_numbers(experiment, numbers, max, &again, &err));
        assert_int_equal(again, n);
        assert_int_equal(numbers[max < n ? max : n].metric[0], 'x');
        assert_true(max == 0 || numbers[0].metric[0] != 'x');
    }
    tacos_experiment_free(experiment);
}

/* ---- counts ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 }; /* which itself wants more memory than is let here */
#else
enum { SANITIZED = 0 };
#endif

/* So that a count that is believed is noticed. */
static struct rlimit hold_memory(void) {
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    if (SANITIZED)
        return before;
    tight = before;
    tight.rlim_cur = (rlim_t)1 << 29;
    assert_int_equal(setrlimit(RLIMIT_DATA, &tight), 0);
    return before;
}

static void seeds_are_bounded(void **state) {
    (void)state;
    tacos_plan *plan;
    tacos_error err;
    struct rlimit before = hold_memory();
    assert_succeeds(tacos_plan_open(&plan, "headline", &err));
    size_t n = tacos_plan_info_get(plan).n_seeds;
    static const uint32_t wrong[] = {0, TACOS_SEEDS_MAX + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(tacos_plan_set_seeds(plan, wrong[i], &err),
                     wrong[i] == 0 ? TACOS_INVALID : TACOS_RANGE);
        assert_int_equal(tacos_plan_info_get(plan).n_seeds, n);
    }
    assert_says(err, "4294967295 seeds are out of range: at most 10000");
    assert_succeeds(tacos_plan_set_seeds(plan, TACOS_SEEDS_MAX, &err));
    assert_int_equal(tacos_plan_info_get(plan).n_seeds, TACOS_SEEDS_MAX);
    tacos_plan_free(plan);

    tacos_experiment *experiment;
    tacos_results *results;
    uint32_t seed = 1;
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    tacos_run_options options = {.seeds = &seed, .n_seeds = SIZE_MAX / 8};
    assert_fails(tacos_experiment_run(experiment, &options, &results, &err), TACOS_RANGE);
    assert_null(results);
    assert_says(err, "seeds are out of range: at most 10000");
    tacos_experiment_free(experiment);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
}

static void runs_of_a_plan_are_bounded_whatever_sets_its_seeds(void **state) {
    const Folder *folder = *state;
    tacos_plan *plan;
    tacos_error err;
    char path[128];
    static const char text[] =
        "experiment = demo\nsampling = random\nconfigurations = 5000000\nr_e = linear(0, 1)\n";
    (void)snprintf(path, sizeof path, "%s/many.conf", folder->path);
    write_bytes(path, text, strlen(text));
    assert_succeeds(tacos_plan_open(&plan, path, &err));
    assert_succeeds(tacos_plan_set_seeds(plan, 2, &err));
    assert_fails(tacos_plan_set_seeds(plan, 3, &err), TACOS_RANGE);
    assert_says(err, "there are more than 10000000 runs");
    assert_int_equal(tacos_plan_info_get(plan).n_seeds, 2);
    tacos_plan_free(plan);
}

static void jobs_and_threads_are_bounded(void **state) {
    const Folder *folder = *state;
    tacos_experiment *experiment;
    tacos_results *results;
    tacos_plan *plan;
    tacos_plan_outcome outcome;
    tacos_error err;
    char store[128];
    uint32_t seed = 1;
    (void)snprintf(store, sizeof store, "%s/s.db", folder->path);
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    assert_succeeds(tacos_plan_open(&plan, "headline", &err));
    static const unsigned wrong[] = {TACOS_JOBS_MAX + 1, UINT32_MAX};
    for (size_t i = 0; i < 2; i++) {
        tacos_run_options run = {.seeds = &seed, .n_seeds = 1, .n_jobs = wrong[i]};
        tacos_plan_options sweep = {.store = store, .n_jobs = wrong[i]};
        assert_fails(tacos_experiment_run(experiment, &run, &results, &err), TACOS_RANGE);
        assert_says(err, "jobs are out of range: at most 1024");
        assert_fails(tacos_plan_run(plan, &sweep, &outcome, &err), TACOS_RANGE);
        assert_says(err, "jobs are out of range: at most 1024");
    }
    tacos_plan_free(plan);
    tacos_experiment_free(experiment);

    static const char *const names[] = {"glyphs-*"};
    tacos_bench_options bench = {.names = names, .n_names = 1, .n_threads = UINT32_MAX};
    int wanted;
    assert_fails(tacos_bench_wanted(&bench, "glyphs", 1, &wanted, &err), TACOS_RANGE);
}

/* The largest that a key lets through is refused with a sentence, not believed. */
static void networks_beyond_memory_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "inputs = 1000000\nhidden = 1000000,1000000\n",
        "hidden = 1000000,1000000,1000000,1000000,1000000,1000000,1000000,1000000\n",
    };
    if (SANITIZED)
        skip();
    struct rlimit before = hold_memory();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        tacos_config *config;
        tacos_learner *learner;
        tacos_error err;
        assert_succeeds(tacos_config_new(&config, &err));
        assert_succeeds(tacos_config_parse(config, lines[i], "lines", &err));
        assert_fails(tacos_learner_new(&learner, config, 1, NULL, &err), TACOS_MEMORY);
        assert_null(learner);
        tacos_config_free(config);
    }
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
}

/* ---- numbers in sentences ---- */

static void a_number_is_told_with_the_digits_that_make_it_wrong(void **state) {
    (void)state;
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    float above[2] = {0, nextafterf(1, 2)};
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(config, "inputs = 2\nhidden = 2\n", "lines", &err));
    assert_succeeds(tacos_learner_new(&learner, config, 1, NULL, &err));
    assert_fails(tacos_learner_learn(learner, above, 2, 0, &err), TACOS_RANGE);
    assert_says(err, "intensity 1 is 1.00000012; it must be from 0 to 1");
    tacos_learner_free(learner);
    assert_succeeds(tacos_config_parse(config, "i_max = 7\ni_min = 7.0000001\n", "lines", &err));
    assert_fails(tacos_learner_new(&learner, config, 1, NULL, &err), TACOS_RANGE);
    assert_says(err, "i_min = 7.0000001 must be below i_max = 7");
    tacos_config_free(config);

    tacos_events *events;
    tacos_events_options options = {1, 1, 1, 0.00099999999, 1};
    assert_fails(tacos_events_read(&events, "nowhere", &options, &err), TACOS_RANGE);
    assert_says(err, "not 0.00099999999");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_gets_the_whole_or_nothing),
        cmocka_unit_test(every_error_empties_the_buffer),
        cmocka_unit_test(numbers_of_the_paper_fill_what_there_is_room_for),
        cmocka_unit_test(seeds_are_bounded),
        IN_FOLDER(runs_of_a_plan_are_bounded_whatever_sets_its_seeds),
        IN_FOLDER(jobs_and_threads_are_bounded),
        cmocka_unit_test(networks_beyond_memory_are_refused),
        cmocka_unit_test(a_number_is_told_with_the_digits_that_make_it_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
