/* test_store.c - what is stored comes back, and nothing else is touched. */
#include "lab/results.h"
#include "store/store.h"
#include "store/store_inside.h"

#include "folder.h"

static const StoreData DATA = {"glyphs", 100, 20, 0x1234abcd};

static Experiment *open_demo(void) {
    Experiment *experiment;
    tacos_error err;
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    return experiment;
}

/* A run of two tasks whose numbers follow from one. */
typedef struct ToyRun {
    double R[4], b[2];
    tacos_metrics after[2];
    tacos_measure measures[2];
    tacos_run run;
} ToyRun;

static void make_toy(ToyRun *toy, double x) {
    *toy = (ToyRun){.R = {90 + x, 50, 80 + x / 3, 70}, .b = {x, 2}};
    for (size_t k = 0; k < 2; k++)
        toy->after[k] = (tacos_metrics){.A = x, .MA = 75 + x / 7};
    toy->run = (tacos_run){.seed = 1, .n_tasks = 2, .R = toy->R, .b = toy->b, .after = toy->after};
    toy->measures[0] = (tacos_measure){TACOS_MEASURE_change_in_task, 1, 0, x / 9};
    toy->measures[1] = (tacos_measure){TACOS_MEASURE_similarity, 2, 1, 0.5};
    toy->run.measures = toy->measures;
    toy->run.n_measures = 2;
    toy->run.stats.learning.samples = 60;
    toy->run.stats.learning.synaptic_events = UINT64_C(1) << 40;
    toy->run.stats.learning.decay_updates = 7;
    toy->run.stats.predicting.samples = 5;
    toy->run.stats.model_bytes = 12345;
    toy->run.model_digest = 0xfedcba98;
    toy->run.memory_overhead = 2.5;
    toy->run.train_seconds = 0.125 + x;
}

static int64_t want(Store *store, const Experiment *experiment, uint32_t seed, bool complete) {
    int64_t row = 0;
    bool there = !complete;
    tacos_error err;
    assert_succeeds(store_want(store, experiment, &DATA, seed, &row, &there, &err));
    assert_int_equal(there, complete);
    assert_true(row > 0);
    return row;
}

static Store *open_store(const char *path) {
    Store *store;
    tacos_error err;
    assert_succeeds(store_open(&store, path, &err));
    return store;
}

static void complete(Store *store, int64_t row, double x) {
    ToyRun toy;
    tacos_error err;
    make_toy(&toy, x);
    assert_succeeds(store_complete(store, row, &toy.run, "here", &err));
}

static void a_run_comes_back_to_the_last_bit(void **state) {
    const Folder *folder = *state;
    Experiment *demo = open_demo();
    ToyRun toy;
    tacos_run back;
    tacos_error err;
    Store *store = open_store(folder->file);
    int64_t row = want(store, demo, 1, false);
    assert_fails(store_read(store, row, &back, &err), TACOS_MISSING);
    complete(store, row, 1.0 / 3);
    store_close(store);

    store = open_store(folder->file);
    assert_int_equal(want(store, demo, 1, true), row);
    assert_succeeds(store_read(store, row, &back, &err));
    make_toy(&toy, 1.0 / 3);
    assert_int_equal(back.seed, 1);
    assert_int_equal(back.n_tasks, 2);
    assert_memory_equal(back.R, toy.R, sizeof toy.R);
    assert_memory_equal(back.b, toy.b, sizeof toy.b);
    assert_true(back.after[1].MA == (toy.R[2] + toy.R[3]) / 2); /* metrics follow from R */
    assert_memory_equal(&back.stats, &toy.run.stats, sizeof back.stats);
    assert_int_equal(back.model_digest, toy.run.model_digest);
    assert_int_equal(back.n_measures, 2);
    assert_true(back.measures[0].value == toy.measures[0].value);
    assert_int_equal(back.measures[1].kind, TACOS_MEASURE_similarity);
    assert_int_equal(back.measures[1].after_task, 2);
    assert_int_equal(back.measures[1].part, 1);
    assert_true(back.memory_overhead == 2.5 && back.train_seconds == toy.run.train_seconds);
    run_free(&back);
    double ma = 0;
    assert_succeeds(store_final_ma(store, row, &ma, &err));
    assert_true(ma == toy.after[1].MA);
    store_close(store);
    assert_int_equal(folder_count(folder->path), 1); /* no lock, no log */
    free(demo);
}

