/* store.c - opens and closes a store, and prepares its statements. One connection, used by one
 * thread. */
#include "store/store_inside.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- statements ---- */

static const char *const statement_texts[N_STATEMENTS] = {
    [FIND_CONFIG] = "SELECT id FROM config WHERE digest = ?1",
    [ADD_CONFIG] = "INSERT INTO config (digest, experiment) VALUES (?1, ?2)",
    [ADD_SETTING] = "INSERT INTO setting VALUES (?1, ?2, ?3)",
    [ADD_DATA] = "INSERT OR IGNORE INTO data (name, crc32, train_images, test_images)"
                 " VALUES (?1, ?2, ?3, ?4)",
    [FIND_DATA] = "SELECT id FROM data WHERE name = ?1 AND crc32 = ?2",
    [FIND_RUN] = "SELECT id, status = 'complete' FROM run"
                 " WHERE config = ?1 AND data = ?2 AND seed = ?3",
    [ADD_RUN] = "INSERT INTO run (config, data, seed, status) VALUES (?1, ?2, ?3, 'planned')",
    [FAIL_RUN] = "UPDATE run SET status = 'failed', error = ?2, host = ?3, program_version = ?4,"
                 " finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
    [CLEAR_ACCURACY] = "DELETE FROM accuracy WHERE run = ?1",
    [ADD_ACCURACY] = "INSERT INTO accuracy VALUES (?1, ?2, ?3, ?4)",
    [CLEAR_MEASURES] = "DELETE FROM measure WHERE run = ?1",
    [ADD_MEASURE] = "INSERT INTO measure VALUES (?1, ?2, ?3, ?4, ?5)",
    [READ_MEASURES] = "SELECT name, after_task, part, value FROM measure WHERE run = ?1"
                      " ORDER BY after_task, name, part",
    [CLEAR_ANSWERS] = "DELETE FROM answer WHERE run = ?1",
    [ADD_ANSWER] = "INSERT INTO answer VALUES (?1, ?2, ?3, ?4, ?5)",
    [READ_ANSWERS] = "SELECT after_task, class, answer, samples FROM answer WHERE run = ?1"
                     " ORDER BY after_task, class, answer",
    [FIND_COMPLETE] = "SELECT run.id FROM run JOIN config ON config.id = run.config"
                      " WHERE digest = ?1 AND seed = ?2 AND status = 'complete'"
                      " ORDER BY data DESC LIMIT 1",
    [READ_MA] = "SELECT MA FROM run WHERE id = ?1 AND status = 'complete'",
    [READ_ACCURACY] = "SELECT after_task, task, percent FROM accuracy WHERE run = ?1",
};

tacos_status store_fail_sql(Store *store, const char *doing, tacos_error *err) {
    return store_failure(store->db, store->path, doing, err);
}

tacos_status store_prepare(Store *store, Statement which, sqlite3_stmt **out, tacos_error *err) {
    char sql[SQL_SIZE] = "";
    if (!store->statements[which]) {
        if (which == COMPLETE_RUN) {
            strcpy(sql, "UPDATE run SET ");
            columns_list(sql, " = ?");
            strcat(sql, ", status = 'complete', error = NULL, host = ?, program_version = ?,"
                        " finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?");
        } else if (which == READ_RUN) {
            strcpy(sql, "SELECT ");
            columns_list(sql, "");
            strcat(sql, ", seed FROM run WHERE id = ?1 AND status = 'complete'");
        } else {
            strcpy(sql, statement_texts[which]);
        }
        if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[which], NULL) != SQLITE_OK)
            return store_fail_sql(store, "use", err);
    }
    *out = store->statements[which];
    (void)sqlite3_reset(*out);
    return TACOS_OK;
}

tacos_status store_finish(Store *store, sqlite3_stmt *statement, tacos_error *err) {
    tacos_status status = TACOS_OK;
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = store_fail_sql(store, "write", err);
    (void)sqlite3_reset(statement);
    return status;
}

tacos_status store_fetch(Store *store, sqlite3_stmt *query, bool *found, tacos_error *err) {
    int code = sqlite3_step(query);
    *found = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? TACOS_OK
                                                     : store_fail_sql(store, "read", err);
}

tacos_status store_execute(Store *store, const char *sql, tacos_error *err) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? TACOS_OK
               : store_fail_sql(store, "write", err);
}

/* ---- open and close ---- */

const char *const store_file_endings[] = {"", "-wal", "-shm", "-journal", NULL};

static void close_connection(Store *store) {
    for (size_t s = 0; s < N_STATEMENTS; s++) {
        (void)sqlite3_finalize(store->statements[s]);
        store->statements[s] = NULL;
    }
    (void)sqlite3_close(store->db);
    store->db = NULL;
}

void store_close(Store *store) {
    if (!store)
        return;
    close_connection(store);
    lockfile_release(&store->lock);
    free(store);
}

