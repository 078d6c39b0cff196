/* test_survey.c - stores with known numbers, and what is said of them. */
#include "store/store.h"
#include "store/survey.h"
#include "folder.h"

#include <math.h>
#include <sqlite3.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* ---- stores ---- */

enum { N_TASKS_MAX = 5 };

/* A run, and what came of it. */
typedef struct Entry {
    const char *key, *value; /* what is not as in `demo`; NULL: nothing */
    const char *key_2, *value_2;
    double MA, A, BWT;
    size_t bytes;
    uint64_t events; /* and updates, a sample */
    uint64_t macs;   /* of a rival */
    double silent;   /* percent; 0: an older program, which did not count */
} Entry;

typedef struct Lab {
    Store *store;
    Experiment *base;
} Lab;

static Lab lab_open(const char *path) {
    Lab lab;
    tacos_error err;
    assert_succeeds(store_open(&lab.store, path, &err));
    assert_succeeds(tacos_experiment_open(&lab.base, "demo", &err));
    return lab;
}

static void lab_close(Lab *lab) {
    store_close(lab->store);
    free(lab->base);
}

static int64_t want(Lab *lab, const Entry *entry, uint32_t seed, size_t *n_tasks) {
    StoreData data = {"glyphs", 1000, 200, 0x1234};
    Experiment experiment = *lab->base;
    Tasks tasks;
    int64_t row;
    bool complete;
    tacos_error err;
    if (entry->key)
        assert_succeeds(tacos_experiment_set(&experiment, entry->key, entry->value, &err));
    if (entry->key_2)
        assert_succeeds(tacos_experiment_set(&experiment, entry->key_2, entry->value_2, &err));
    assert_succeeds(tasks_parse(&tasks, experiment.params.tasks, &err));
    *n_tasks = tasks.n;
    assert_succeeds(store_want(lab->store, &experiment, &data, seed, &row, &complete, &err));
    return row;
}

static void plan(Lab *lab, const Entry *entry, uint32_t seed) {
    size_t n;
    (void)want(lab, entry, seed, &n);
}

static void complete(Lab *lab, const Entry *entry, uint32_t seed) {
    static const double R[N_TASKS_MAX * N_TASKS_MAX], b[N_TASKS_MAX];
    tacos_metrics after[N_TASKS_MAX] = {0};
    tacos_run run = {.seed = seed, .R = R, .b = b, .after = after};
    tacos_error err;
    int64_t row = want(lab, entry, seed, &run.n_tasks);
    after[run.n_tasks - 1] = (tacos_metrics){.MA = entry->MA,
                                             .A = entry->A,
                                             .BWT = entry->BWT,
                                             .FWT = 1,
                                             .FWT_gem = 2,
                                             .forgetting = 1 - entry->BWT};
    run.stats.learning.samples = 100;
    run.stats.learning.synaptic_events = 50 * entry->events;
    run.stats.learning.error_updates = 30 * entry->events;
    run.stats.learning.decay_updates = 20 * entry->events;
    run.stats.learning.macs = 100 * entry->macs;
    run.stats.model_bytes = entry->bytes;
    run.memory_overhead = 2.5;
    run.train_seconds = seed;
    run.test_seconds = 0.5;
    tacos_measure silent = {TACOS_MEASURE_silent, (uint32_t)run.n_tasks, 0, entry->silent};
    if (entry->silent > 0) {
        run.n_measures = 1;
        run.measures = &silent;
    }
    assert_succeeds(store_complete(lab->store, row, &run, "here", &err));
}

static void fails(Lab *lab, const Entry *entry, uint32_t seed, const char *why) {
    size_t n;
    tacos_error err, reason = {TACOS_IO, ""};
    int64_t row = want(lab, entry, seed, &n);
    strcpy(reason.text, why);
    assert_succeeds(store_fail(lab->store, row, &reason, "here", &err));
}

/* A store of complete runs, one seed each, and what is said of it. */
static Survey *survey_of(const char *path, const Entry *entries, size_t n) {
    Lab lab = lab_open(path);
    Survey *survey;
    tacos_error err;
    for (size_t i = 0; i < n; i++)
        complete(&lab, &entries[i], 1);
    lab_close(&lab);
    assert_succeeds(tacos_survey_open(&survey, path, &err));
    return survey;
}

#define SURVEY_OF(folder, entries)                                                                 \
    survey_of(((Folder *)(folder))->file, entries, sizeof(entries) / sizeof *(entries))