static void runs_differ_by_configuration_data_and_seed(void **state) {
    Experiment *demo = open_demo();
    StoreData other = DATA;
    int64_t row;
    bool there;
    tacos_error err;
    (void)state;
    Store *store = open_store(":memory:");
    complete(store, want(store, demo, 1, false), 1);
    (void)want(store, demo, 2, false);
    other.checksum++;
    assert_succeeds(store_want(store, demo, &other, 1, &row, &there, &err));
    assert_false(there);
    assert_succeeds(tacos_experiment_set(demo, "m_max", "7", &err));
    (void)want(store, demo, 1, false);
    assert_succeeds(
        tacos_experiment_set(demo, "m_max", "25.0", &err)); /* as it was, written otherwise */
    strcpy(demo->name, "another name");
    (void)want(store, demo, 1, true);
    store_close(store);
    free(demo);
}

static void a_failed_run_is_noted_and_may_be_tried_again(void **state) {
    Experiment *demo = open_demo();
    tacos_error err, why = {TACOS_MEMORY, "no memory for a run"};
    (void)state;
    Store *store = open_store(":memory:");
    int64_t row = want(store, demo, 1, false);
    assert_succeeds(store_fail(store, row, &why, "there", &err));
    assert_int_equal(want(store, demo, 1, false), row);
    complete(store, row, 1);
    complete(store, row, 2); /* twice is no harm */
    (void)want(store, demo, 1, true);
    store_close(store);
    free(demo);
}

typedef struct Seen {
    size_t n_rows, n_complete, n_failed, n_keys;
    char error[64], m_max[16];
} Seen;

static tacos_status see_row(void *user, const StoreRow *row, tacos_error *err) {
    Seen *seen = user;
    (void)err;
    seen->n_rows++;
    seen->n_complete += strcmp(row->status, "complete") == 0;
    if (strcmp(row->status, "failed") == 0) {
        seen->n_failed++;
        (void)snprintf(seen->error, sizeof seen->error, "%s", row->error);
    }
    return TACOS_OK;
}

static tacos_status see_key(void *user, int64_t config, const char *key, const char *value,
                            tacos_error *err) {
    Seen *seen = user;
    (void)err;
    assert_int_equal(config, 1);
    seen->n_keys++;
    if (strcmp(key, "m_max") == 0)
        (void)snprintf(seen->m_max, sizeof seen->m_max, "%s", value);
    return TACOS_OK;
}

static void others_may_read_while_one_writes(void **state) {
    const Folder *folder = *state;
    Experiment *demo = open_demo();
    Seen seen = {0};
    Store *reader;
    tacos_error err, why = {TACOS_IO, "bad luck"};
    Store *store = open_store(folder->file);
    complete(store, want(store, demo, 1, false), 1);
    assert_succeeds(store_fail(store, want(store, demo, 2, false), &why, "there", &err));
    (void)want(store, demo, 3, false);
    assert_succeeds(store_open_to_read(&reader, folder->file, &err));
    assert_succeeds(store_each_row(reader, see_row, &seen, &err));
    assert_succeeds(store_each_key(reader, see_key, &seen, &err));
    store_close(reader);
    store_close(store);
    assert_int_equal(seen.n_rows, 3);
    assert_int_equal(seen.n_complete, 1);
    assert_int_equal(seen.n_failed, 1);
    assert_string_equal(seen.error, "bad luck");
    size_t n_columns = 0; /* keys that the network does not use; one of them is derived */
    for (size_t k = 0; k < params_table.n; k++)
        n_columns += params_is_of_columns(&params_table.keys[k]);
    assert_int_equal(seen.n_keys, experiment_table.n + params_table.n - 2 - n_columns);
    assert_string_equal(seen.m_max, "25");
    free(demo);
}

