/* table.c - rows of a table, one at a time. What the columns are is found out from the first rows,
 * which are then given as well. */
#include "base/posix.h"

#include "data/formats/table.h"

#include "base/array.h"
#include "data/formats/fields.h"
#include "data/formats/gz.h"
#include "data/formats/records.h"
#include "sound/wav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PEEK_BYTES_MAX = 1 << 24 };

/* What was seen in a column: of rows read ahead and of those given. */
typedef struct Seen {
    bool number, text;
} Seen;

struct TableReader {
    struct gzFile_s *gz; /* NULL: the source is the caller's */
    char *name;          /* what errors call it */
    Records records;
    TableRules rules;
    char *text; /* [text_room] of the row */
    size_t text_room, n_columns;
    Fields fields;
    Seen *seen;           /* [n_columns] */
    TableColumn *columns; /* [n_columns]: features, then the label if there is one */
    char **names;         /* [n_columns] of all columns, or NULL before they are known */
    double *numbers;
    const char **texts;
    TableSchema schema;
    TableRow row;
};

static tacos_status fail_memory(const TableReader *reader, tacos_error *err) {
    return failure(err, TACOS_MEMORY, "no memory to read %.300s", reader->name);
}

/* ---- a row as fields ---- */

static bool is_blank_line(const Record *record) {
    size_t i = 0;
    while (i < record->n && record->text[i] == ' ')
        i++;
    return i == record->n;
}

static tacos_status cut(TableReader *reader, const Record *record, tacos_error *err) {
    static const char *const why[] = {
        [FIELDS_BEHIND_QUOTE] = "something follows a closing quote",
        [FIELDS_TOO_MANY] = "there are too many fields",
    };
    if (!array_grow(&reader->text, &reader->text_room, record->n + 1, 1))
        return fail_memory(reader, err);
    memcpy(reader->text, record->text, record->n);
    reader->text[record->n] = '\0';
    FieldsError error = fields_cut(&reader->fields, reader->text, reader->schema.separator);
    if (error == FIELDS_OK)
        return TACOS_OK;
    if (error == FIELDS_NO_MEMORY)
        return fail_memory(reader, err);
    return failure(err, TACOS_FORMAT, "%.300s:%zu: %s", reader->name, record->line, why[error]);
}

/* The next row that is not blank, in `fields`. */
static tacos_status next_fields(TableReader *reader, size_t *line, bool *more, tacos_error *err) {
    Record record;
    do
        TRY(records_next(&reader->records, reader->schema.separator, &record, more, err));
    while (*more && is_blank_line(&record));
    *line = record.line;
    return *more ? cut(reader, &record, err) : TACOS_OK;
}

/* A decimal comma is one only where commas separate nothing. */
static FieldKind read_field(const TableReader *reader, const char *text, double *number) {
    return field_read(text, reader->schema.separator != ',', number);
}

/* ---- what the columns are ---- */

static void see(TableReader *reader) {
    double number;
    for (size_t i = 0; i < reader->n_columns; i++) {
        FieldKind kind = read_field(reader, reader->fields.at[i], &number);
        reader->seen[i].number |= kind == FIELD_NUMBER;
        reader->seen[i].text |= kind == FIELD_TEXT;
    }
}

/* Rows that are wrong end it: they are reported when their turn comes. */
static tacos_status look_ahead(TableReader *reader, tacos_error *err) {
    bool more = true;
    size_t line;
    for (size_t i = 0; i < reader->rules.look_ahead && more; i++) {
        tacos_error own;
        tacos_status status = next_fields(reader, &line, &more, &own);
        if (status == TACOS_MEMORY || status == TACOS_IO)
            return failure(err, status, "%s", own.text);
        if (status != TACOS_OK || !more || reader->fields.n != reader->n_columns ||
            records_kept(&reader->records) > PEEK_BYTES_MAX)
            break;
        see(reader);
    }
    return TACOS_OK;
}

/* Names of columns that hold labels. The last one may also be a value. */
enum { USUAL_NAMES = 4 };
static const char *const usual[USUAL_NAMES] = {"label", "class", "target", "y"};

static bool names_label(const char *field) {
    for (size_t k = 0; k + 1 < USUAL_NAMES; k++)
        if (strcasecmp(field, usual[k]) == 0)
            return true;
    return false;
}

/* The first row is a header if all of its fields are names, or if one is a name above a column of
 * numbers. */
static bool is_header(const TableReader *reader, const FieldKind *kinds) {
    bool all = true;
    for (size_t i = 0; i < reader->n_columns; i++) {
        if (kinds[i] == FIELD_TEXT && reader->seen[i].number && !reader->seen[i].text)
            return true;
        all = all && kinds[i] == FIELD_TEXT;
    }
    return all;
}