static Survey *look(const Folder *folder) {
    Survey *survey;
    tacos_error err;
    assert_succeeds(tacos_survey_open(&survey, folder->file, &err));
    return survey;
}

static void sql(const Folder *folder, const char *text) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(folder->file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The column of a key that varies. */
static size_t key_at(const Survey *survey, const char *name) {
    for (size_t k = 0; tacos_survey_key(survey, k); k++)
        if (strcmp(tacos_survey_key(survey, k), name) == 0)
            return k;
    fail_msg("%s does not vary", name);
    return 0;
}

static const char *value_at(const Survey *survey, size_t i, const char *key) {
    return tacos_survey_value(survey, i, key_at(survey, key));
}

static size_t count_rows(const Survey *survey) {
    size_t n = 0;
    while (tacos_survey_row_get(survey, n))
        n++;
    return n;
}

/* ---- rows ---- */

static void rows_come_by_mean_accuracy(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "5", .MA = 60},
        {.key = "m_max", .value = "25", .MA = 90},
        {.key = "m_max", .value = "10", .MA = 80},
    };
    Survey *survey = SURVEY_OF(*state, entries);
    assert_int_equal(count_rows(survey), 3);
    assert_string_equal(value_at(survey, 0, "m_max"), "25");
    assert_string_equal(value_at(survey, 1, "m_max"), "10");
    assert_string_equal(value_at(survey, 2, "m_max"), "5");
    assert_null(tacos_survey_value(survey, 3, 0));
    assert_null(tacos_survey_value(survey, 0, 1));
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(tacos_survey_row_get(survey, i)->experiment, "demo");
        assert_int_equal(strlen(tacos_survey_row_get(survey, i)->digest), 64);
        assert_int_equal(tacos_survey_row_get(survey, i)->n_tasks, 5);
        assert_int_equal(tacos_survey_row_get(survey, i)->stopped, 0);
    }
    tacos_survey_free(survey);
}

/* The same runs in another order are the same survey, also where MA is the same. */
static void the_order_is_of_the_content(void **state) {
    const Folder *folder = *state;
    Entry entries[6], reversed[6];
    static const char *const values[] = {"1", "2", "3", "4", "5", "6"};
    char other[128];
    for (size_t i = 0; i < 6; i++)
        entries[i] = (Entry){.key = "m_max", .value = values[i], .MA = i < 4 ? 70 : 71};
    for (size_t i = 0; i < 6; i++)
        reversed[i] = entries[5 - i];
    (void)snprintf(other, sizeof other, "%s-other", folder->file);
    Survey *one = SURVEY_OF(folder, entries), *two = survey_of(other, reversed, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(tacos_survey_row_get(one, i)->digest,
                            tacos_survey_row_get(two, i)->digest);
        assert_string_equal(tacos_survey_value(one, i, 0), tacos_survey_value(two, i, 0));
        if (i > 2)
            assert_true(strcmp(tacos_survey_row_get(one, i - 1)->digest,
                               tacos_survey_row_get(one, i)->digest) < 0);
    }
    tacos_survey_free(one);
    tacos_survey_free(two);
}

static void a_row_is_the_mean_over_complete_runs(void **state) {
    Lab lab = lab_open(((Folder *)*state)->file);
    Entry entry = {.MA = 70, .A = 90, .BWT = -20, .bytes = 1000, .events = 300};
    complete(&lab, &entry, 1);
    entry.MA = 74;
    entry.events = 500;
    complete(&lab, &entry, 2);
    fails(&lab, &entry, 3, "lightning");
    plan(&lab, &entry, 4);
    plan(&lab, &entry, 5);
    lab_close(&lab);
    Survey *survey = look(*state);
    const tacos_survey_row *row = tacos_survey_row_get(survey, 0);
    assert_int_equal(count_rows(survey), 1);
    assert_int_equal(row->n_runs, 2);
    assert_int_equal(row->n_failed, 1);
    assert_int_equal(row->n_planned, 2);
    assert_int_equal(row->MA.n, 2);
    assert_near(row->MA.mean, 72);
    assert_near(row->MA.sd, sqrt(8)); /* (4 + 4) / 1 */
    assert_near(row->A.mean, 90);
    assert_near(row->A.sd, 0);
    assert_near(row->BWT.mean, -20);
    assert_true(row->FWT.n == 0 && isnan(row->FWT.mean)); /* after the last task there is none */
    assert_near(row->FWT_gem.mean, 2);
    assert_near(row->forgetting.mean, 21);
    assert_near(row->memory_overhead, 2.5);
    assert_near(row->model_bytes, 1000);
    assert_near(row->operations, 400);
    assert_near(row->seconds, 2); /* 1.5 and 2.5 */
    assert_null(tacos_survey_key(survey, 0));
    tacos_survey_free(survey);
}

