/* store.h - the results of many runs in one SQLite file, written by one process at a time.
 *
 * A run is known by the digest of its configuration, its data's checksum and its seed. Rows are
 * made in the plan's order before the work and filled in as runs end, so that a store depends on
 * nothing but the plan, apart from times and hosts. docs/store.md describes the tables. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "lab/experiment.h"
#include "tacos_lab.h"

typedef struct Store Store;

/* Open a store to write, and make it if it is not there, or if whoever was making it was killed
 * before the tables were. ":memory:" is one that goes away. */
tacos_status store_open(Store **out, const char *path, tacos_error *err);

/* The same after removing what is there, which nobody else may have open. */
tacos_status store_open_anew(Store **out, const char *path, tacos_error *err);

/* Had it no tables yet when it was opened? */
bool store_was_empty(const Store *store);

/* The same with another schema than the program's own: for tests of upgrades. */
struct StoreSchema;
tacos_status store_open_as(Store **out, const char *path, const struct StoreSchema *schema,
                           tacos_error *err);

/* Open a store that is there to read; others may be writing to it. */
tacos_status store_open_to_read(Store **out, const char *path, tacos_error *err);
void store_close(Store *store);

/* Close a store that is open to write, and remove it. */
void store_discard(Store *store);

/* What its files are called: these behind its path, and "-lock" (base/files.h). NULL ends it. */
extern const char *const store_file_endings[];

/* ---- writing ---- */

/* Many wishes at once, all or none. */
tacos_status store_begin(Store *store, tacos_error *err);
tacos_status store_commit(Store *store, tacos_error *err);
void store_abandon(Store *store);

/* The data that runs were made on. */
typedef struct StoreData {
    const char *name;
    size_t n_train, n_test; /* images */
    uint32_t checksum;
} StoreData;

/* The row of a run, made if it is not there. */
tacos_status store_want(Store *store, const Experiment *experiment, const StoreData *data,
                        uint32_t seed, int64_t *row, bool *complete, tacos_error *err);

/* Fill in a row: one transaction. */
tacos_status store_complete(Store *store, int64_t row, const tacos_run *run, const char *host,
                            tacos_error *err);
tacos_status store_fail(Store *store, int64_t row, const tacos_error *why, const char *host,
                        tacos_error *err);

/* ---- reading ---- */

/* The final MA of a complete run. */
tacos_status store_final_ma(Store *store, int64_t row, double *out, tacos_error *err);

/* A complete run, with all its arrays: run_free. */
tacos_status store_read(Store *store, int64_t row, tacos_run *out, tacos_error *err);

/* Is there nothing in it of any other configuration? */
tacos_status store_holds_only(Store *store, const Experiment *experiment, bool *out,
                              tacos_error *err);

/* The complete run of a configuration and seed, on the last edition of its data; 0: there is none.
 */
tacos_status store_find(Store *store, const Experiment *experiment, uint32_t seed, int64_t *row,
                        tacos_error *err);

/* What a row says, without the arrays. Texts are valid during the visit only. */
typedef struct StoreRow {
    int64_t config;         /* the same for rows of the same configuration */
    const char *experiment; /* name */
    const char *digest;     /* of the configuration */
    uint32_t seed;
    const char *status;  /* "complete", "failed" or "planned" */
    const char *error;   /* why it failed, or "" */
    size_t n_tasks;      /* from here on 0 unless complete once */
    tacos_metrics final; /* after the last task */
    tacos_learner_stats stats;
    double memory_overhead;
    double train_seconds, test_seconds;
    double silent; /* percent; 0 also if it was not measured */
} StoreRow;

/* Visit all rows, by configuration and seed, where a configuration has runs on several editions of
 * its data those of the last; and all keys of all configurations, by configuration.
 * Anything but TACOS_OK from a visit ends it. */
typedef tacos_status StoreRowVisit(void *user, const StoreRow *row, tacos_error *err);
tacos_status store_each_row(Store *store, StoreRowVisit *visit, void *user, tacos_error *err);
typedef tacos_status StoreKeyVisit(void *user, int64_t config, const char *key, const char *value,
                                   tacos_error *err);
tacos_status store_each_key(Store *store, StoreKeyVisit *visit, void *user, tacos_error *err);

#endif