static tacos_status keep_names(TableReader *reader, bool header, tacos_error *err) {
    char made[40];
    reader->names = calloc(reader->n_columns, sizeof *reader->names);
    for (size_t i = 0; reader->names && i < reader->n_columns; i++) {
        bool given = header && *reader->fields.at[i];
        (void)snprintf(made, sizeof made, "column %zu", i + 1);
        reader->names[i] = strdup(given ? reader->fields.at[i] : made);
        if (!reader->names[i])
            return fail_memory(reader, err);
    }
    return reader->names ? TACOS_OK : fail_memory(reader, err);
}

/* From the first line, which is then read again: where a quoted field begins depends on it. */
static tacos_status find_separator(TableReader *reader, tacos_error *err) {
    Record record = {0};
    bool more = true;
    reader->schema.separator = reader->rules.separator;
    if (reader->schema.separator)
        return TACOS_OK;
    records_mark(&reader->records);
    while (more && is_blank_line(&record))
        TRY(records_next(&reader->records, 0, &record, &more, err));
    reader->schema.separator = fields_separator(record.text, record.n);
    records_rewind(&reader->records);
    return TACOS_OK;
}

/* Read the first row and some below it, and go back. */
static tacos_status find_header(TableReader *reader, bool *header, tacos_error *err) {
    bool more = false, has_sound = false, has_label = false;
    double number;
    records_mark(&reader->records);
    TRY(next_fields(reader, &reader->schema.names_line, &more, err));
    if (!more)
        return failure(err, TACOS_FORMAT, "%.300s holds no row", reader->name);
    reader->n_columns = reader->fields.n;
    reader->seen = calloc(reader->n_columns, sizeof *reader->seen);
    FieldKind *kinds = calloc(reader->n_columns, sizeof *kinds);
    tacos_status status = reader->seen && kinds ? TACOS_OK : fail_memory(reader, err);
    for (size_t i = 0; status == TACOS_OK && i < reader->n_columns; i++) {
        kinds[i] = read_field(reader, reader->fields.at[i], &number);
        has_sound = has_sound || wav_is_name(reader->fields.at[i]);
        has_label = has_label || names_label(reader->fields.at[i]);
    }
    if (status == TACOS_OK)
        status = look_ahead(reader, err);
    if (status == TACOS_OK)
        *header = reader->rules.header == TABLE_HEADER_FIRST ||
                  (reader->rules.header == TABLE_HEADER_FOUND && !has_sound &&
                   (has_label || is_header(reader, kinds)));
    free(kinds);
    records_rewind(&reader->records);
    return status;
}

/* ---- the label ---- */

static tacos_status find_named(const TableReader *reader, const char *name, size_t *out,
                               tacos_error *err) {
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    for (*out = 0; *out < reader->n_columns; ++*out)
        if (strcmp(reader->names[*out], name) == 0)
            return TACOS_OK;
    *out = strcmp(name, "first") == 0  ? 0
           : strcmp(name, "last") == 0 ? reader->n_columns - 1
           : *name && !*end            ? number - 1
                                       : reader->n_columns;
    if (*out >= reader->n_columns)
        return failure(err, TACOS_INVALID, "%.300s: there is no column '%.60s' for the label",
                       reader->name, name);
    return TACOS_OK;
}

static size_t find_usual(const TableReader *reader) {
    for (size_t k = 0; k < USUAL_NAMES; k++)
        for (size_t i = 0; i < reader->n_columns; i++)
            if (strcasecmp(reader->names[i], usual[k]) == 0)
                return i;
    return reader->n_columns - 1;
}

static tacos_status find_label(TableReader *reader, tacos_error *err) {
    const char *wanted = reader->rules.label;
    size_t column = reader->n_columns;
    if (!wanted)
        column = find_usual(reader);
    else if (strcmp(wanted, "none") != 0)
        TRY(find_named(reader, wanted, &column, err));
    table_set_label(reader, column);
    return TACOS_OK;
}

/* ---- opening ---- */

static tacos_status make_columns(TableReader *reader, tacos_error *err) {
    size_t n = reader->n_columns;
    reader->columns = calloc(n, sizeof *reader->columns);
    reader->numbers = calloc(n, sizeof *reader->numbers);
    reader->texts = calloc(n, sizeof *reader->texts);
    if (!reader->columns || !reader->numbers || !reader->texts)
        return fail_memory(reader, err);
    reader->schema.n_columns = n;
    reader->schema.names = (const char *const *)reader->names;
    reader->schema.features = reader->columns;
    reader->row = (TableRow){.numbers = reader->numbers, .texts = reader->texts};
    return TACOS_OK;
}

void table_set_label(TableReader *reader, size_t column) {
    TableSchema *schema = &reader->schema;
    bool known = column < reader->n_columns;
    schema->label_at = column;
    schema->label = known ? reader->names[column] : NULL;
    schema->n_features = reader->n_columns - known;
    for (size_t i = 0, k = 0; i < reader->n_columns; i++)
        if (i != column)
            reader->columns[k++] = (TableColumn){reader->names[i], reader->seen[i].text};
}

