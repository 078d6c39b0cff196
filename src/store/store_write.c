/* store_write.c - writes planned, complete and failed runs to a store. */
#include "lab/results.h"
#include "store/store_inside.h"

#include <string.h>

tacos_status store_begin(Store *store, tacos_error *err) {
    return store_execute(store, "BEGIN IMMEDIATE", err);
}

tacos_status store_commit(Store *store, tacos_error *err) {
    return store_execute(store, "COMMIT", err);
}

void store_abandon(Store *store) {
    store->digest[0] = '\0'; /* its row may be rolled back */
    if (!sqlite3_get_autocommit(store->db))
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

typedef struct Settings {
    Store *store;
    tacos_status status;
    tacos_error *err;
} Settings;

static tacos_status add_setting(Store *store, const char *key, const char *value,
                                tacos_error *err) {
    sqlite3_stmt *add;
    TRY(store_prepare(store, ADD_SETTING, &add, err));
    (void)sqlite3_bind_int64(add, 1, store->config);
    (void)sqlite3_bind_text(add, 2, key, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(add, 3, value, -1, SQLITE_STATIC);
    return store_finish(store, add, err);
}

static void visit_setting(void *user, const ExperimentKey *found, const char *value) {
    Settings *settings = user;
    const Key *key = found->key;
    if (settings->status == TACOS_OK && !experiment_derives(key->name))
        settings->status = add_setting(settings->store, key->name, value, settings->err);
}

static tacos_status add_config(Store *store, const Experiment *experiment, const char *digest,
                               tacos_error *err) {
    sqlite3_stmt *add;
    Settings settings = {store, TACOS_OK, err};
    TRY(store_prepare(store, ADD_CONFIG, &add, err));
    (void)sqlite3_bind_text(add, 1, digest, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(add, 2, experiment->name, -1, SQLITE_STATIC);
    TRY(store_finish(store, add, err));
    store->config = sqlite3_last_insert_rowid(store->db);
    experiment_visit(experiment, visit_setting, &settings);
    return settings.status;
}

static tacos_status want_config(Store *store, const Experiment *experiment, tacos_error *err) {
    char digest[SHA256_HEX_SIZE];
    sqlite3_stmt *find;
    bool found = false;
    experiment_digest(experiment, digest);
    if (strcmp(digest, store->digest) == 0)
        return TACOS_OK;
    store->digest[0] = '\0';
    TRY(store_prepare(store, FIND_CONFIG, &find, err));
    (void)sqlite3_bind_text(find, 1, digest, -1, SQLITE_STATIC);
    TRY(store_fetch(store, find, &found, err));
    if (found)
        store->config = sqlite3_column_int64(find, 0);
    (void)sqlite3_reset(find);
    if (!found)
        TRY(add_config(store, experiment, digest, err));
    strcpy(store->digest, digest);
    return TACOS_OK;
}

static tacos_status want_data(Store *store, const StoreData *data, sqlite3_int64 *out,
                              tacos_error *err) {
    sqlite3_stmt *add, *find;
    char crc[16];
    bool found = false;
    (void)snprintf(crc, sizeof crc, "%08x", data->checksum);
    TRY(store_prepare(store, ADD_DATA, &add, err));
    (void)sqlite3_bind_text(add, 1, data->name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(add, 2, crc, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(add, 3, (sqlite3_int64)data->n_train);
    (void)sqlite3_bind_int64(add, 4, (sqlite3_int64)data->n_test);
    TRY(store_finish(store, add, err));
    TRY(store_prepare(store, FIND_DATA, &find, err));
    (void)sqlite3_bind_text(find, 1, data->name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(find, 2, crc, -1, SQLITE_STATIC);
    TRY(store_fetch(store, find, &found, err));
    *out = found ? sqlite3_column_int64(find, 0) : 0;
    (void)sqlite3_reset(find);
    return TACOS_OK;
}

tacos_status store_want(Store *store, const Experiment *experiment, const StoreData *data,
                        uint32_t seed, int64_t *row, bool *complete, tacos_error *err) {
    sqlite3_stmt *find, *add;
    sqlite3_int64 data_row = 0;
    bool found = false;
    TRY(want_config(store, experiment, err));
    TRY(want_data(store, data, &data_row, err));
    TRY(store_prepare(store, FIND_RUN, &find, err));
    (void)sqlite3_bind_int64(find, 1, store->config);
    (void)sqlite3_bind_int64(find, 2, data_row);
    (void)sqlite3_bind_int64(find, 3, seed);
    TRY(store_fetch(store, find, &found, err));
    *row = found ? sqlite3_column_int64(find, 0) : 0;
    *complete = found && sqlite3_column_int(find, 1);
    (void)sqlite3_reset(find);
    if (found)
        return TACOS_OK;
    TRY(store_prepare(store, ADD_RUN, &add, err));
    (void)sqlite3_bind_int64(add, 1, store->config);
    (void)sqlite3_bind_int64(add, 2, data_row);
    (void)sqlite3_bind_int64(add, 3, seed);
    TRY(store_finish(store, add, err));
    *row = sqlite3_last_insert_rowid(store->db);
    return TACOS_OK;
}

static tacos_status add_accuracy(Store *store, int64_t row, const tacos_run *run,
                                 tacos_error *err) {
    sqlite3_stmt *clear, *add;
    size_t n = run->n_tasks;
    TRY(store_prepare(store, CLEAR_ACCURACY, &clear, err));
    (void)sqlite3_bind_int64(clear, 1, row);
    TRY(store_finish(store, clear, err));
    for (size_t k = 0; k <= n; k++)
        for (size_t t = 0; t < n; t++) {
            TRY(store_prepare(store, ADD_ACCURACY, &add, err));
            (void)sqlite3_bind_int64(add, 1, row);
            (void)sqlite3_bind_int64(add, 2, (sqlite3_int64)k);
            (void)sqlite3_bind_int64(add, 3, (sqlite3_int64)t + 1);
            (void)sqlite3_bind_double(add, 4, k == 0 ? run->b[t] : run->R[(k - 1) * n + t]);
            TRY(store_finish(store, add, err));
        }
    return TACOS_OK;
}

static tacos_status add_measures(Store *store, int64_t row, const tacos_run *run,
                                 tacos_error *err) {
    sqlite3_stmt *clear, *add;
    TRY(store_prepare(store, CLEAR_MEASURES, &clear, err));
    (void)sqlite3_bind_int64(clear, 1, row);
    TRY(store_finish(store, clear, err));
    for (size_t i = 0; i < run->n_measures; i++) {
        const tacos_measure *measure = &run->measures[i];
        TRY(store_prepare(store, ADD_MEASURE, &add, err));
        (void)sqlite3_bind_int64(add, 1, row);
        (void)sqlite3_bind_text(add, 2, tacos_measure_name(measure->kind), -1, SQLITE_STATIC);
        (void)sqlite3_bind_int64(add, 3, measure->after_task);
        (void)sqlite3_bind_int64(add, 4, measure->part);
        (void)sqlite3_bind_double(add, 5, measure->value);
        TRY(store_finish(store, add, err));
    }
    return TACOS_OK;
}

static tacos_status add_answers(Store *store, int64_t row, const tacos_run *run, tacos_error *err) {
    sqlite3_stmt *clear, *add;
    TRY(store_prepare(store, CLEAR_ANSWERS, &clear, err));
    (void)sqlite3_bind_int64(clear, 1, row);
    TRY(store_finish(store, clear, err));
    for (size_t i = 0; i < run->n_answers; i++) {
        const tacos_answer_count *count = &run->answers[i];
        TRY(store_prepare(store, ADD_ANSWER, &add, err));
        (void)sqlite3_bind_int64(add, 1, row);
        (void)sqlite3_bind_int64(add, 2, count->after_task);
        (void)sqlite3_bind_int64(add, 3, count->label);
        (void)sqlite3_bind_int64(add, 4, count->answer);
        (void)sqlite3_bind_int64(add, 5, count->n);
        TRY(store_finish(store, add, err));
    }
    return TACOS_OK;
}

static tacos_status fill_in(Store *store, int64_t row, const tacos_run *run, const char *host,
                            tacos_error *err) {
    RunNumbers numbers = {
        .n_tasks = run->n_tasks,
        .final = run->after[run->n_tasks - 1],
        .memory_overhead = run->memory_overhead,
        .stats = run->stats,
        .model_digest = run->model_digest,
        .train_seconds = run->train_seconds,
        .test_seconds = run->test_seconds,
    };
    sqlite3_stmt *complete;
    TRY(store_prepare(store, COMPLETE_RUN, &complete, err));
    if (columns_bind(complete, &numbers) != SQLITE_OK)
        return store_fail_sql(store, "write", err);
    (void)sqlite3_bind_text(complete, N_COLUMNS + 1, host, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(complete, N_COLUMNS + 2, TACOS_VERSION_STRING, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(complete, N_COLUMNS + 3, row);
    TRY(store_finish(store, complete, err));
    TRY(add_accuracy(store, row, run, err));
    TRY(add_measures(store, row, run, err));
    return add_answers(store, row, run, err);
}

tacos_status store_complete(Store *store, int64_t row, const tacos_run *run, const char *host,
                            tacos_error *err) {
    TRY(store_begin(store, err));
    tacos_status status = fill_in(store, row, run, host, err);
    if (status == TACOS_OK)
        status = store_commit(store, err);
    if (status != TACOS_OK)
        store_abandon(store);
    return status;
}

tacos_status store_fail(Store *store, int64_t row, const tacos_error *why, const char *host,
                        tacos_error *err) {
    sqlite3_stmt *fail;
    TRY(store_prepare(store, FAIL_RUN, &fail, err));
    (void)sqlite3_bind_int64(fail, 1, row);
    (void)sqlite3_bind_text(fail, 2, why->text, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(fail, 3, host, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(fail, 4, TACOS_VERSION_STRING, -1, SQLITE_STATIC);
    return store_finish(store, fail, err);
}
