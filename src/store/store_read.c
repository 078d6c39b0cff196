/* store_read.c - reads runs, rows and keys from a store. */
#include "base/array.h"
#include "lab/confusion.h"
#include "lab/results.h"
#include "store/store_inside.h"

#include <stdlib.h>
#include <string.h>

static tacos_status fail_incomplete(const Store *store, int64_t row, tacos_error *err) {
    return failure(err, TACOS_MISSING, "run %lld of %.300s is not complete", (long long)row,
                   store->path);
}

static tacos_status read_numbers(Store *store, int64_t row, RunNumbers *out, uint32_t *seed,
                                 tacos_error *err) {
    sqlite3_stmt *query;
    bool found = false;
    TRY(store_prepare(store, READ_RUN, &query, err));
    (void)sqlite3_bind_int64(query, 1, row);
    TRY(store_fetch(store, query, &found, err));
    if (!found)
        return fail_incomplete(store, row, err);
    columns_read(query, out);
    *seed = (uint32_t)sqlite3_column_int64(query, N_COLUMNS);
    tacos_status status =
        sqlite3_errcode(store->db) == SQLITE_NOMEM ? store_fail_sql(store, "read", err) : TACOS_OK;
    (void)sqlite3_reset(query);
    return status;
}

tacos_status store_final_ma(Store *store, int64_t row, double *out, tacos_error *err) {
    sqlite3_stmt *query;
    bool found = false;
    TRY(store_prepare(store, READ_MA, &query, err));
    (void)sqlite3_bind_int64(query, 1, row);
    TRY(store_fetch(store, query, &found, err));
    *out = found ? sqlite3_column_double(query, 0) : -1;
    (void)sqlite3_reset(query);
    return found ? TACOS_OK : fail_incomplete(store, row, err);
}

/* Others may have edited the file, so check that no number is missing. */
static tacos_status read_accuracy(Store *store, int64_t row, size_t n, double *R, double *b,
                                  tacos_error *err) {
    sqlite3_stmt *query;
    size_t n_read = 0;
    bool found = true;
    TRY(store_prepare(store, READ_ACCURACY, &query, err));
    (void)sqlite3_bind_int64(query, 1, row);
    for (;; n_read++) {
        TRY(store_fetch(store, query, &found, err));
        if (!found)
            break;
        sqlite3_int64 k = sqlite3_column_int64(query, 0), t = sqlite3_column_int64(query, 1) - 1;
        if (k < 0 || (size_t)k > n || t < 0 || (size_t)t >= n)
            break;
        *(k == 0 ? &b[t] : &R[((size_t)k - 1) * n + (size_t)t]) = sqlite3_column_double(query, 2);
    }
    (void)sqlite3_reset(query);
    if (n_read != n * (n + 1))
        return failure(err, TACOS_FORMAT, "%.300s is damaged: accuracies of run %lld are missing",
                       store->path, (long long)row);
    return TACOS_OK;
}

static tacos_status read_arrays(Store *store, int64_t row, tacos_run *run, tacos_error *err) {
    size_t n = run->n_tasks;
    double *R = calloc(n * n, sizeof *R), *b = calloc(n, sizeof *b);
    tacos_metrics *after = calloc(n, sizeof *after);
    run->R = R;
    run->b = b;
    run->after = after;
    if (!R || !b || !after)
        return failure(err, TACOS_MEMORY, "no memory for the results of a run");
    TRY(read_accuracy(store, row, n, R, b, err));
    for (size_t k = 0; k < n; k++)
        after[k] = metrics_after(R, b, n, k);
    return TACOS_OK;
}

/* The kind of a measure by name; false if only a newer program knows it. */
static bool find_kind(const char *name, tacos_measure_kind *out) {
    for (int kind = 0; tacos_measure_name((tacos_measure_kind)kind); kind++)
        if (strcmp(tacos_measure_name((tacos_measure_kind)kind), name) == 0) {
            *out = (tacos_measure_kind)kind;
            return true;
        }
    return false;
}

