/* store_inside.h - internals shared by the files of the store. */
#ifndef STORE_STORE_INSIDE_H
#define STORE_STORE_INSIDE_H

#include "base/files.h"
#include "store/store.h"
#include "tacos_lab.h"

#include <sqlite3.h>
#include <stdbool.h>

/* ---- store_schema.c: the tables, version by version ---- */

/* Step k upgrades version k to version k + 1. Released steps never change; append new ones. */
typedef struct StoreSchema {
    const char *const *steps;
    int n_steps;
} StoreSchema;

extern const StoreSchema store_schema;

/* Check that this is a store and find its version; 0 is an empty file. */
tacos_status store_schema_version(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  int *out, tacos_error *err);

/* Upgrade a store to the schema's latest version, in one transaction. */
tacos_status store_schema_upgrade(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  tacos_error *err);

/* SQLite's error, as a status and a sentence. */
tacos_status store_failure(sqlite3 *db, const char *path, const char *doing, tacos_error *err);

/* ---- store_columns.c: the numbers of a run, as columns of its row ---- */

typedef struct RunNumbers {
    size_t n_tasks;
    tacos_metrics final;
    double memory_overhead;
    tacos_learner_stats stats;
    uint32_t model_digest;
    double train_seconds, test_seconds;
} RunNumbers;

enum { N_COLUMNS = 29, SQL_SIZE = 2048 };

/* Append "tasks, A, ..." to a statement, with a suffix after each name. */
void columns_list(char sql[SQL_SIZE], const char *behind);

/* To parameters 1 to N_COLUMNS of a statement, and from columns 0 to N_COLUMNS - 1 of a query.
 * Binding returns SQLite's code: it copies a string, for which memory may run out. */
int columns_bind(sqlite3_stmt *statement, const RunNumbers *numbers);
void columns_read(sqlite3_stmt *query, RunNumbers *out);

/* Text from a query's row; "" for NULL. Also "" if SQLite is out of memory, which its next step or
 * sqlite3_errcode reports. */
const char *column_text(sqlite3_stmt *query, int at);

/* ---- store.c: the connection ---- */

/* Statements used for every run are prepared once. */
typedef enum Statement {
    FIND_CONFIG,
    ADD_CONFIG,
    ADD_SETTING,
    ADD_DATA,
    FIND_DATA,
    FIND_RUN,
    ADD_RUN,
    COMPLETE_RUN, /* built from the columns */
    FAIL_RUN,
    CLEAR_ACCURACY,
    ADD_ACCURACY,
    CLEAR_MEASURES,
    ADD_MEASURE,
    READ_MEASURES,
    CLEAR_ANSWERS,
    ADD_ANSWER,
    READ_ANSWERS,
    READ_RUN, /* built from the columns */
    READ_ACCURACY,
    READ_MA,
    FIND_COMPLETE,
    N_STATEMENTS,
} Statement;

struct Store {
    char path[OUTPUT_PATH_MAX - 64];
    sqlite3 *db;
    LockFile lock;
    bool was_empty; /* when it was opened */
    sqlite3_stmt *statements[N_STATEMENTS];
    char digest[SHA256_HEX_SIZE]; /* of the last configuration looked up, with its row */
    sqlite3_int64 config;
};

/* Fails with "cannot DOING PATH: SQLite's message". */
tacos_status store_fail_sql(Store *store, const char *doing, tacos_error *err);

/* Run statements that return no rows. */
tacos_status store_execute(Store *store, const char *sql, tacos_error *err);

/* Reset a prepared statement, ready to bind. */
tacos_status store_prepare(Store *store, Statement which, sqlite3_stmt **out, tacos_error *err);

/* Step a statement that returns no rows. */
tacos_status store_finish(Store *store, sqlite3_stmt *statement, tacos_error *err);

/* Step a query: *found is false past the last row. */
tacos_status store_fetch(Store *store, sqlite3_stmt *query, bool *found, tacos_error *err);

#endif