/* More runs than there is room for at first. */
static void many_seeds(void **state) {
    Lab lab = lab_open(((Folder *)*state)->file);
    tacos_error err;
    for (uint32_t seed = 1; seed <= 150; seed++)
        complete(&lab, &(Entry){.MA = seed}, seed);
    assert_succeeds(store_begin(lab.store, &err));
    for (uint32_t seed = 151; seed <= 300; seed++)
        fails(&lab, &(Entry){0}, seed, "rain");
    assert_succeeds(store_commit(lab.store, &err));
    lab_close(&lab);
    Survey *survey = look(*state);
    assert_int_equal(tacos_survey_row_get(survey, 0)->n_runs, 150);
    assert_near(tacos_survey_row_get(survey, 0)->MA.mean, 75.5);
    assert_string_equal(tacos_survey_failure(survey, 149), "rain");
    assert_null(tacos_survey_failure(survey, 150));
    tacos_survey_free(survey);
}

/* ---- keys ---- */

static void keys_that_vary_come_as_in_the_tables(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "5", .key_2 = "samples_per_task", .value_2 = "10"},
        {.key = "hidden", .value = "20,30", .key_2 = "model", .value_2 = "snn"},
    };
    static const char *const keys[] = {"samples_per_task", "model", "hidden", "m_max"};
    Survey *survey = SURVEY_OF(*state, entries);
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(tacos_survey_key(survey, k), keys[k]);
    assert_null(tacos_survey_key(survey, 4));
    tacos_survey_free(survey);
}

/* Unknown ones stand behind, by name. One that is missing has the value it had before it was a key:
 * the default; of an unknown one that is not known. */
static void lists_of_numbers_are_a_column_each(void **state) {
    static const Entry entries[] = {
        {"init_w", "1,2", "init_b", "0.1", .MA = 50, .bytes = 1, .events = 1},
        {"init_w", "1,3", "init_b", "0.2", .MA = 60, .bytes = 1, .events = 1},
        {"init_w", "2,3", "init_b", "0.3", .MA = 80, .bytes = 1, .events = 1}};
    const Folder *folder = *state;
    Survey *survey;
    tacos_survey_level level;
    tacos_error err;
    Lab lab = lab_open(folder->file);
    for (size_t i = 0; i < 3; i++)
        complete(&lab, &entries[i], 1);
    assert_succeeds(tacos_survey_open(&survey, folder->file, &err));
    assert_string_equal(tacos_survey_key(survey, 0), "init_w[1]");
    assert_string_equal(tacos_survey_key(survey, 1), "init_w[2]");
    assert_string_equal(tacos_survey_key(survey, 2), "init_b");
    assert_null(tacos_survey_key(survey, 3));
    assert_string_equal(tacos_survey_value(survey, 0, 0), "2"); /* the best */
    assert_string_equal(tacos_survey_value(survey, 2, 1), "2");
    assert_true(tacos_survey_level_get(survey, 1, 1, &level));
    assert_string_equal(level.label, "3");
    assert_int_equal(level.n_configs, 2);
    assert_near(level.MA.mean, 70);
    tacos_survey_free(survey);

    static const Entry single = {"init_w", "1", NULL, NULL, .MA = 70, .bytes = 1, .events = 1};
    complete(&lab, &single, 1); /* now not all are lists of two */
    assert_succeeds(tacos_survey_open(&survey, folder->file, &err));
    assert_string_equal(tacos_survey_key(survey, 0), "init_w");
    assert_string_equal(tacos_survey_value(survey, 0, 0), "2,3");
    tacos_survey_free(survey);
    lab_close(&lab);
}

static void keys_of_newer_and_older_programs(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "5", .MA = 60},
        {.key = "m_max", .value = "6", .MA = 50},
    };
    tacos_survey_free(SURVEY_OF(*state, entries));
    sql(*state, "INSERT INTO setting VALUES (1, 'zeal', '3'), (2, 'zeal', '4'),"
                " (2, 'awe', 'much'), (1, 'calm', '1'), (2, 'calm', '1');"
                "DELETE FROM setting WHERE config = 1 AND key IN ('alpha', 'w_ref_rate');"
                "DELETE FROM setting WHERE key = 'steps'");
    Survey *survey = look(*state);
    static const char *const keys[] = {"m_max", "w_ref_rate", "awe", "zeal"};
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(tacos_survey_key(survey, k), keys[k]);
    assert_null(tacos_survey_key(survey, 4));
    assert_string_equal(value_at(survey, 0, "w_ref_rate"), "4e-05");
    assert_string_equal(value_at(survey, 1, "w_ref_rate"), "0.001");
    assert_string_equal(value_at(survey, 0, "awe"), "");
    assert_string_equal(value_at(survey, 1, "awe"), "much");
    tacos_survey_free(survey);
}