static tacos_status read_measures(Store *store, int64_t row, tacos_run *run, tacos_error *err) {
    sqlite3_stmt *query;
    tacos_measure *measures = NULL;
    size_t n = 0, room = 0;
    bool found = true;
    TRY(store_prepare(store, READ_MEASURES, &query, err));
    (void)sqlite3_bind_int64(query, 1, row);
    tacos_status status = store_fetch(store, query, &found, err);
    while (status == TACOS_OK && found) {
        tacos_measure measure = {.after_task = (uint32_t)sqlite3_column_int64(query, 1),
                                 .part = (uint32_t)sqlite3_column_int64(query, 2),
                                 .value = sqlite3_column_double(query, 3)};
        if (!array_grow(&measures, &room, n + 1, sizeof *measures)) {
            status = failure(err, TACOS_MEMORY, "no memory for the results of a run");
            break;
        }
        if (find_kind(column_text(query, 0), &measure.kind))
            measures[n++] = measure;
        status = store_fetch(store, query, &found, err);
    }
    (void)sqlite3_reset(query);
    run->measures = measures;
    run->n_measures = n;
    return status;
}

/* A damaged store may hold anything. */
static bool is_count(sqlite3_stmt *query) {
    return sqlite3_column_int64(query, 0) >= 0 && sqlite3_column_int64(query, 0) <= TASKS_MAX &&
           sqlite3_column_int64(query, 1) >= 0 && sqlite3_column_int64(query, 1) < CLASSES_MAX &&
           sqlite3_column_int64(query, 2) >= -1 && sqlite3_column_int64(query, 2) < CLASSES_MAX &&
           sqlite3_column_int64(query, 3) > 0 && sqlite3_column_int64(query, 3) <= UINT32_MAX;
}

static tacos_status read_answers(Store *store, int64_t row, tacos_run *run, tacos_error *err) {
    sqlite3_stmt *query;
    tacos_answer_count *answers = NULL;
    size_t n = 0, room = 0;
    bool found = true;
    TRY(store_prepare(store, READ_ANSWERS, &query, err));
    (void)sqlite3_bind_int64(query, 1, row);
    tacos_status status = store_fetch(store, query, &found, err);
    while (status == TACOS_OK && found && n < ANSWERS_MAX) {
        if (!array_grow(&answers, &room, n + 1, sizeof *answers)) {
            status = failure(err, TACOS_MEMORY, "no memory for the results of a run");
            break;
        }
        if (is_count(query))
            answers[n++] = (tacos_answer_count){
                (uint32_t)sqlite3_column_int64(query, 0), (uint32_t)sqlite3_column_int64(query, 1),
                (int32_t)sqlite3_column_int64(query, 2), (uint32_t)sqlite3_column_int64(query, 3)};
        status = store_fetch(store, query, &found, err);
    }
    (void)sqlite3_reset(query);
    run->answers = answers;
    run->n_answers = n;
    return status;
}

tacos_status store_read(Store *store, int64_t row, tacos_run *out, tacos_error *err) {
    RunNumbers numbers = {0};
    tacos_run run = {0};
    TRY(read_numbers(store, row, &numbers, &run.seed, err));
    if (numbers.n_tasks == 0 || numbers.n_tasks > TASKS_MAX)
        return failure(err, TACOS_FORMAT, "%.300s is damaged: run %lld has %zu tasks", store->path,
                       (long long)row, numbers.n_tasks);
    run.n_tasks = numbers.n_tasks;
    run.stats = numbers.stats;
    run.model_digest = numbers.model_digest;
    run.memory_overhead = numbers.memory_overhead;
    run.train_seconds = numbers.train_seconds;
    run.test_seconds = numbers.test_seconds;
    tacos_status status = read_arrays(store, row, &run, err);
    if (status == TACOS_OK)
        status = read_measures(store, row, &run, err);
    if (status == TACOS_OK)
        status = read_answers(store, row, &run, err);
    if (status == TACOS_OK)
        *out = run;
    else
        run_free(&run);
    return status;
}

