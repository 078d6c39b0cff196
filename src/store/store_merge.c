/* store_merge.c - copies runs from other stores, such as those of the parts of a plan. */
#include "store/store_inside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one other store, attached as `other` ---- */

/* Rows that are missing, in the other's order, which is that of the plan. */
static const char add_rows[] =
    "INSERT OR IGNORE INTO main.config (digest, experiment)"
    " SELECT digest, experiment FROM other.config ORDER BY id;"
    "INSERT OR IGNORE INTO main.data (name, crc32, train_images, test_images)"
    " SELECT name, crc32, train_images, test_images FROM other.data ORDER BY id;"
    "INSERT OR IGNORE INTO main.setting SELECT ours.id, key, value FROM other.setting"
    " JOIN other.config AS theirs ON theirs.id = setting.config"
    " JOIN main.config AS ours ON ours.digest = theirs.digest;"
    "INSERT OR IGNORE INTO main.run (config, data, seed, status)"
    " SELECT c.id, d.id, seed, 'planned' FROM other.run"
    " JOIN other.config AS oc ON oc.id = run.config JOIN main.config AS c ON c.digest = oc.digest"
    " JOIN other.data AS od ON od.id = run.data"
    " JOIN main.data AS d ON d.name = od.name AND d.crc32 = od.crc32 ORDER BY run.id;";

/* The runs to copy: our row and theirs. A complete run replaces a failed one. */
static const char list_runs[] =
    "CREATE TEMP TABLE copied AS SELECT ours.id AS ours, theirs.id AS theirs"
    " FROM other.run AS theirs"
    " JOIN other.config AS oc ON oc.id = theirs.config JOIN main.config AS c ON c.digest = oc.digest"
    " JOIN other.data AS od ON od.id = theirs.data"
    " JOIN main.data AS d ON d.name = od.name AND d.crc32 = od.crc32"
    " JOIN main.run AS ours ON ours.config = c.id AND ours.data = d.id AND ours.seed = theirs.seed"
    " WHERE (theirs.status = 'complete' AND ours.status <> 'complete')"
    " OR (theirs.status = 'failed' AND ours.status = 'planned');"
    "CREATE UNIQUE INDEX temp.copied_ours ON copied (ours);";

static const char copy_details[] =
    "INSERT OR REPLACE INTO main.accuracy SELECT ours, after_task, task, percent"
    " FROM temp.copied JOIN other.accuracy ON run = theirs;"
    "INSERT OR REPLACE INTO main.measure SELECT ours, name, after_task, part, value"
    " FROM temp.copied JOIN other.measure ON run = theirs;"
    "INSERT OR REPLACE INTO main.answer SELECT ours, after_task, class, answer, samples"
    " FROM temp.copied JOIN other.answer ON run = theirs;"
    "DROP TABLE temp.copied;";

static int execute(Store *store, const char *sql) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL);
}

static int copy_runs(Store *store) {
    char columns[SQL_SIZE] = "", sql[3 * SQL_SIZE];
    columns_list(columns, "");
    strcat(columns, ", status, error, host, program_version, finished");
    (void)snprintf(sql, sizeof sql,
                   "UPDATE main.run SET (%s) = (SELECT %s FROM other.run JOIN temp.copied"
                   " ON theirs = other.run.id WHERE ours = main.run.id)"
                   " WHERE id IN (SELECT ours FROM temp.copied);",
                   columns, columns);
    return execute(store, sql);
}

static int copy_all(Store *store) {
    int code = execute(store, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
        code = execute(store, add_rows);
    if (code == SQLITE_OK)
        code = execute(store, list_runs);
    if (code == SQLITE_OK)
        code = copy_runs(store);
    if (code == SQLITE_OK)
        code = execute(store, copy_details);
    return code == SQLITE_OK ? execute(store, "COMMIT") : code;
}

static int attach(Store *store, const char *path) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, "ATTACH ?1 AS other", -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(store->db);
    (void)sqlite3_finalize(statement);
    return code;
}

static tacos_status copy_from(Store *store, const char *path, tacos_error *err) {
    tacos_status status = TACOS_OK;
    if (attach(store, path) != SQLITE_OK || copy_all(store) != SQLITE_OK)
        status = store_failure(store->db, path, "merge", err);
    store_abandon(store); /* what is unfinished */
    (void)execute(store, "DETACH other");
    return status;
}

/* ---- all of them ---- */

/* It is a store, which is upgraded if it is an older one, and another one than that to write. */
static tacos_status check_other(const char *store, const char *other, tacos_error *err) {
    struct stat ours, theirs;
    Store *opened;
    TRY(store_open_to_read(&opened, other, err));
    store_close(opened);
    if (stat(store, &ours) == 0 && stat(other, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
        ours.st_ino == theirs.st_ino)
        return failure(err, TACOS_INVALID, "%.300s cannot be merged into itself", other);
    return TACOS_OK;
}

static tacos_status count_runs(Store *store, tacos_store_counts *out, tacos_error *err) {
    static const char sql[] = "SELECT total(status = 'complete'), total(status = 'failed'),"
                              " total(status = 'planned') FROM run";
    sqlite3_stmt *query = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(store->db, sql, -1, &query, NULL) != SQLITE_OK)
        return store_fail_sql(store, "read", err);
    tacos_status status = store_fetch(store, query, &found, err);
    if (status == TACOS_OK && found)
        *out = (tacos_store_counts){(size_t)sqlite3_column_int64(query, 0),
                                    (size_t)sqlite3_column_int64(query, 1),
                                    (size_t)sqlite3_column_int64(query, 2)};
    (void)sqlite3_finalize(query);
    return status;
}

static tacos_status merge_all(Store *store, const char *const *others, size_t n,
                              tacos_store_counts *out, tacos_error *err) {
    TRY(store_execute(store, "PRAGMA temp_store = MEMORY", err));
    for (size_t i = 0; i < n; i++)
        TRY(copy_from(store, others[i], err));
    return count_runs(store, out, err);
}

tacos_status tacos_store_merge(const char *path, const char *const *others, size_t n,
                               tacos_store_counts *out, tacos_error *err) {
    Store *store;
    *out = (tacos_store_counts){0};
    for (size_t i = 0; i < n; i++)
        TRY(check_other(path, others[i], err));
    TRY(store_open(&store, path, err));
    tacos_status status = merge_all(store, others, n, out, err);
    if (status != TACOS_OK && store_was_empty(store))
        store_discard(store);
    else
        store_close(store);
    return status;
}