static void of_several_editions_of_the_data_the_last_counts(void **state) {
    Experiment *demo = open_demo();
    StoreData newer = DATA;
    Seen seen = {0};
    int64_t row;
    bool there;
    tacos_error err;
    (void)state;
    Store *store = open_store(":memory:");
    complete(store, want(store, demo, 1, false), 1);
    (void)want(store, demo, 2, false);
    newer.checksum++;
    assert_succeeds(store_want(store, demo, &newer, 1, &row, &there, &err));
    assert_succeeds(store_each_row(store, see_row, &seen, &err));
    assert_int_equal(seen.n_rows, 1);
    assert_int_equal(seen.n_complete, 0);
    store_close(store);
    free(demo);
}

static void only_one_process_writes(void **state) {
    const Folder *folder = *state;
    Store *store = open_store(folder->file), *second;
    tacos_error err;
    assert_fails(store_open(&second, folder->file, &err), TACOS_BUSY);
    assert_says(err, "is in use by process");
    assert_fails(store_open_anew(&second, folder->file, &err), TACOS_BUSY);
    store_close(store);
    store = open_store(folder->file);
    store_discard(store);
    assert_int_equal(folder_count(folder->path), 0);
}

static void what_was_begun_and_abandoned_is_gone(void **state) {
    Experiment *demo = open_demo();
    tacos_error err;
    (void)state;
    Store *store = open_store(":memory:");
    assert_succeeds(store_begin(store, &err));
    (void)want(store, demo, 1, false);
    store_abandon(store);
    Seen seen = {0};
    assert_succeeds(store_each_row(store, see_row, &seen, &err));
    assert_int_equal(seen.n_rows, 0);
    (void)want(store, demo, 1, false); /* its configuration was gone too, and is made again */
    assert_succeeds(store_each_row(store, see_row, &seen, &err));
    assert_int_equal(seen.n_rows, 1);
    store_close(store);
    free(demo);
}

/* ---- versions ---- */

/* What a program of version 1 would have left. */
static void make_it_version_1(Store *store) {
    assert_int_equal(
        sqlite3_exec(
            store->db,
            "DROP TABLE answer; DROP TABLE measure; ALTER TABLE run DROP COLUMN learning_macs;"
            "ALTER TABLE run DROP COLUMN predicting_macs; PRAGMA user_version = 1",
            NULL, NULL, NULL),
        SQLITE_OK);
}

static void an_old_store_is_upgraded(void **state) {
    const Folder *folder = *state;
    Experiment *demo = open_demo();
    tacos_run back;
    tacos_error err;
    Store *store = open_store(folder->file);
    int64_t row = want(store, demo, 1, false);
    complete(store, row, 3);
    make_it_version_1(store);
    store_close(store);
    assert_succeeds(store_open_to_read(&store, folder->file, &err));
    assert_succeeds(store_read(store, row, &back, &err));
    assert_true(back.R[0] == 93 && back.n_measures == 0);
    run_free(&back);
    store_close(store);
    store = open_store(folder->file);
    (void)want(store, demo, 1, true);
    complete(store, want(store, demo, 2, false), 4); /* and it can be resumed */
    store_close(store);
    free(demo);
}