tacos_status store_find(Store *store, const Experiment *experiment, uint32_t seed, int64_t *row,
                        tacos_error *err) {
    char digest[SHA256_HEX_SIZE];
    sqlite3_stmt *query;
    bool found = false;
    experiment_digest(experiment, digest);
    TRY(store_prepare(store, FIND_COMPLETE, &query, err));
    (void)sqlite3_bind_text(query, 1, digest, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(query, 2, seed);
    TRY(store_fetch(store, query, &found, err));
    *row = found ? sqlite3_column_int64(query, 0) : 0;
    (void)sqlite3_reset(query);
    return TACOS_OK;
}

static void take_row(sqlite3_stmt *query, StoreRow *row) {
    RunNumbers numbers = {0};
    columns_read(query, &numbers);
    if (numbers.n_tasks > 0)
        metrics_undefine(&numbers.final, numbers.n_tasks, numbers.n_tasks - 1);
    *row = (StoreRow){
        .config = sqlite3_column_int64(query, N_COLUMNS),
        .experiment = column_text(query, N_COLUMNS + 1),
        .digest = column_text(query, N_COLUMNS + 2),
        .seed = (uint32_t)sqlite3_column_int64(query, N_COLUMNS + 3),
        .status = column_text(query, N_COLUMNS + 4),
        .error = column_text(query, N_COLUMNS + 5),
        .n_tasks = numbers.n_tasks,
        .final = numbers.final,
        .stats = numbers.stats,
        .memory_overhead = numbers.memory_overhead,
        .train_seconds = numbers.train_seconds,
        .test_seconds = numbers.test_seconds,
        .silent = sqlite3_column_double(query, N_COLUMNS + 6),
    };
}

static tacos_status each(Store *store, const char *sql,
                         tacos_status (*take)(sqlite3_stmt *query, void *context, tacos_error *err),
                         void *context, tacos_error *err) {
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &query, NULL) != SQLITE_OK)
        return store_fail_sql(store, "read", err);
    bool found = true;
    tacos_status status = store_fetch(store, query, &found, err);
    while (status == TACOS_OK && found) {
        status = take(query, context, err);
        if (status == TACOS_OK)
            status = store_fetch(store, query, &found, err);
    }
    (void)sqlite3_finalize(query);
    return status;
}

typedef struct Visit {
    StoreRowVisit *row;
    StoreKeyVisit *key;
    void *user;
} Visit;

static tacos_status visit_row(sqlite3_stmt *query, void *context, tacos_error *err) {
    const Visit *visit = context;
    StoreRow row;
    take_row(query, &row);
    return visit->row(visit->user, &row, err);
}

tacos_status store_each_row(Store *store, StoreRowVisit *visit, void *user, tacos_error *err) {
    char sql[SQL_SIZE] = "SELECT ";
    Visit context = {.row = visit, .user = user};
    columns_list(sql, "");
    strcat(sql, ", config, experiment, digest, seed, status, error,"
                " (SELECT value FROM measure WHERE measure.run = run.id AND name = 'silent')"
                " FROM run JOIN config ON config.id = run.config"
                " WHERE data = (SELECT max(data) FROM run AS r WHERE r.config = run.config)"
                " ORDER BY config, seed");
    return each(store, sql, visit_row, &context, err);
}

static tacos_status visit_key(sqlite3_stmt *query, void *context, tacos_error *err) {
    const Visit *visit = context;
    return visit->key(visit->user, sqlite3_column_int64(query, 0), column_text(query, 1),
                      column_text(query, 2), err);
}

tacos_status store_each_key(Store *store, StoreKeyVisit *visit, void *user, tacos_error *err) {
    Visit context = {.key = visit, .user = user};
    return each(store, "SELECT config, key, value FROM setting ORDER BY config, key", visit_key,
                &context, err);
}

typedef struct Only {
    char digest[SHA256_HEX_SIZE];
    bool only;
} Only;

static tacos_status compare_digest(sqlite3_stmt *query, void *context, tacos_error *err) {
    Only *only = context;
    (void)err;
    only->only &= strcmp(column_text(query, 0), only->digest) == 0;
    return TACOS_OK;
}

tacos_status store_holds_only(Store *store, const Experiment *experiment, bool *out,
                              tacos_error *err) {
    Only only = {.only = true};
    experiment_digest(experiment, only.digest);
    TRY(each(store, "SELECT digest FROM config", compare_digest, &only, err));
    *out = only.only;
    return TACOS_OK;
}
