/* table_read.c - a whole table in memory, words and labels as numbers. */
#include "base/posix.h"

#include "data/formats/table.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Room {
    size_t values, labels;
} Room;

void table_free(Table *table) {
    for (size_t k = 0; table->features && k < table->n_features; k++) {
        free(table->features[k].name);
        words_free(&table->features[k].words);
    }
    words_free(&table->classes);
    free(table->features);
    free(table->values);
    free(table->labels);
    *table = (Table){0};
}

static tacos_status take_schema(Table *out, const TableSchema *schema, tacos_error *err) {
    out->n_features = schema->n_features;
    out->names_line = schema->names_line;
    out->features = calloc(schema->n_features + 1, sizeof *out->features);
    for (size_t k = 0; out->features && k < schema->n_features; k++) {
        out->features[k].name = strdup(schema->features[k].name);
        if (!out->features[k].name)
            return failure(err, TACOS_MEMORY, "no memory for the columns of a table");
    }
    return out->features ? TACOS_OK
                         : failure(err, TACOS_MEMORY, "no memory for the columns of a table");
}

/* A word that is one too many: whose line and column. */
static tacos_status add(Words *words, const char *text, const TableRow *row, const char *column,
                        size_t *out, tacos_error *err) {
    tacos_error own;
    tacos_status status = words_add(words, text, TABLE_WORDS_MAX, out, &own);
    if (status == TACOS_OK)
        return TACOS_OK;
    return failure(err, status, "line %zu, %.60s: %s", row->line, column, own.text);
}

static tacos_status take_row(Table *out, const TableRow *row, Room *room, tacos_error *err) {
    size_t n = out->n_features, word = TABLE_NO_LABEL;
    if (!array_grow(&out->values, &room->values, out->n_rows + 1, (n + 1) * sizeof *out->values) ||
        !array_grow(&out->labels, &room->labels, out->n_rows + 1, sizeof *out->labels))
        return failure(err, TACOS_MEMORY, "no memory for %zu rows", out->n_rows + 1);
    double *values = out->values + out->n_rows * n;
    for (size_t k = 0; k < n; k++) {
        values[k] = row->numbers[k];
        if (!row->texts[k])
            continue;
        TRY(add(&out->features[k].words, row->texts[k], row, out->features[k].name, &word, err));
        values[k] = (double)word;
    }
    word = TABLE_NO_LABEL;
    if (row->label)
        TRY(add(&out->classes, row->label, row, "the label", &word, err));
    out->labels[out->n_rows++] = (uint16_t)word;
    return TACOS_OK;
}

static tacos_status read_rows(Table *out, TableReader *reader, tacos_error *err) {
    const TableRow *row = NULL;
    Room room = {0};
    TRY(take_schema(out, table_schema(reader), err));
    do {
        TRY(table_next(reader, &row, err));
        if (row)
            TRY(take_row(out, row, &room, err));
    } while (row);
    for (size_t k = 0; k < out->n_features; k++)
        out->features[k].is_text = table_schema(reader)->features[k].is_text;
    return TACOS_OK;
}

tacos_status table_read(Table *out, const char *path, const TableRules *rules, tacos_error *err) {
    TableReader *reader = NULL;
    *out = (Table){0};
    TRY(table_open(&reader, path, rules, err));
    tacos_error own;
    tacos_status status = read_rows(out, reader, &own);
    table_close(reader);
    if (status == TACOS_OK && out->n_rows == 0)
        status = failure(&own, TACOS_FORMAT, "%.300s holds no row", path);
    if (status != TACOS_OK) {
        table_free(out);
        return failure(err, status, "%s", own.text);
    }
    return TACOS_OK;
}
