/* store_columns.c - the columns of a run: one table for both writing and reading. */
#include "store/store_inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum ColumnType { COLUMN_REAL, COLUMN_U64, COLUMN_SIZE, COLUMN_HEX } ColumnType;

typedef struct Column {
    const char *name;
    ColumnType type;
    size_t offset; /* in RunNumbers */
} Column;

#define REAL(name, field)                                                                          \
    { name, COLUMN_REAL, offsetof(RunNumbers, field) }
#define WHOLE(name, field)                                                                         \
    { name, COLUMN_U64, offsetof(RunNumbers, field) }
#define SIZE(name, field)                                                                          \
    { name, COLUMN_SIZE, offsetof(RunNumbers, field) }
#define METRIC(field, text) REAL(#field, final.field),
#define COUNTERS(when)                                                                             \
    WHOLE(#when "_samples", stats.when.samples),                                                   \
        WHOLE(#when "_input_spikes", stats.when.input_spikes),                                     \
        WHOLE(#when "_hidden_spikes", stats.when.hidden_spikes),                                   \
        WHOLE(#when "_output_spikes", stats.when.output_spikes),                                   \
        WHOLE(#when "_synaptic_events", stats.when.synaptic_events)

static const Column columns[] = {
    SIZE("tasks", n_tasks),
    TACOS_METRIC_MAP(METRIC) REAL("MO", memory_overhead),
    COUNTERS(learning),
    WHOLE("learning_error_spikes", stats.learning.error_spikes),
    WHOLE("learning_error_updates", stats.learning.error_updates),
    WHOLE("learning_decay_updates", stats.learning.decay_updates),
    COUNTERS(predicting),
    WHOLE("learning_macs", stats.learning.macs),
    WHOLE("predicting_macs", stats.predicting.macs),
    SIZE("model_bytes", stats.model_bytes),
    SIZE("workspace_bytes", stats.workspace_bytes),
    SIZE("baseline_bytes", stats.baseline_bytes),
    {"model_digest", COLUMN_HEX, offsetof(RunNumbers, model_digest)},
    REAL("train_seconds", train_seconds),
    REAL("test_seconds", test_seconds),
};
_Static_assert(sizeof columns / sizeof *columns == N_COLUMNS, "the number of columns");

static int bind_column(sqlite3_stmt *statement, int at, const Column *column,
                       const RunNumbers *numbers) {
    const void *field = (const char *)numbers + column->offset;
    char hex[16];
    switch (column->type) {
    case COLUMN_REAL:
        return sqlite3_bind_double(statement, at, *(const double *)field);
    case COLUMN_U64:
        return sqlite3_bind_int64(statement, at, (sqlite3_int64) * (const uint64_t *)field);
    case COLUMN_SIZE:
        return sqlite3_bind_int64(statement, at, (sqlite3_int64) * (const size_t *)field);
    case COLUMN_HEX:
        (void)snprintf(hex, sizeof hex, "%08x", *(const uint32_t *)field);
        return sqlite3_bind_text(statement, at, hex, -1, SQLITE_TRANSIENT);
    }
    return SQLITE_MISUSE;
}

const char *column_text(sqlite3_stmt *query, int at) {
    const unsigned char *text = sqlite3_column_text(query, at);
    return text ? (const char *)text : "";
}

static void read_column(sqlite3_stmt *query, int at, const Column *column, RunNumbers *numbers) {
    void *field = (char *)numbers + column->offset;
    switch (column->type) {
    case COLUMN_REAL:
        *(double *)field = sqlite3_column_type(query, at) == SQLITE_NULL
                               ? NAN /* SQLite stores NaN as NULL */
                               : sqlite3_column_double(query, at);
        break;
    case COLUMN_U64:
        *(uint64_t *)field = (uint64_t)sqlite3_column_int64(query, at);
        break;
    case COLUMN_SIZE:
        *(size_t *)field = (size_t)sqlite3_column_int64(query, at);
        break;
    case COLUMN_HEX:
        *(uint32_t *)field = (uint32_t)strtoul(column_text(query, at), NULL, 16);
        break;
    }
}

int columns_bind(sqlite3_stmt *statement, const RunNumbers *numbers) {
    int code = SQLITE_OK;
    for (int c = 0; c < N_COLUMNS && code == SQLITE_OK; c++)
        code = bind_column(statement, c + 1, &columns[c], numbers);
    return code;
}

void columns_read(sqlite3_stmt *query, RunNumbers *out) {
    for (int c = 0; c < N_COLUMNS; c++)
        read_column(query, c, &columns[c], out);
}

void columns_list(char sql[SQL_SIZE], const char *behind) {
    size_t used = strlen(sql);
    for (size_t c = 0; c < N_COLUMNS; c++)
        used += (size_t)snprintf(sql + used, SQL_SIZE - used, "%s%s%s", c ? "," : "",
                                 columns[c].name, behind);
    assert(used < SQL_SIZE);
}