/* ---- levels ---- */

static tacos_survey_level level_at(const Survey *survey, const char *key, size_t l) {
    tacos_survey_level level;
    assert_true(tacos_survey_level_get(survey, key_at(survey, key), l, &level));
    return level;
}

static size_t count_levels(const Survey *survey, const char *key) {
    tacos_survey_level level;
    size_t n = 0;
    while (tacos_survey_level_get(survey, key_at(survey, key), n, &level))
        n++;
    return n;
}

/* The mean is 70, the squares are 100 + 400 + 400 + 100; 5 and 25 are 15 away from it on average,
 * snn and tacos 5. */
static void the_share_of_a_key(void **state) {
    static const Entry entries[] = {
        {"m_max", "25", "model", "tacos", .MA = 90, .A = 95, .BWT = -8},
        {"m_max", "25", "model", "snn", .MA = 80, .A = 97, .BWT = -12},
        {"m_max", "5", "model", "tacos", .MA = 60, .A = 98, .BWT = -30},
        {"m_max", "5", "model", "snn", .MA = 50, .A = 99, .BWT = -40},
    };
    Survey *survey = SURVEY_OF(*state, entries);
    assert_near(tacos_survey_share(survey, key_at(survey, "m_max")), 0.9);
    assert_near(tacos_survey_share(survey, key_at(survey, "model")), 0.1);
    assert_near(tacos_survey_share(survey, 2), 0);
    assert_int_equal(count_levels(survey, "m_max"), 2);
    tacos_survey_level five = level_at(survey, "m_max", 0), snn = level_at(survey, "model", 0);
    assert_string_equal(five.label, "5"); /* before 25 */
    assert_int_equal(five.n_configs, 2);
    assert_int_equal(five.MA.n, 2);
    assert_near(five.MA.mean, 55);
    assert_near(five.MA.sd, sqrt(50));
    assert_near(five.A.mean, 98.5);
    assert_near(five.BWT.mean, -35);
    assert_string_equal(snn.label, "snn");
    assert_near(snn.MA.mean, 65);
    assert_near(level_at(survey, "model", 1).BWT.mean, -19);
    tacos_survey_free(survey);
}

/* The mean of three 61.7 is not 61.7 to the last bit. */
static void nothing_is_nobodys_share(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "1", .MA = 61.7},
        {.key = "m_max", .value = "2", .MA = 61.7},
        {.key = "m_max", .value = "3", .MA = 61.7},
    };
    Survey *survey = SURVEY_OF(*state, entries);
    assert_true(tacos_survey_share(survey, 0) == 0);
    tacos_survey_free(survey);
}

static void eight_numbers_are_levels_and_nine_are_ranges(void **state) {
    static const char *const values[] = {"100", "20", "3", "0.5", "1e-05", "7", "8", "9", "0.25"};
    static const char *const sorted[] = {"1e-05", "0.5", "3", "7", "8", "9", "20", "100"};
    static const char *const ranges[] = {"1e-05 to 0.25", "0.5 to 3", "7 to 9", "20 to 100"};
    static const size_t sizes[] = {2, 2, 3, 2};
    Lab lab = lab_open(((Folder *)*state)->file);
    for (size_t i = 0; i < 8; i++)
        complete(&lab, &(Entry){.key = "m_max", .value = values[i], .MA = (double)i}, 1);
    Survey *survey = look(*state);
    for (size_t l = 0; l < 8; l++)
        assert_string_equal(level_at(survey, "m_max", l).label, sorted[l]);
    assert_int_equal(count_levels(survey, "m_max"), 8);
    assert_near(tacos_survey_share(survey, 0), 1);
    tacos_survey_free(survey);
    complete(&lab, &(Entry){.key = "m_max", .value = values[8], .MA = 8}, 1);
    lab_close(&lab);
    survey = look(*state);
    assert_int_equal(count_levels(survey, "m_max"), 4);
    for (size_t l = 0; l < 4; l++) {
        assert_string_equal(level_at(survey, "m_max", l).label, ranges[l]);
        assert_int_equal(level_at(survey, "m_max", l).n_configs, sizes[l]);
    }
    assert_near(level_at(survey, "m_max", 0).MA.mean, 6);                   /* 4 and 8 */
    assert_near(level_at(survey, "m_max", 2).MA.mean, 6);                   /* 5, 6 and 7 */
    assert_near(tacos_survey_share(survey, 0), (8 + 4.5 + 12 + 24.5) / 60); /* of squares about 4 */
    tacos_survey_free(survey);
}

