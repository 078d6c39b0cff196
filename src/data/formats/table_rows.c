/* table_rows.c - tacos_table: a table reader for callers, from a file or from what they read. */
#include "data/formats/table.h"
#include "tacos_lab.h"

#include <stdlib.h>

struct tacos_table {
    TableReader *reader;
    tacos_read_some *read; /* NULL: a file */
    void *user;
    tacos_table_info info;
};

static tacos_status read_source(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                                tacos_error *err) {
    const tacos_table *table = source->user;
    return table->read(table->user, to, n, got, err);
}

static TableRules rules_of(const tacos_table_options *options) {
    static const TableHeader headers[] = {[TACOS_HEADER_FOUND] = TABLE_HEADER_FOUND,
                                          [TACOS_HEADER_FIRST] = TABLE_HEADER_FIRST,
                                          [TACOS_HEADER_NONE] = TABLE_HEADER_NONE};
    return (TableRules){.separator = options->separator,
                        .header = headers[options->header],
                        .label = "none",
                        .may_lack_label = true,
                        .look_ahead = options->waits ? 0 : TABLE_LOOK_AHEAD};
}

static void tell(tacos_table *table) {
    const TableSchema *schema = table_schema(table->reader);
    table->info = (tacos_table_info){.n_columns = schema->n_columns,
                                     .names = schema->names,
                                     .n_features = schema->n_features,
                                     .label = schema->label,
                                     .label_at = schema->label_at,
                                     .header_line = schema->names_line,
                                     .first = schema->first,
                                     .separator = schema->separator};
}

tacos_status tacos_table_open(tacos_table **out, const char *path, tacos_read_some *read,
                              void *user, const tacos_table_options *options, tacos_error *err) {
    const tacos_table_options defaults = {0};
    TableRules rules = rules_of(options ? options : &defaults);
    tacos_table *table = calloc(1, sizeof *table);
    *out = NULL;
    if (!table)
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    table->read = read;
    table->user = user;
    ByteSource source = {.read = read_source, .user = table, .name = path};
    tacos_status status = read ? table_open_source(&table->reader, source, &rules, err)
                               : table_open(&table->reader, path, &rules, err);
    if (status != TACOS_OK) {
        free(table);
        return status;
    }
    tell(table);
    *out = table;
    return TACOS_OK;
}

void tacos_table_close(tacos_table *table) {
    if (!table)
        return;
    table_close(table->reader);
    free(table);
}

const tacos_table_info *tacos_table_info_get(const tacos_table *table) {
    return &table->info;
}

void tacos_table_set_label(tacos_table *table, size_t column) {
    table_set_label(table->reader, column);
    tell(table);
}

void tacos_table_set_text(tacos_table *table, size_t feature) {
    if (feature < table->info.n_features)
        table_set_text(table->reader, feature);
}

size_t tacos_table_line(const tacos_table *table) {
    return table_line(table->reader);
}

tacos_status tacos_table_next(tacos_table *table, tacos_table_row *row, tacos_error *err) {
    const TableRow *found;
    *row = (tacos_table_row){0};
    table->info.first = NULL;
    TRY(table_next(table->reader, &found, err));
    if (found)
        *row = (tacos_table_row){found->line, found->numbers, found->texts, found->label};
    return TACOS_OK;
}
