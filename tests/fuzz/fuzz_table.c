/* fuzz_table.c - a table as text, read at once and, with other rules, row by row. */
#include "fuzz_images.h"

#include "data/formats/table.h"

#include <math.h>

static void check_table(const Table *table) {
    HOLDS(table->n_rows > 0);
    for (size_t r = 0; r < table->n_rows; r++) {
        HOLDS(table->labels[r] == TABLE_NO_LABEL || table->labels[r] < table->classes.n);
        for (size_t k = 0; k < table->n_features; k++) {
            double value = table->values[r * table->n_features + k];
            HOLDS(!isinf(value));
            if (table->features[k].is_text)
                HOLDS(isnan(value) || value < (double)table->features[k].words.n);
        }
    }
    for (size_t i = 0; i < table->classes.n; i++)
        HOLDS(words_find(&table->classes, table->classes.text[i]) == i);
}

static void read_rows(const char *path, const TableRules *rules) {
    TableReader *reader;
    tacos_error err = {0};
    const TableRow *row = NULL;
    tacos_status status = table_open(&reader, path, rules, &err);
    size_t line = 0;
    while (status == TACOS_OK && (status = table_next(reader, &row, &err)) == TACOS_OK && row) {
        HOLDS(row->line > line);
        line = row->line;
        touch(row->numbers, table_schema(reader)->n_features * sizeof *row->numbers);
        for (size_t k = 0; k < table_schema(reader)->n_features; k++)
            HOLDS(!row->texts[k] || isnan(row->numbers[k]));
    }
    if (status != TACOS_OK)
        check_failure(status, &err);
    table_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static const TableRules ahead = {.look_ahead = TABLE_LOOK_AHEAD};
    static const TableRules other = {
        .separator = ';', .header = TABLE_HEADER_FIRST, .label = "first", .may_lack_label = true};
    FuzzFile file = file_of(bytes, n);
    Table table;
    tacos_error err = {0};
    tacos_status status = table_read(&table, file.path, &ahead, &err);
    if (status == TACOS_OK)
        check_table(&table);
    else
        check_failure(status, &err);
    table_free(&table);
    read_rows(file.path, &(TableRules){0});
    read_rows(file.path, &other);
    file_end(&file);
    return 0;
}