/* A value that half of all have is not torn apart, and is called by itself. */
static void ranges_keep_equal_values_together(void **state) {
    static const char *const values[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    Lab lab = lab_open(((Folder *)*state)->file);
    for (size_t i = 0; i < 8; i++)
        complete(&lab, &(Entry){.key = "m_max", .value = values[i]}, 1);
    for (size_t i = 0; i < 5; i++)
        complete(&lab, &(Entry){"m_max", "9", "model", models[i].name, .MA = 50}, 1);
    lab_close(&lab);
    Survey *survey = look(*state);
    assert_int_equal(count_levels(survey, "m_max"), 4);
    assert_string_equal(level_at(survey, "m_max", 0).label, "1 to 3");
    assert_string_equal(level_at(survey, "m_max", 1).label, "4 to 6");
    assert_string_equal(level_at(survey, "m_max", 2).label, "7 to 8");
    assert_string_equal(level_at(survey, "m_max", 3).label, "9");
    assert_int_equal(level_at(survey, "m_max", 3).n_configs, 5);
    tacos_survey_free(survey);
}

/* Many texts stay texts, and a long one is cut. */
static void texts_are_never_ranges(void **state) {
    char values[10][128];
    Entry entries[10];
    for (size_t i = 0; i < 10; i++) {
        (void)snprintf(values[i], sizeof values[i], "%zu,20", 30 - i);
        entries[i] = (Entry){.key = "hidden", .value = values[i]};
    }
    strcpy(values[9], "10");
    for (size_t i = 0; i < 15; i++)
        strcat(values[9], ",1000");
    Survey *survey = SURVEY_OF(*state, entries);
    assert_int_equal(count_levels(survey, "hidden"), 10);
    assert_string_equal(level_at(survey, "hidden", 0).label,
                        "10,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,10...");
    assert_string_equal(level_at(survey, "hidden", 1).label, "22,20");
    assert_string_equal(level_at(survey, "hidden", 9).label, "30,20");
    tacos_survey_free(survey);
}

/* ---- fronts ---- */

static void fronts_by_hand(void **state) {
    static const struct {
        double x, y;
        int on;
    } cases[] = {
        {90, -10, 1}, {80, -5, 1}, {80, -5, 1}, {80, -6, 0}, {90, -12, 0}, {70, -5, 0}, {60, 0, 1},
    };
    enum { N = sizeof cases / sizeof *cases };
    FrontPoint points[N];
    int on[N];
    (void)state;
    for (size_t i = 0; i < N; i++)
        points[i] = (FrontPoint){cases[i].x, cases[i].y, &on[i]};
    fronts_mark(points, N);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(on[i], cases[i].on);
    fronts_mark(points, 0);
}

/* Against the definition, with many ties. */
static void fronts_are_what_they_are_said_to_be(void **state) {
    enum { N = 60 };
    Dice dice = {1, 0};
    FrontPoint points[N];
    int on[N];
    (void)state;
    for (size_t round = 0; round < 50; round++) {
        for (size_t i = 0; i < N; i++)
            points[i] = (FrontPoint){floor(roll(&dice, 0, 12)), floor(roll(&dice, 0, 12)), &on[i]};
        fronts_mark(points, N);
        for (size_t i = 0; i < N; i++) {
            int beaten = 0;
            for (size_t k = 0; k < N; k++)
                beaten |= points[k].x >= points[i].x && points[k].y >= points[i].y &&
                          (points[k].x > points[i].x || points[k].y > points[i].y);
            assert_int_equal(*points[i].on, !beaten);
        }
    }
}

/* What a rival multiplies is work, too, though it has no synaptic event. */
static void a_rival_is_not_free(void **state) {
    static const Entry entries[] = {
        {.key = "model", .value = "tacos", .MA = 90, .events = 20},
        {.key = "model", .value = "naive", .MA = 80, .macs = 50},
        {.key = "model", .value = "snn", .MA = 70, .events = 10},
    };
    static const int operations[] = {20, 50, 10}, front[] = {1, 0, 1};
    Survey *survey = SURVEY_OF(*state, entries);
    for (size_t i = 0; i < 3; i++) {
        assert_near(tacos_survey_row_get(survey, i)->operations, operations[i]);
        assert_int_equal(tacos_survey_row_get(survey, i)->operations_front, front[i]);
    }
    tacos_survey_free(survey);
}

/* Of one task nothing was forgotten, and nothing kept: it is on no front of BWT. */
static void one_task_has_no_transfer(void **state) {
    static const Entry entries[] = {
        {"m_max", "1", "tasks", "0-1", .MA = 90, .A = 90, .BWT = 0, .bytes = 1},
        {"m_max", "2", "tasks", "0-1", .MA = 80, .A = 80, .BWT = 0, .bytes = 2},
    };
    Survey *survey = SURVEY_OF(*state, entries);
    for (size_t i = 0; i < 2; i++) {
        const tacos_survey_row *row = tacos_survey_row_get(survey, i);
        assert_int_equal(row->A.n, 1);
        assert_int_equal(row->BWT.n, 0);
        assert_true(isnan(row->BWT.mean) && isnan(row->forgetting.mean));
        assert_false(row->transfer_front);
    }
    assert_true(tacos_survey_row_get(survey, 0)->memory_front);
    tacos_survey_free(survey);
}

static void rows_tell_the_fronts_they_are_on(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "1", .MA = 90, .A = 70, .BWT = -5, .bytes = 300, .events = 20},
        {.key = "m_max", .value = "2", .MA = 80, .A = 95, .BWT = -20, .bytes = 300, .events = 10},
        {.key = "m_max", .value = "3", .MA = 70, .A = 95, .BWT = -20, .bytes = 100, .events = 30},
        {.key = "m_max", .value = "4", .MA = 60, .A = 60, .BWT = -5, .bytes = 100, .events = 5},
        /* better than all, but only on a part of the tasks */
        {"m_max", "5", "tasks", "0-1", .MA = 99, .A = 99, .BWT = 0, .bytes = 1, .events = 1},
    };
    static const int transfer[] = {1, 1, 1, 0, 0}, memory[] = {1, 0, 1, 0, 0},
                     operations[] = {1, 1, 0, 1, 0};
    Survey *survey = SURVEY_OF(*state, entries);
    for (size_t i = 0; i < 5; i++) {
        const tacos_survey_row *row = tacos_survey_row_get(survey, i);
        assert_int_equal(row->transfer_front, transfer[i]);
        assert_int_equal(row->memory_front, memory[i]);
        assert_int_equal(row->operations_front, operations[i]);
        assert_int_equal(row->stopped, i == 4);
    }
    tacos_survey_free(survey);
}