static tacos_status store_new(Store **out, const char *path, tacos_error *err) {
    Store *store = calloc(1, sizeof *store);
    if (!store)
        return failure(err, TACOS_MEMORY, "no memory for a store");
    store->lock.fd = -1;
    if (path[0] == '\0' || strlen(path) + 8 >= sizeof store->path) {
        free(store);
        return failure(err, TACOS_INVALID, "'%.100s' is not a valid path for a store", path);
    }
    strcpy(store->path, path);
    *out = store;
    return TACOS_OK;
}

static tacos_status connect(Store *store, int flags, tacos_error *err) {
    enum { WAIT_FOR_READERS_MS = 5000 };
    if (sqlite3_open_v2(store->path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return store_fail_sql(store, "open", err);
    (void)sqlite3_busy_timeout(store->db, WAIT_FOR_READERS_MS);
    return TACOS_OK;
}

static tacos_status take_lock(Store *store, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    struct stat info;
    strcpy(path, store->path);
    TRY(output_make_folder(dirname(path), err));
    if (stat(store->path, &info) == 0 && !S_ISREG(info.st_mode))
        return failure(err, TACOS_FORMAT, "%.300s is not a file", store->path);
    return lockfile_take(&store->lock, store->path, err);
}

/* Remove SQLite's files; the lock must be held. */
static tacos_status remove_files(const char *path, tacos_error *err) {
    char file[OUTPUT_PATH_MAX];
    for (size_t i = 0; store_file_endings[i]; i++) {
        (void)snprintf(file, sizeof file, "%s%s", path, store_file_endings[i]);
        if (unlink(file) != 0 && errno != ENOENT)
            return failure_errno(err, "cannot remove %s", file);
    }
    return TACOS_OK;
}

/* A killed process loses nothing it has committed; after a power failure the last runs may be lost,
 * and are then run again. */
static tacos_status open_to_write(Store *store, const StoreSchema *schema, bool anew,
                                  tacos_error *err) {
    int version = 0;
    if (strcmp(store->path, ":memory:") != 0)
        TRY(take_lock(store, err));
    if (anew)
        TRY(remove_files(store->path, err));
    TRY(connect(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err));
    TRY(store_schema_version(store->db, schema, store->path, &version, err));
    store->was_empty = version == 0;
    TRY(store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", err));
    return store_schema_upgrade(store->db, schema, store->path, err);
}

void store_discard(Store *store) {
    close_connection(store);
    if (store->lock.fd >= 0)
        (void)remove_files(store->path, NULL);
    store_close(store);
}

static tacos_status store_make(Store **out, const char *path, const StoreSchema *schema, bool anew,
                               tacos_error *err) {
    Store *store;
    TRY(store_new(&store, path, err));
    tacos_status status = open_to_write(store, schema, anew, err);
    if (status == TACOS_OK)
        *out = store;
    else if (store->was_empty)
        store_discard(store);
    else
        store_close(store);
    return status;
}

tacos_status store_open_as(Store **out, const char *path, const StoreSchema *schema,
                           tacos_error *err) {
    return store_make(out, path, schema, false, err);
}

tacos_status store_open(Store **out, const char *path, tacos_error *err) {
    return store_make(out, path, &store_schema, false, err);
}

tacos_status store_open_anew(Store **out, const char *path, tacos_error *err) {
    return store_make(out, path, &store_schema, true, err);
}

bool store_was_empty(const Store *store) {
    return store->was_empty;
}

static tacos_status open_to_read(Store *store, int *version, tacos_error *err) {
    struct stat info;
    if (stat(store->path, &info) != 0)
        return failure_errno(err, "cannot read %s", store->path);
    if (!S_ISREG(info.st_mode))
        return failure(err, TACOS_FORMAT, "%.300s is not a file", store->path);
    /* Not SQLITE_OPEN_READONLY, which would leave SQLite's log behind; a file without write
     * permission opens all the same. */
    TRY(connect(store, SQLITE_OPEN_READWRITE, err));
    (void)sqlite3_exec(store->db, "PRAGMA query_only = ON", NULL, NULL, NULL);
    TRY(store_schema_version(store->db, &store_schema, store->path, version, err));
    if (*version == 0)
        return failure(err, TACOS_FORMAT, "%.300s is empty: it holds no results yet", store->path);
    return TACOS_OK;
}

tacos_status store_open_to_read(Store **out, const char *path, tacos_error *err) {
    Store *store, *upgraded;
    int version = 0;
    TRY(store_new(&store, path, err));
    tacos_status status = open_to_read(store, &version, err);
    if (status == TACOS_OK && version == store_schema.n_steps) {
        *out = store;
        return TACOS_OK;
    }
    store_close(store);
    TRY(status);
    TRY(store_open(&upgraded, path, err));
    store_close(upgraded);
    return store_open_to_read(out, path, err);
}
