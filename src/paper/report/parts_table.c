/* parts_table.c - the numbers of a part from its table, PART.csv of `tacos reproduce`: a line for
 * each, without quotes. */
#include "paper/report/parts.h"

#include "base/array.h"
#include "base/files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES_MAX = 1 << 24, FIELDS = 10 };

static const char HEAD[] = "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict";

typedef struct PartTable {
    char *text; /* owns the words of the cells */
    size_t n, room;
    tacos_cell *cells; /* [n] */
} PartTable;

/* A line of a file. */
typedef struct TableLine {
    const char *path;
    size_t number;
    char *field[FIELDS];
} TableLine;

bool parts_table_is_named(const char *path) {
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".csv") == 0;
}

/* ---- fields ---- */

/* Cut the text at its first line end; returns what follows, or NULL. */
static char *cut_line(char *text) {
    char *end = strchr(text, '\n');
    size_t n = end ? (size_t)(end - text) : strlen(text);
    if (end)
        *end = '\0';
    if (n > 0 && text[n - 1] == '\r')
        text[n - 1] = '\0';
    return end ? end + 1 : NULL;
}

static tacos_status cut_fields(TableLine *line, char *text, tacos_error *err) {
    size_t n = 0;
    for (char *comma; (comma = strchr(text, ',')) && n < FIELDS; text = comma + 1) {
        *comma = '\0';
        line->field[n++] = text;
    }
    if (n != FIELDS - 1)
        return failure(err, TACOS_FORMAT, "%s:%zu: expected %d fields", line->path, line->number,
                       (int)FIELDS);
    line->field[n] = text;
    return TACOS_OK;
}

static tacos_status read_whole(const TableLine *line, size_t field, size_t *out, tacos_error *err) {
    const char *text = line->field[field];
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value > INT32_MAX)
        return failure(err, TACOS_FORMAT, "%s:%zu: '%.40s' is not a whole number", line->path,
                       line->number, text);
    *out = value;
    return TACOS_OK;
}

/* NaN for an empty field. */
static tacos_status read_number(const TableLine *line, size_t field, double *out,
                                tacos_error *err) {
    const char *text = line->field[field];
    char *end;
    *out = NAN;
    if (!*text)
        return TACOS_OK;
    double value = strtod(text, &end);
    if (*end || !isfinite(value))
        return failure(err, TACOS_FORMAT, "%s:%zu: '%.40s' is not a number", line->path,
                       line->number, text);
    *out = value;
    return TACOS_OK;
}

/* ---- cells ---- */

static tacos_status read_cell(const TableLine *line, tacos_cell *out, tacos_error *err) {
    *out = (tacos_cell){
        .section = line->field[0], .metric = line->field[1], .verdict = line->field[9]};
    TRY(read_whole(line, 2, &out->after_task, err));
    TRY(read_whole(line, 3, &out->part, err));
    TRY(read_whole(line, 4, &out->here.n, err));
    TRY(read_number(line, 5, &out->here.mean, err));
    TRY(read_number(line, 6, &out->here.sd, err));
    TRY(read_number(line, 7, &out->paper, err));
    TRY(read_number(line, 8, &out->paper_sd, err));
    if (out->here.n > 0 && (isnan(out->here.mean) || isnan(out->here.sd)))
        return failure(err, TACOS_FORMAT, "%s:%zu: there are runs, but no mean or no sd",
                       line->path, line->number);
    return TACOS_OK;
}

static tacos_status add_line(PartTable *table, TableLine *line, char *text, tacos_error *err) {
    TRY(cut_fields(line, text, err));
    if (!array_grow(&table->cells, &table->room, table->n + 1, sizeof *table->cells))
        return failure(err, TACOS_MEMORY, "no memory for the numbers of %s", line->path);
    return read_cell(line, &table->cells[table->n++], err);
}

static tacos_status read_table(PartTable *table, const char *path, tacos_error *err) {
    TRY(input_read_text(path, TABLE_BYTES_MAX, &table->text, err));
    char *rest = cut_line(table->text);
    if (strcmp(table->text, HEAD) != 0)
        return failure(err, TACOS_FORMAT,
                       "%s is not a table of `tacos reproduce`: its first line is not '%s'", path,
                       HEAD);
    for (TableLine line = {.path = path, .number = 2}; rest && *rest; line.number++) {
        char *text = rest;
        rest = cut_line(text);
        TRY(add_line(table, &line, text, err));
    }
    return TACOS_OK;
}

/* ---- a part ---- */

tacos_status parts_open_table(Parts *out, const char *path, const char *part, tacos_error *err) {
    PartTable *table = calloc(1, sizeof *table);
    *out = (Parts){.folder = path};
    if (!table)
        return failure(err, TACOS_MEMORY, "no memory for the numbers of %s", path);
    tacos_status status = read_table(table, path, err);
    if (status != TACOS_OK) {
        part_table_free(table);
        return status;
    }
    out->parts[0] = (Part){.table = table};
    (void)snprintf(out->parts[0].of.name, sizeof out->parts[0].of.name, "%s", part);
    out->n = 1;
    return TACOS_OK;
}

const tacos_cell *part_table_cell(const PartTable *table, size_t i) {
    return i < table->n ? &table->cells[i] : NULL;
}

void part_table_free(PartTable *table) {
    if (table) {
        free(table->text);
        free(table->cells);
    }
    free(table);
}