/* Not the least forgetting, nor the least memory or work, if it does not answer. */
static void the_silent_are_on_no_front(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "1", .MA = 90, .A = 70, .BWT = -5, .bytes = 300, .events = 20},
        {"m_max", "2", .MA = 80, .A = 95, .BWT = -9, .bytes = 200, .events = 10, .silent = 50},
        {"m_max", "3", .MA = 70, .A = 99, .BWT = 0, .bytes = 100, .events = 5, .silent = 50.5},
    };
    static const double silent[] = {0, 50, 50.5};
    Survey *survey = SURVEY_OF(*state, entries);
    for (size_t i = 0; i < 3; i++) {
        const tacos_survey_row *row = tacos_survey_row_get(survey, i);
        assert_true(tacos_survey_silent(survey, i) == silent[i]);
        assert_int_equal(row->transfer_front, i < 2);
        assert_int_equal(row->memory_front, i < 2);
        assert_int_equal(row->operations_front, i < 2);
    }
    assert_true(tacos_survey_silent(survey, 3) == 0);
    tacos_survey_free(survey);
}

/* ---- streams that were cut short ---- */

static void what_went_on_is_left_out_and_what_did_not_is_stopped(void **state) {
    static const Entry entries[] = {
        {"m_max", "1", "tasks", "0-1", .MA = 99},
        {"m_max", "1", "tasks", "0-1,2-3", .MA = 95},
        {"m_max", "1", "tasks", "0-1,2-3,4-5,6-7", .MA = 80},
        {"m_max", "2", "tasks", "0-1", .MA = 98},
        {"m_max", "2", "tasks", "0-1,2-3", .MA = 90},
        {"m_max", "3", "tasks", "0-1", .MA = 97},
        {"m_max", "4", "tasks", "0-1", .MA = 98},
        {"m_max", "5", "tasks", "0-1,2-3,4-5,6-7", .MA = 85},
    };
    static const char *const m_max[] = {"5", "1", "2", "4", "3"};
    static const int n_tasks[] = {4, 4, 2, 1, 1};
    Survey *survey = SURVEY_OF(*state, entries);
    assert_int_equal(count_rows(survey), 5);
    assert_null(tacos_survey_key(survey, 1)); /* tasks are the same for all whole ones */
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(value_at(survey, i, "m_max"), m_max[i]);
        assert_int_equal(tacos_survey_row_get(survey, i)->n_tasks, n_tasks[i]);
        assert_int_equal(tacos_survey_row_get(survey, i)->stopped, n_tasks[i] < 4);
    }
    assert_int_equal(count_levels(survey, "m_max"), 2); /* of whole ones */
    assert_near(tacos_survey_share(survey, 0), 1);
    tacos_survey_free(survey);
}

