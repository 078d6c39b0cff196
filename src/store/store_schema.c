/* store_schema.c - the tables and their upgrades. docs/store.md describes them. */
#include "store/store_inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "TACO": marks our files among other SQLite files. */
enum { APPLICATION_ID = 0x5441434f };

static const char version_1[] =
    "CREATE TABLE config ("
    "  id INTEGER PRIMARY KEY,"
    "  digest TEXT NOT NULL UNIQUE,"
    "  experiment TEXT NOT NULL);"
    "CREATE TABLE setting ("
    "  config INTEGER NOT NULL REFERENCES config,"
    "  key TEXT NOT NULL,"
    "  value TEXT NOT NULL,"
    "  PRIMARY KEY (config, key)) WITHOUT ROWID;"
    "CREATE TABLE data ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL,"
    "  crc32 TEXT NOT NULL,"
    "  train_images INTEGER NOT NULL,"
    "  test_images INTEGER NOT NULL,"
    "  UNIQUE (name, crc32));"
    "CREATE TABLE run ("
    "  id INTEGER PRIMARY KEY,"
    "  config INTEGER NOT NULL REFERENCES config,"
    "  data INTEGER NOT NULL REFERENCES data,"
    "  seed INTEGER NOT NULL,"
    "  status TEXT NOT NULL CHECK (status IN ('planned', 'complete', 'failed')),"
    "  error TEXT,"
    "  tasks INTEGER,"
    "  A REAL, MA REAL, BWT REAL, FWT REAL, FWT_gem REAL, forgetting REAL, MO REAL,"
    "  learning_samples INTEGER, learning_input_spikes INTEGER, learning_hidden_spikes INTEGER,"
    "  learning_output_spikes INTEGER, learning_error_spikes INTEGER,"
    "  learning_synaptic_events INTEGER, learning_error_updates INTEGER,"
    "  learning_decay_updates INTEGER,"
    "  predicting_samples INTEGER, predicting_input_spikes INTEGER,"
    "  predicting_hidden_spikes INTEGER, predicting_output_spikes INTEGER,"
    "  predicting_synaptic_events INTEGER,"
    "  model_bytes INTEGER, workspace_bytes INTEGER, baseline_bytes INTEGER,"
    "  model_digest TEXT,"
    "  train_seconds REAL, test_seconds REAL,"
    "  host TEXT, program_version TEXT, finished TEXT,"
    "  UNIQUE (config, data, seed));"
    "CREATE TABLE accuracy ("
    "  run INTEGER NOT NULL REFERENCES run,"
    "  after_task INTEGER NOT NULL,"
    "  task INTEGER NOT NULL,"
    "  percent REAL NOT NULL,"
    "  PRIMARY KEY (run, after_task, task)) WITHOUT ROWID;";

static const char version_2[] = "CREATE TABLE measure ("
                                "  run INTEGER NOT NULL REFERENCES run,"
                                "  name TEXT NOT NULL,"
                                "  after_task INTEGER NOT NULL,"
                                "  part INTEGER NOT NULL,"
                                "  value REAL NOT NULL,"
                                "  PRIMARY KEY (run, name, after_task, part)) WITHOUT ROWID;";

static const char version_3[] = "ALTER TABLE run ADD COLUMN learning_macs INTEGER;"
                                "ALTER TABLE run ADD COLUMN predicting_macs INTEGER;";

static const char version_4[] = "CREATE TABLE answer ("
                                "  run INTEGER NOT NULL REFERENCES run,"
                                "  after_task INTEGER NOT NULL,"
                                "  class INTEGER NOT NULL,"
                                "  answer INTEGER NOT NULL,"
                                "  samples INTEGER NOT NULL,"
                                "  PRIMARY KEY (run, after_task, class, answer)) WITHOUT ROWID;";

static const char *const steps[] = {version_1, version_2, version_3, version_4};

const StoreSchema store_schema = {steps, sizeof steps / sizeof *steps};

/* SQLite's codes, and the status each becomes. */
static const struct {
    int code;
    tacos_status status;
    const char *text;
} meanings[] = {
    {SQLITE_FULL, TACOS_IO, "the disk is full"},
    {SQLITE_NOTADB, TACOS_FORMAT, "it is not a store of results"},
    {SQLITE_CORRUPT, TACOS_FORMAT, "the file is damaged"},
    {SQLITE_BUSY, TACOS_BUSY, "it is in use by another program"},
    {SQLITE_LOCKED, TACOS_BUSY, "it is in use by another program"},
    {SQLITE_PROTOCOL, TACOS_BUSY, "it is in use by another program"},
    {SQLITE_NOMEM, TACOS_MEMORY, "there is no memory"},
    {SQLITE_READONLY, TACOS_IO, "it may not be written"},
};

tacos_status store_failure(sqlite3 *db, const char *path, const char *doing, tacos_error *err) {
    int code = db ? sqlite3_errcode(db) & 0xff : SQLITE_NOMEM;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].code == code)
            return failure(err, meanings[i].status, "cannot %s %.300s: %s", doing, path,
                           meanings[i].text);
    if (code == SQLITE_IOERR && sqlite3_system_errno(db) != 0) {
        errno = sqlite3_system_errno(db);
        return failure_errno(err, "cannot %s %.250s", doing, path);
    }
    return failure(err, TACOS_IO, "cannot %s %.250s: %.150s", doing, path, sqlite3_errmsg(db));
}

/* Read what identifies a store, in one statement: another process may be creating the store, and
 * all three must be from the same moment. */
static int read_marks(sqlite3 *db, int *id, int *version, int *n_tables) {
    static const char marks[] =
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version";
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(db, marks, -1, &query, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        *id = sqlite3_column_int(query, 0);
        *version = sqlite3_column_int(query, 1);
        *n_tables = sqlite3_column_int(query, 2);
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(query);
    return code;
}

tacos_status store_schema_version(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  int *out, tacos_error *err) {
    int id = 0, version = 0, n_tables = 0;
    if (read_marks(db, &id, &version, &n_tables) != SQLITE_OK)
        return store_failure(db, path, "read", err);
    if (id != APPLICATION_ID && (n_tables > 0 || id != 0 || version != 0))
        return failure(err, TACOS_FORMAT,
                       "%.300s is a database, but not a store of results; nothing was changed",
                       path);
    if (version > schema->n_steps)
        return failure(
            err, TACOS_VERSION,
            "%.300s was made by a newer version (store version %d; this one supports up to "
            "%d)",
            path, version, schema->n_steps);
    *out = version;
    return TACOS_OK;
}

tacos_status store_schema_upgrade(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  tacos_error *err) {
    char mark[128];
    int version = 0;
    TRY(store_schema_version(db, schema, path, &version, err));
    if (version == schema->n_steps)
        return TACOS_OK;
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                   APPLICATION_ID, schema->n_steps);
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int v = version; v < schema->n_steps && code == SQLITE_OK; v++)
        code = sqlite3_exec(db, schema->steps[v], NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, mark, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return TACOS_OK;
    tacos_status status = store_failure(db, path, "write", err);
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
