/* rows.h - the samples of a stream, from standard input or a file: tables (CSV) through
 * tacos_table, or a JSON object per line. Labels and categories are words. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "input/samples.h"
#include "tacos_stream.h"

enum { LABEL_UNKNOWN = -1 }; /* where a label is: not known, or not yet */

typedef struct RowsArgs {
    const char *label;    /* "first", "last", "none", a name or a number; NULL: found out */
    const char *header;   /* "yes" or "no"; NULL: found out */
    const char *on_error; /* "stop" or "skip" */
} RowsArgs;

/* clang-format off */
#define ROWS_HEADER_OPTION(at) \
    {"header", OPTION_TEXT, NAME_YES_NO, (at) + offsetof(RowsArgs, header), 0, 0, "YES|NO", \
     "whether the first line names the columns (default: if it looks like it)"}
/* clang-format on */

/* What is known before the stream begins. */
typedef struct RowsKnown {
    const tacos_classifier *classifier; /* its features, if it has any */
    long label_at;                      /* where the label was before, or LABEL_UNKNOWN */
    int quiet;                          /* do not tell which column is the label */
} RowsKnown;

typedef struct Row {
    uint64_t line; /* where it begins, from 1 */
    tacos_sample sample;
    const char *label; /* NULL: it has none */
} Row;

typedef struct Rows {
    const char *command;
    Lines lines;        /* of JSON; and all bytes that a table reads */
    tacos_table *table; /* NULL: JSON, or nothing came */
    long label_at;      /* LABEL_UNKNOWN: there is none, or it is JSON */
    int is_json, skip, stopped;
    struct JsonRow *json;
    Row row;         /* the last one, valid until the next */
    uint64_t n_rows; /* so far, those that are wrong as well */
    uint64_t n_skipped;
    int passing; /* what is wrong was told before */
} Rows;

/* Begin to read `file`, a descriptor, or the file `path` if that is not NULL. EXIT_OK, also if the
 * input is empty; or the exit status after an error message. */
int rows_open(Rows *rows, const char *command, int file, const char *path, const RowsArgs *args,
              const RowsKnown *known);
void rows_close(Rows *rows);

/* Tell the classifier what a header says. */
tacos_status rows_name_features(const Rows *rows, tacos_classifier *classifier, tacos_error *err);

/* The next row. */
ReadResult rows_next(Rows *rows);

/* The classifier refused the last row: EXIT_OK if that is because of the row, and it is skipped;
 * otherwise the exit status. Both report it. */
int rows_refused(Rows *rows, const tacos_error *err);

/* Read on until n_rows is n: READ_SAMPLE, or why it ended before. */
ReadResult rows_pass(Rows *rows, uint64_t n);

void rows_report_skipped(const Rows *rows);

/* ---- label_column.c ---- */

/* The column with the label, n_columns for none; -1 after an error message. */
long label_column(const Rows *rows, const RowsArgs *args, const RowsKnown *known);

/* Whether a text is the name of a WAV file, which is a sample and never a label. */
int names_sound(const char *text);

/* ---- rows_json.c ---- */

/* One line, {"x": [1.5, null, "red"], "y": "a"}. Its room is made at need and freed with free: 0,
 * or -1 with a sentence in `why`. */
typedef struct JsonRow JsonRow;
int json_row_read(JsonRow **room, const char *line, Row *out, char why[WHY_SIZE]);
void json_row_free(JsonRow *room);

#endif