/* A longer stream that has only been planned takes nobody's place; but there is one. */
static void a_planned_stream_stops_but_replaces_nothing(void **state) {
    Lab lab = lab_open(((Folder *)*state)->file);
    complete(&lab, &(Entry){"m_max", "1", "tasks", "0-1", .MA = 90}, 1);
    complete(&lab, &(Entry){"m_max", "2", "tasks", "0-1", .MA = 80}, 1);
    plan(&lab, &(Entry){"m_max", "1", "tasks", "0-1,2-3", .MA = 80}, 1);
    Survey *survey = look(*state);
    tacos_survey_level level;
    assert_int_equal(count_rows(survey), 2);
    assert_int_equal(tacos_survey_row_get(survey, 0)->stopped, 1);
    assert_int_equal(tacos_survey_row_get(survey, 1)->stopped, 1);
    assert_int_equal(tacos_survey_row_get(survey, 0)->transfer_front, 0);
    assert_string_equal(tacos_survey_key(survey, 0), "m_max");
    assert_false(tacos_survey_level_get(survey, 0, 0, &level)); /* none is whole */
    assert_near(tacos_survey_share(survey, 0), 0);
    tacos_survey_free(survey);
    complete(&lab, &(Entry){"m_max", "1", "tasks", "0-1,2-3", .MA = 70}, 1);
    plan(&lab, &(Entry){"m_max", "1", "tasks", "0-1,2-3,4-5", .MA = 0}, 1);
    lab_close(&lab);
    survey = look(*state);
    assert_int_equal(tacos_survey_row_get(survey, 0)->n_tasks, 2);
    assert_int_equal(tacos_survey_row_get(survey, 1)->n_tasks, 1);
    assert_string_equal(value_at(survey, 0, "tasks"), "0-1,2-3"); /* all that there is to tell */
    tacos_survey_free(survey);
}

/* Only a comma ends a task: 1-2 is no beginning of 1-23. Other tasks are other experiments. */
static void tasks_that_only_look_like_a_beginning(void **state) {
    static const Entry entries[] = {
        {.key = "tasks", .value = "0-1", .MA = 90},
        {.key = "tasks", .value = "0-1-2,3-4", .MA = 80},
        {.key = "tasks", .value = "0-10", .MA = 70},
        {.key = "tasks", .value = "2-3,0-1", .MA = 60},
    };
    Survey *survey = SURVEY_OF(*state, entries);
    assert_int_equal(count_rows(survey), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tacos_survey_row_get(survey, i)->stopped, 0);
        assert_string_equal(value_at(survey, i, "tasks"), entries[i].value);
    }
    tacos_survey_free(survey);
}

/* ---- failures, and stores with nothing in them ---- */

static void failures_are_listed_also_of_what_is_no_row(void **state) {
    Lab lab = lab_open(((Folder *)*state)->file);
    fails(&lab, &(Entry){.key = "m_max", .value = "1"}, 1, "the data were eaten");
    fails(&lab, &(Entry){.key = "m_max", .value = "1"}, 2, "no memory");
    complete(&lab, &(Entry){.key = "m_max", .value = "2", .MA = 50}, 1);
    fails(&lab, &(Entry){.key = "m_max", .value = "2"}, 2, "no memory");
    plan(&lab, &(Entry){.key = "m_max", .value = "3"}, 1);
    lab_close(&lab);
    Survey *survey = look(*state);
    assert_int_equal(count_rows(survey), 1);
    assert_int_equal(tacos_survey_row_get(survey, 0)->n_failed, 1);
    assert_string_equal(tacos_survey_failure(survey, 0), "the data were eaten");
    assert_string_equal(tacos_survey_failure(survey, 1), "no memory");
    assert_string_equal(tacos_survey_failure(survey, 2), "no memory");
    assert_null(tacos_survey_failure(survey, 3));
    assert_null(tacos_survey_key(survey, 0));
    tacos_survey_free(survey);
}

