/* table.h - tables as text (CSV): a row per line, columns of numbers or of text, a label.
 *
 * A TableReader gives row after row and keeps none; table_read keeps all of a file. Fields are
 * separated by commas, semicolons or tabs and may be in double quotes, as in RFC 4180; files may be
 * gzipped. Errors name the file and the line. docs/data.md describes what is accepted. */
#ifndef DATA_FORMATS_TABLE_H
#define DATA_FORMATS_TABLE_H

#include "base/bytes.h"
#include "data/formats/words.h"

#include <stdbool.h>

typedef enum TableHeader {
    TABLE_HEADER_FOUND, /* a header is recognised */
    TABLE_HEADER_FIRST, /* the first line is one, whatever it holds */
    TABLE_HEADER_NONE,
} TableHeader;

/* {0} finds out everything, from the first row alone. */
typedef struct TableRules {
    char separator; /* 0: tab if the first line has one, else semicolon, else comma */
    TableHeader header;
    /* Which column is the label: its name, "first", "last", its number from 1, or "none". NULL: the
     * one called label, class, target or y, else the last. */
    const char *label;
    bool may_lack_label; /* a row with one field too few has no label */
    /* How many rows are read ahead to find out what columns hold: TABLE_LOOK_AHEAD of a file; 0 of
     * a stream whose writer waits for an answer to each row. */
    size_t look_ahead;
} TableRules;

enum { TABLE_LOOK_AHEAD = 1000 };

typedef struct TableColumn {
    const char *name; /* of the header, or "column N" */
    bool is_text;     /* its fields are words; as long as all are missing, false */
} TableColumn;

typedef struct TableSchema {
    size_t n_columns;
    const char *const *names;    /* [n_columns] of all, as TableColumn has them */
    size_t n_features;           /* columns other than the label */
    const TableColumn *features; /* [n_features] in the order of the file */
    const char *label;           /* the name of the label's column; NULL: there is none */
    size_t label_at;             /* its index among all columns */
    size_t names_line;           /* the line of the header; 0: there is none */
    const char *const *first;    /* [n_columns] the fields of the first row, until it is read; NULL
                                    if there is a header */
    char separator;
} TableSchema;

/* A row; the reader's, until the next one. */
typedef struct TableRow {
    size_t line;              /* where it begins, from 1 */
    const double *numbers;    /* [n_features]; NAN: missing, or text */
    const char *const *texts; /* [n_features]; NULL: missing, or a number */
    const char *label;        /* NULL: missing */
} TableRow;

typedef struct TableReader TableReader;

/* A file, plain or gzipped; or bytes from anywhere. An input without a line is an error. */
tacos_status table_open(TableReader **out, const char *path, const TableRules *rules,
                        tacos_error *err);
tacos_status table_open_source(TableReader **out, ByteSource source, const TableRules *rules,
                               tacos_error *err);
void table_close(TableReader *reader);

const TableSchema *table_schema(const TableReader *reader);

/* Before the first row: another column is the label; n_columns: none is. */
void table_set_label(TableReader *reader, size_t column);

/* From now on the fields of a feature are words, also those that look like numbers. */
void table_set_text(TableReader *reader, size_t feature);

/* The line that is read next. */
size_t table_line(const TableReader *reader);

/* The next row; *row is NULL at the end. */
tacos_status table_next(TableReader *reader, const TableRow **row, tacos_error *err);

/* ---- table_read.c: all of a file ---- */

/* At most so many different labels, and words in a column of text. */
enum { TABLE_WORDS_MAX = 4096 };
enum { TABLE_NO_LABEL = UINT16_MAX };

typedef struct TableFeature {
    char *name;
    bool is_text;
    Words words; /* of a column of text, in order of first appearance */
} TableFeature;

typedef struct Table {
    size_t n_rows, n_features;
    TableFeature *features; /* [n_features] */
    double *values;         /* [n_rows][n_features]; of text the word's number; NAN: missing */
    Words classes;          /* labels, in order of first appearance */
    uint16_t *labels;       /* [n_rows] numbers of classes, or TABLE_NO_LABEL */
    size_t names_line;      /* the line of the header, or 0 */
} Table;

tacos_status table_read(Table *out, const char *path, const TableRules *rules, tacos_error *err);
void table_free(Table *table);

#endif