void table_set_text(TableReader *reader, size_t feature) {
    reader->columns[feature].is_text = true;
}

size_t table_line(const TableReader *reader) {
    return reader->records.line;
}

static tacos_status begin(TableReader *reader, tacos_error *err) {
    bool header = false, more = false;
    TRY(find_separator(reader, err));
    TRY(find_header(reader, &header, err));
    if (header)
        TRY(next_fields(reader, &reader->schema.names_line, &more, err));
    else
        reader->schema.names_line = 0;
    TRY(keep_names(reader, header, err));
    TRY(make_columns(reader, err));
    if (!header) { /* a row like those below it, which it may be alone to tell of */
        bool again = false;
        size_t line;
        records_mark(&reader->records);
        TRY(next_fields(reader, &line, &again, err));
        see(reader);
        reader->schema.first = (const char *const *)reader->fields.at;
        records_rewind(&reader->records);
    }
    return find_label(reader, err);
}

tacos_status table_open_source(TableReader **out, ByteSource source, const TableRules *rules,
                               tacos_error *err) {
    TableReader *reader = calloc(1, sizeof *reader);
    *out = NULL;
    if (!reader || !(reader->name = strdup(source.name))) {
        free(reader);
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", source.name);
    }
    source.name = reader->name;
    reader->records = records_of(source);
    reader->rules = *rules;
    tacos_status status = begin(reader, err);
    if (status == TACOS_OK)
        *out = reader;
    else
        table_close(reader);
    return status;
}

tacos_status table_open(TableReader **out, const char *path, const TableRules *rules,
                        tacos_error *err) {
    struct gzFile_s *gz = NULL;
    *out = NULL;
    TRY(file_check(path, err));
    TRY(gz_open(&gz, path, err));
    tacos_status status = table_open_source(out, gz_source(gz, path), rules, err);
    if (status == TACOS_OK)
        (*out)->gz = gz;
    else
        gz_close(gz);
    return status;
}

void table_close(TableReader *reader) {
    if (!reader)
        return;
    gz_close(reader->gz);
    records_free(&reader->records);
    fields_free(&reader->fields);
    for (size_t i = 0; reader->names && i < reader->n_columns; i++)
        free(reader->names[i]);
    free(reader->names);
    free(reader->name);
    free(reader->text);
    free(reader->seen);
    free(reader->columns);
    free(reader->numbers);
    free(reader->texts);
    free(reader);
}

const TableSchema *table_schema(const TableReader *reader) {
    return &reader->schema;
}

/* ---- rows ---- */

static tacos_status take_feature(TableReader *reader, size_t k, const char *text,
                                 tacos_error *err) {
    double number;
    FieldKind kind = read_field(reader, text, &number);
    Seen *seen = &reader->seen[k + (k >= reader->schema.label_at)];
    bool is_text = reader->columns[k].is_text || (kind == FIELD_TEXT && !seen->number);
    reader->columns[k].is_text = is_text;
    seen->number |= kind == FIELD_NUMBER;
    reader->numbers[k] = is_text ? NAN : number;
    reader->texts[k] = is_text && kind != FIELD_MISSING ? text : NULL;
    if (kind == FIELD_TEXT && !is_text)
        return failure(err, TACOS_FORMAT, "%.300s:%zu: '%.40s' is not a number, as %.60s is",
                       reader->name, reader->row.line, text, reader->columns[k].name);
    return TACOS_OK;
}

/* Whether the row has its label, or may do without. */
static tacos_status check_width(const TableReader *reader, bool *labelled, tacos_error *err) {
    const TableSchema *schema = &reader->schema;
    size_t n = reader->fields.n;
    *labelled = schema->label && n == reader->n_columns;
    if (n == reader->n_columns ||
        (schema->label && reader->rules.may_lack_label && n == schema->n_features))
        return TACOS_OK;
    return failure(err, TACOS_FORMAT, "%.300s:%zu: there are %zu fields; expected %zu",
                   reader->name, reader->row.line, n, reader->n_columns);
}

tacos_status table_next(TableReader *reader, const TableRow **row, tacos_error *err) {
    const TableSchema *schema = &reader->schema;
    bool more = false, labelled = false;
    double number;
    *row = NULL;
    reader->schema.first = NULL;
    TRY(next_fields(reader, &reader->row.line, &more, err));
    if (!more)
        return TACOS_OK;
    TRY(check_width(reader, &labelled, err));
    for (size_t k = 0; k < schema->n_features; k++)
        TRY(take_feature(reader, k, reader->fields.at[k + (labelled && k >= schema->label_at)],
                         err));
    const char *label = labelled ? reader->fields.at[schema->label_at] : "";
    reader->row.label = read_field(reader, label, &number) == FIELD_MISSING ? NULL : label;
    *row = &reader->row;
    return TACOS_OK;
}