static void a_store_of_plans_has_no_rows(void **state) {
    Lab lab = lab_open(((Folder *)*state)->file);
    tacos_survey_level level;
    Survey *survey = look(*state);
    assert_null(tacos_survey_row_get(survey, 0));
    assert_null(tacos_survey_failure(survey, 0));
    tacos_survey_free(survey);
    plan(&lab, &(Entry){.key = "m_max", .value = "3"}, 1);
    plan(&lab, &(Entry){.key = "m_max", .value = "4"}, 1);
    lab_close(&lab);
    survey = look(*state);
    assert_null(tacos_survey_row_get(survey, 0));
    assert_null(tacos_survey_key(survey, 0));
    assert_null(tacos_survey_value(survey, 0, 0));
    assert_false(tacos_survey_level_get(survey, 0, 0, &level));
    assert_near(tacos_survey_share(survey, 0), 0);
    tacos_survey_free(survey);
    tacos_survey_free(NULL);
}

/* Somebody's own work on the file: strange, but no reason to fall over. */
static void a_store_without_keys_has_rows_all_the_same(void **state) {
    static const Entry entries[] = {
        {.key = "m_max", .value = "1", .MA = 60},
        {.key = "m_max", .value = "2", .MA = 70},
    };
    tacos_survey_free(SURVEY_OF(*state, entries));
    sql(*state, "DELETE FROM setting");
    Survey *survey = look(*state);
    assert_int_equal(count_rows(survey), 2);
    assert_near(tacos_survey_row_get(survey, 0)->MA.mean, 70);
    assert_int_equal(tacos_survey_row_get(survey, 0)->stopped, 0);
    assert_null(tacos_survey_key(survey, 0));
    tacos_survey_free(survey);
}

static void what_is_no_store_is_refused(void **state) {
    const Folder *folder = *state;
    Survey *survey = &(Survey){0};
    tacos_error err;
    assert_fails(tacos_survey_open(&survey, folder->file, &err), TACOS_MISSING);
    assert_null(survey);
    assert_says(err, folder->file);
    write_bytes(folder->file, "just a few words, more than a header's worth of them", 52);
    assert_fails(tacos_survey_open(&survey, folder->file, &err), TACOS_FORMAT);
    assert_null(survey);
    write_bytes(folder->file, "", 0);
    assert_fails(tacos_survey_open(&survey, folder->file, &err), TACOS_FORMAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(rows_come_by_mean_accuracy),
        IN_FOLDER(the_order_is_of_the_content),
        IN_FOLDER(a_row_is_the_mean_over_complete_runs),
        IN_FOLDER(many_seeds),
        IN_FOLDER(keys_that_vary_come_as_in_the_tables),
        IN_FOLDER(lists_of_numbers_are_a_column_each),
        IN_FOLDER(keys_of_newer_and_older_programs),
        IN_FOLDER(the_share_of_a_key),
        IN_FOLDER(nothing_is_nobodys_share),
        IN_FOLDER(eight_numbers_are_levels_and_nine_are_ranges),
        IN_FOLDER(ranges_keep_equal_values_together),
        IN_FOLDER(texts_are_never_ranges),
        cmocka_unit_test(fronts_by_hand),
        cmocka_unit_test(fronts_are_what_they_are_said_to_be),
        IN_FOLDER(a_rival_is_not_free),
        IN_FOLDER(one_task_has_no_transfer),
        IN_FOLDER(rows_tell_the_fronts_they_are_on),
        IN_FOLDER(the_silent_are_on_no_front),
        IN_FOLDER(what_went_on_is_left_out_and_what_did_not_is_stopped),
        IN_FOLDER(a_planned_stream_stops_but_replaces_nothing),
        IN_FOLDER(tasks_that_only_look_like_a_beginning),
        IN_FOLDER(failures_are_listed_also_of_what_is_no_row),
        IN_FOLDER(a_store_of_plans_has_no_rows),
        IN_FOLDER(a_store_without_keys_has_rows_all_the_same),
        IN_FOLDER(what_is_no_store_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