static void a_new_store_is_refused(void **state) {
    const Folder *folder = *state;
    Experiment *demo = open_demo();
    const char *steps[] = {store_schema.steps[0], store_schema.steps[1], store_schema.steps[2],
                           store_schema.steps[3],
                           "ALTER TABLE run ADD COLUMN mood TEXT;"
                           "UPDATE run SET mood = 'fine'"};
    StoreSchema next = {steps, 5};
    tacos_error err;
    assert_int_equal(store_schema.n_steps, 4); /* else `steps` needs the others */
    Store *store = open_store(folder->file);
    complete(store, want(store, demo, 1, false), 3);
    store_close(store);
    assert_succeeds(store_open_as(&store, folder->file, &next, &err));
    assert_int_equal(sqlite3_exec(store->db, "SELECT mood FROM run", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
    assert_fails(store_open(&store, folder->file, &err), TACOS_VERSION);
    assert_says(err, "made by a newer version (store version 5; this one supports up to 4)");
    assert_fails(store_open_to_read(&store, folder->file, &err), TACOS_VERSION);
    assert_succeeds(store_open_as(&store, folder->file, &next, &err)); /* and nothing is lost */
    (void)want(store, demo, 1, true);
    store_close(store);
    free(demo);
}

static void an_upgrade_that_fails_changes_nothing(void **state) {
    const Folder *folder = *state;
    const char *steps[] = {store_schema.steps[0],
                           "ALTER TABLE run ADD COLUMN mood TEXT; no SQL at all"};
    StoreSchema bad = {steps, 2};
    tacos_error err;
    Store *store = open_store(folder->file);
    make_it_version_1(store);
    store_close(store);
    assert_fails(store_open_as(&store, folder->file, &bad, &err), TACOS_IO);
    store = open_store(folder->file);
    assert_int_not_equal(sqlite3_exec(store->db, "SELECT mood FROM run", NULL, NULL, NULL),
                         SQLITE_OK);
    store_close(store);
}

/* ---- a store in the making ---- */

/* Called for every statement of who looks at an empty database: in the middle another connection
 * makes a store of it. */
static int make_store(unsigned kind, void *other, void *statement, void *text) {
    tacos_error err;
    (void)kind;
    (void)text;
    if (strncmp(sqlite3_sql(statement), "PRAGMA ", 7) == 0 &&
        strstr(sqlite3_sql(statement), "user_version"))
        assert_succeeds(store_schema_upgrade(other, &store_schema, "it", &err));
    return 0;
}

static void a_store_in_the_making_is_none_or_one(void **state) {
    const Folder *folder = *state;
    sqlite3 *reader, *maker;
    int version = -1;
    tacos_error err;
    assert_int_equal(sqlite3_open(folder->file, &maker), SQLITE_OK);
    assert_int_equal(sqlite3_exec(maker, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_open(folder->file, &reader), SQLITE_OK);
    (void)sqlite3_trace_v2(reader, SQLITE_TRACE_STMT, make_store, maker);
    assert_succeeds(store_schema_version(reader, &store_schema, "it", &version, &err));
    assert_int_equal(version, 0);
    (void)sqlite3_trace_v2(reader, 0, NULL, NULL);
    assert_succeeds(store_schema_version(reader, &store_schema, "it", &version, &err));
    assert_int_equal(version, store_schema.n_steps);
    (void)sqlite3_close(reader);
    (void)sqlite3_close(maker);
}

/* ---- bad files ---- */

static void other_files_are_refused_and_left_alone(void **state) {
    const Folder *folder = *state;
    Store *store;
    tacos_error err;
    size_t n;
    char text[2000];
    memset(text, 'x', sizeof text);
    write_bytes(folder->file, text, sizeof text);
    assert_fails(store_open(&store, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "not a store of results");
    assert_fails(store_open_to_read(&store, folder->file, &err), TACOS_FORMAT);
    char *after = read_bytes(folder->file, &n);
    assert_int_equal(n, sizeof text);
    assert_memory_equal(after, text, n);
    free(after);
    (void)unlink(folder->file);

    sqlite3 *db; /* a database of somebody else's */
    assert_int_equal(sqlite3_open(folder->file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE bees (n)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_fails(store_open(&store, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "is a database, but not a store of results");

    assert_fails(store_open(&store, folder->path, &err), TACOS_FORMAT);
    assert_fails(store_open_to_read(&store, folder->path, &err), TACOS_FORMAT);
    assert_fails(store_open(&store, "/dev/null/x/y", &err), TACOS_IO);
    assert_fails(store_open(&store, "", &err), TACOS_INVALID);
    assert_fails(store_open_to_read(&store, "/nowhere/at/all", &err), TACOS_MISSING);
    write_bytes(folder->file, "", 0);
    assert_fails(store_open_to_read(&store, folder->file, &err), TACOS_FORMAT);
}

static void a_store_in_a_folder_to_be_made(void **state) {
    const Folder *folder = *state;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/deep/er/s.db", folder->path);
    Store *store = open_store(path);
    store_close(store);
    assert_true(exists(path));
}

static void a_full_disk_loses_nothing_that_was_stored(void **state) {
    const Folder *folder = *state;
    Experiment *demo = open_demo();
    ToyRun toy;
    tacos_error err;
    tacos_status status = TACOS_OK;
    uint32_t seed = 0;
    int64_t row = 0;
    bool there = false;
    make_toy(&toy, 1);
    Store *store = open_store(folder->file);
    assert_int_equal(sqlite3_exec(store->db, "PRAGMA max_page_count = 40", NULL, NULL, NULL),
                     SQLITE_OK);
    while (status == TACOS_OK && seed < 10000) {
        seed++;
        status = store_want(store, demo, &DATA, seed, &row, &there, &err);
        if (status == TACOS_OK)
            status = store_complete(store, row, &toy.run, "here", &err);
    }
    assert_int_equal(status, TACOS_IO);
    assert_says(err, "the disk is full");
    assert_true(seed > 10);
    store_close(store);
    store = open_store(folder->file);
    for (uint32_t k = 1; k < seed; k++)
        (void)want(store, demo, k, true);
    (void)want(store, demo, seed, false);
    store_close(store);
    free(demo);
}

static void missing_numbers_are_noticed(void **state) {
    static const char *const damages[] = {
        "DELETE FROM accuracy WHERE task = 2 AND after_task = 1",
        "UPDATE accuracy SET task = 3 WHERE task = 2",
        "UPDATE run SET tasks = 0",
        "UPDATE run SET tasks = 1000000000",
        "UPDATE run SET tasks = -1",
    };
    Experiment *demo = open_demo();
    tacos_run back;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        Store *store = open_store(":memory:");
        int64_t row = want(store, demo, 1, false);
        complete(store, row, 1);
        assert_int_equal(sqlite3_exec(store->db, damages[i], NULL, NULL, NULL), SQLITE_OK);
        assert_fails(store_read(store, row, &back, &err), TACOS_FORMAT);
        assert_says(err, "damaged");
        store_close(store);
    }
    free(demo);
}

static void a_store_knows_whose_it_is(void **state) {
    Experiment *demo = open_demo();
    bool only = false;
    tacos_error err;
    (void)state;
    Store *store = open_store(":memory:");
    (void)want(store, demo, 1, false);
    assert_succeeds(store_holds_only(store, demo, &only, &err));
    assert_true(only);
    assert_succeeds(tacos_experiment_set(demo, "alpha", "0", &err));
    assert_succeeds(store_holds_only(store, demo, &only, &err));
    assert_false(only);
    store_close(store);
    free(demo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_comes_back_to_the_last_bit),
        cmocka_unit_test(runs_differ_by_configuration_data_and_seed),
        cmocka_unit_test(a_failed_run_is_noted_and_may_be_tried_again),
        IN_FOLDER(others_may_read_while_one_writes),
        cmocka_unit_test(of_several_editions_of_the_data_the_last_counts),
        IN_FOLDER(only_one_process_writes),
        cmocka_unit_test(what_was_begun_and_abandoned_is_gone),
        IN_FOLDER(an_old_store_is_upgraded),
        IN_FOLDER(a_new_store_is_refused),
        IN_FOLDER(an_upgrade_that_fails_changes_nothing),
        IN_FOLDER(a_store_in_the_making_is_none_or_one),
        IN_FOLDER(other_files_are_refused_and_left_alone),
        IN_FOLDER(a_store_in_a_folder_to_be_made),
        IN_FOLDER(a_full_disk_loses_nothing_that_was_stored),
        cmocka_unit_test(missing_numbers_are_noticed),
        cmocka_unit_test(a_store_knows_whose_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
