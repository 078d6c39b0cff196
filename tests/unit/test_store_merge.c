/* test_store_merge.c - runs of several stores in one: none is lost, and what is better stays. */
#include "lab/results.h"
#include "store/store.h"

#include "folder.h"

static const StoreData DATA = {"glyphs", 100, 20, 0x1234abcd};

static char paths[4][128]; /* of stores in the folder of the test */

static void name_stores(const Folder *folder) {
    for (size_t i = 0; i < 4; i++)
        (void)snprintf(paths[i], sizeof paths[i], "%s/%zu.db", folder->path, i);
}

/* A run of seed 1 to 9 in the i-th store: planned, failed, or complete with this MA. */
typedef enum Outcome { PLANNED, FAILED, COMPLETE } Outcome;

static void add(size_t i, const char *m_max, uint32_t seed, Outcome outcome, double ma) {
    Experiment *demo;
    Store *store;
    int64_t row = 0;
    bool there = false;
    double R[4] = {ma, 50, 80, ma}, b[2] = {ma, 2};
    tacos_metrics after[2] = {{.MA = ma}, {.MA = ma}};
    tacos_measure measure = {TACOS_MEASURE_similarity, 2, 1, ma};
    tacos_answer_count answer = {1, 2, 3, 4};
    tacos_run run = {.seed = seed, .n_tasks = 2, .R = R, .b = b, .after = after};
    tacos_error err, why = {TACOS_MEMORY, "no memory for a run"};
    run.measures = &measure;
    run.answers = &answer;
    run.n_measures = run.n_answers = 1;
    run.model_digest = 0xfedcba98 + seed;
    assert_succeeds(tacos_experiment_open(&demo, "demo", &err));
    assert_succeeds(tacos_experiment_set(demo, "m_max", m_max, &err));
    assert_succeeds(store_open(&store, paths[i], &err));
    assert_succeeds(store_want(store, demo, &DATA, seed, &row, &there, &err));
    if (outcome == FAILED)
        assert_succeeds(store_fail(store, row, &why, "there", &err));
    if (outcome == COMPLETE)
        assert_succeeds(store_complete(store, row, &run, "here", &err));
    store_close(store);
    free(demo);
}

static tacos_status merge(size_t n, tacos_store_counts *out, tacos_error *err) {
    const char *others[] = {paths[1], paths[2], paths[3]};
    return tacos_store_merge(paths[0], others, n, out, err);
}

static void assert_counts(const tacos_store_counts *counts, size_t complete, size_t failed,
                          size_t planned) {
    assert_int_equal(counts->n_complete, complete);
    assert_int_equal(counts->n_failed, failed);
    assert_int_equal(counts->n_planned, planned);
}

/* A row of the store that was merged. */
static tacos_run read_row(int64_t row) {
    Store *store;
    tacos_run run = {0};
    tacos_error err;
    assert_succeeds(store_open_to_read(&store, paths[0], &err));
    assert_succeeds(store_read(store, row, &run, &err));
    store_close(store);
    return run;
}

static void a_run_arrives_with_all_its_numbers(void **state) {
    tacos_store_counts counts;
    tacos_error err;
    name_stores(*state);
    add(1, "5", 1, PLANNED, 0); /* so that rows have other numbers there */
    add(1, "25", 1, COMPLETE, 75.125);
    add(2, "25", 2, COMPLETE, 50);
    add(2, "25", 1, PLANNED, 0);
    assert_succeeds(merge(2, &counts, &err));
    assert_counts(&counts, 2, 0, 1);
    tacos_run run = read_row(2);
    assert_int_equal(run.seed, 1);
    assert_true(run.R[3] == 75.125 && run.b[0] == 75.125);
    assert_int_equal(run.n_measures, 1);
    assert_true(run.measures[0].value == 75.125);
    assert_int_equal(run.n_answers, 1);
    assert_int_equal(run.answers[0].n, 4);
    assert_int_equal(run.model_digest, 0xfedcba99);
    run_free(&run);
    run = read_row(3);
    assert_int_equal(run.seed, 2);
    run_free(&run);
}

static void complete_beats_failed_beats_planned_and_the_first_complete_one_stays(void **state) {
    tacos_store_counts counts;
    tacos_error err;
    name_stores(*state);
    add(0, "5", 1, COMPLETE, 10);
    add(0, "5", 2, FAILED, 0);
    add(1, "5", 1, COMPLETE, 20);
    add(1, "5", 2, COMPLETE, 21);
    add(1, "5", 3, FAILED, 0);
    add(2, "5", 1, PLANNED, 0);
    add(2, "5", 2, COMPLETE, 31);
    add(2, "5", 3, PLANNED, 0);
    add(2, "5", 4, FAILED, 0);
    add(3, "5", 2, FAILED, 0);
    add(3, "5", 4, COMPLETE, 44);
    assert_succeeds(merge(3, &counts, &err));
    assert_counts(&counts, 3, 1, 0);
    static const double kept[] = {10, 21, 0, 44};
    for (int64_t row = 1; row <= 4; row++) {
        if (row == 3)
            continue;
        tacos_run run = read_row(row);
        assert_true(run.R[0] == kept[row - 1]);
        run_free(&run);
    }
    assert_succeeds(merge(3, &counts, &err)); /* again is no harm */
    assert_counts(&counts, 3, 1, 0);
}

static void what_cannot_be_merged_is_named_and_nothing_is_made(void **state) {
    const Folder *folder = *state;
    tacos_store_counts counts;
    tacos_error err;
    name_stores(folder);
    add(1, "5", 1, COMPLETE, 10);
    assert_fails(merge(2, &counts, &err), TACOS_MISSING);
    assert_non_null(strstr(err.text, "2.db"));
    assert_int_equal(access(paths[0], F_OK), -1);
    write_bytes(paths[2], "no store", 8);
    assert_fails(merge(2, &counts, &err), TACOS_FORMAT);
    assert_non_null(strstr(err.text, "2.db"));
    assert_int_equal(access(paths[0], F_OK), -1);
    const char *itself[] = {paths[1]};
    assert_fails(tacos_store_merge(paths[1], itself, 1, &counts, &err), TACOS_INVALID);
    assert_int_equal(counts.n_complete, 0);
    assert_succeeds(merge(1, &counts, &err));
    assert_counts(&counts, 1, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_arrives_with_all_its_numbers),
        IN_FOLDER(complete_beats_failed_beats_planned_and_the_first_complete_one_stays),
        IN_FOLDER(what_cannot_be_merged_is_named_and_nothing_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
