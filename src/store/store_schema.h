/* store_schema.h - the tables of a store, version by version. */
#ifndef STORE_STORE_SCHEMA_H
#define STORE_STORE_SCHEMA_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Step k leads from version k to version k + 1. A step that was ever released never changes; what
 * is new is a step at the end. */
typedef struct StoreSchema {
    const char *const *steps;
    int n_steps;
} StoreSchema;

extern const StoreSchema store_schema;

/* Is this a store, and of which version; 0 is an empty file. */
tacos_status store_schema_version(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  int *out, tacos_error *err);

/* Bring a store to the schema's last version, in one transaction. */
tacos_status store_schema_upgrade(sqlite3 *db, const StoreSchema *schema, const char *path,
                                  tacos_error *err);

/* What SQLite says went wrong, as a status and a sentence. */
tacos_status store_failure(sqlite3 *db, const char *path, const char *doing, tacos_error *err);

#endif
