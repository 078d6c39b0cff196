/* store.h - the results of many runs in one SQLite file, written by one process at a time.
 *
 * A run is identified by the digest of its configuration, its data's checksum and its seed. Rows
 * are inserted in the plan's order before any run and filled in as runs end, so apart from times
 * and hosts a store depends on the plan alone. docs/store.md describes the tables. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "lab/experiment.h"
#include "tacos_lab.h"

typedef struct Store Store;

/* Open a store for writing. It is created if it does not exist, or if its creator was killed before
 * the tables were complete. ":memory:" is a temporary one. */
tacos_status store_open(Store **out, const char *path, tacos_error *err);

/* The same after removing the existing store, which no other process may have open. */
tacos_status store_open_anew(Store **out, const char *path, tacos_error *err);

/* Did it have no tables when it was opened? */
bool store_was_empty(const Store *store);

/* The same with a schema other than the program's, to test upgrades. */
struct StoreSchema;
tacos_status store_open_as(Store **out, const char *path, const struct StoreSchema *schema,
                           tacos_error *err);

/* Open an existing store for reading; others may be writing to it. */
tacos_status store_open_to_read(Store **out, const char *path, tacos_error *err);
void store_close(Store *store);

/* Close a store that is open for writing, and remove it. */
void store_discard(Store *store);

/* The suffixes of its files, besides "-lock" (base/files.h). NULL ends the list. */
extern const char *const store_file_endings[];

/* ---- writing ---- */

/* Group several store_want calls: all take effect, or none. */
tacos_status store_begin(Store *store, tacos_error *err);
tacos_status store_commit(Store *store, tacos_error *err);
void store_abandon(Store *store);

/* The data that runs were made on. */
typedef struct StoreData {
    const char *name;
    size_t n_train, n_test; /* images */
    uint32_t checksum;
} StoreData;

/* The row of a run, inserted if missing. */
tacos_status store_want(Store *store, const Experiment *experiment, const StoreData *data,
                        uint32_t seed, int64_t *row, bool *complete, tacos_error *err);

/* Fill in a row, in one transaction. */
tacos_status store_complete(Store *store, int64_t row, const tacos_run *run, const char *host,
                            tacos_error *err);
tacos_status store_fail(Store *store, int64_t row, const tacos_error *why, const char *host,
                        tacos_error *err);

/* ---- reading ---- */

/* The final MA of a complete run. */
tacos_status store_final_ma(Store *store, int64_t row, double *out, tacos_error *err);

/* A complete run with all its arrays; free it with run_free. */
tacos_status store_read(Store *store, int64_t row, tacos_run *out, tacos_error *err);

/* Does it hold no other configuration? */
tacos_status store_holds_only(Store *store, const Experiment *experiment, bool *out,
                              tacos_error *err);

/* The complete run of a configuration and seed, on the latest version of its data; 0: none. */
tacos_status store_find(Store *store, const Experiment *experiment, uint32_t seed, int64_t *row,
                        tacos_error *err);

/* A row without the arrays. Strings are valid during the visit only. */
typedef struct StoreRow {
    int64_t config;         /* the same for rows of the same configuration */
    const char *experiment; /* name */
    const char *digest;     /* of the configuration */
    uint32_t seed;
    const char *status;  /* "complete", "failed" or "planned" */
    const char *error;   /* why it failed, or "" */
    size_t n_tasks;      /* from here on, 0 unless it has completed */
    tacos_metrics final; /* after the last task */
    tacos_learner_stats stats;
    double memory_overhead;
    double train_seconds, test_seconds;
    double silent; /* percent; also 0 if not measured */
} StoreRow;

/* Visit all rows, by configuration and seed; if a configuration has runs on several versions of its
 * data, only those on the latest; or all keys, by configuration. A visit that returns anything
 * but TACOS_OK ends it. */
typedef tacos_status StoreRowVisit(void *user, const StoreRow *row, tacos_error *err);
tacos_status store_each_row(Store *store, StoreRowVisit *visit, void *user, tacos_error *err);
typedef tacos_status StoreKeyVisit(void *user, int64_t config, const char *key, const char *value,
                                   tacos_error *err);
tacos_status store_each_key(Store *store, StoreKeyVisit *visit, void *user, tacos_error *err);

#endif
