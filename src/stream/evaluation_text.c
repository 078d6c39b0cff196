/* evaluation_text.c - the figures as CSV, row by row, and as one JSON document; docs/streams.md. */
#include "base/posix.h"

#include "stream/evaluation.h"

#include "base/decimal.h"
#include "base/json_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };

/* ---- CSV ---- */

typedef struct Line {
    char text[TACOS_EVALUATION_CSV_SIZE];
    size_t n;
} Line;

static size_t give(const Line *line, char *buf, size_t size) {
    size_t n = line->n < size ? line->n : size - 1;
    if (size > 0) {
        memcpy(buf, line->text, n);
        buf[n] = '\0';
    }
    return line->n;
}

/* Thirteen numbers of at most 20 characters, or names of at most 24, always fit. */
static void add(Line *line, const char *words, char after) {
    line->n +=
        (size_t)snprintf(line->text + line->n, sizeof line->text - line->n, "%s%c", words, after);
}

static char end_of(size_t column) {
    return column + 1 < ROW_COLUMNS ? ',' : '\n';
}

size_t tacos_evaluation_csv_head(char *buf, size_t size) {
    Line line = {.n = 0};
    for (size_t k = 0; k < ROW_COLUMNS; k++)
        add(&line, evaluation_columns[k].name, end_of(k));
    return give(&line, buf, size);
}

size_t tacos_evaluation_csv_row(const tacos_evaluation_row *row, char *buf, size_t size) {
    Line line = {.n = 0};
    CLocale locale = c_locale_begin();
    for (size_t k = 0; k < ROW_COLUMNS; k++) {
        const RowColumn *column = &evaluation_columns[k];
        char words[REAL_TEXT_SIZE] = "";
        if (column->whole)
            (void)snprintf(words, sizeof words, "%llu",
                           (unsigned long long)*row_whole(row, column));
        else if (isfinite(*row_number(row, column)))
            (void)snprintf(words, sizeof words, "%.10g", *row_number(row, column));
        add(&line, words, end_of(k));
    }
    c_locale_end(&locale);
    return give(&line, buf, size);
}

/* ---- JSON ---- */

static void write_span(JsonOut *json, const char *key, const tacos_evaluation_span *span) {
    json_out_open(json, key, '{');
    json_out_whole(json, "samples", span->samples);
    json_out_whole(json, "right", span->right);
    json_out_whole(json, "rejected", span->rejected);
    json_out_whole(json, "unanswered", span->unanswered);
    json_out_real(json, "accuracy", span->accuracy);
    json_out_real(json, "answered", span->answered);
    json_out_real(json, "repeat_last", span->repeat_last);
    json_out_real(json, "majority", span->majority);
    json_out_real(json, "kappa", span->kappa);
    json_out_real(json, "kappa_temporal", span->kappa_temporal);
    json_out_close(json, '}');
}

static void write_drift(JsonOut *json, const Evaluation *e) {
    tacos_evaluation_drift drift = tacos_evaluation_drift_get(e);
    double at[TACOS_EVALUATION_ALARMS];
    for (size_t k = 0; k < drift.n; k++)
        at[k] = (double)drift.at[k];
    json_out_open(json, "drift", '{');
    json_out_text(json, "test", "ADWIN");
    json_out_real(json, "delta", e->adwin.delta);
    json_out_whole(json, "every", ADWIN_EVERY);
    json_out_whole(json, "alarms", drift.alarms);
    json_out_reals(json, "at", at, drift.n);
    json_out_whole(json, "width", drift.width);
    json_out_close(json, '}');
}

static void write_label(JsonOut *json, const Evaluation *e, size_t k,
                        const tacos_evaluation_about *about) {
    tacos_evaluation_label label = tacos_evaluation_label_get(e, k);
    const char *name = about->label ? about->label(about->user, k) : NULL;
    char number[32];
    (void)snprintf(number, sizeof number, "%zu", k);
    json_out_open(json, NULL, '{');
    json_out_text(json, "label", name ? name : number);
    json_out_whole(json, "samples", label.samples);
    json_out_whole(json, "answered", label.answered);
    json_out_whole(json, "right", label.right);
    json_out_real(json, "recall", label.recall);
    json_out_real(json, "precision", label.precision);
    json_out_close(json, '}');
}

/* [label, answer, count], where the count is not 0: most of many labels are never confused. */
static void write_confusion(JsonOut *json, const Evaluation *e) {
    json_out_open(json, "confusion", '[');
    for (size_t label = 0; label < e->n_labels; label++)
        for (size_t answer_1 = 0; answer_1 <= e->n_labels; answer_1++) {
            double n = (double)*evaluation_cell(e, label, answer_1);
            if (n > 0)
                json_out_reals(json, NULL, (double[]){(double)label, (double)answer_1 - 1, n}, 3);
        }
    json_out_close(json, ']');
}

/* The rows that are kept, and the latest. */
static void write_series(JsonOut *json, const Evaluation *e) {
    double values[TACOS_EVALUATION_ROWS + 1];
    uint64_t last = e->n_rows > 0 ? e->rows[e->n_rows - 1].samples : 0;
    size_t n = e->n_rows + (e->latest.samples > last);
    json_out_open(json, "series", '{');
    for (size_t k = 0; k < ROW_COLUMNS; k++) {
        const RowColumn *column = &evaluation_columns[k];
        for (size_t i = 0; i < n; i++) {
            const tacos_evaluation_row *row = i < e->n_rows ? &e->rows[i] : &e->latest;
            values[i] = column->whole ? (double)*row_whole(row, column) : *row_number(row, column);
        }
        json_out_reals(json, column->name, values, n);
    }
    json_out_close(json, '}');
}

static void write_document(JsonOut *json, const Evaluation *e,
                           const tacos_evaluation_about *about) {
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(e);
    json_out_open(json, NULL, '{');
    json_out_text(json, "schema", "tacos-stream");
    json_out_whole(json, "schema_version", SCHEMA_VERSION);
    json_out_text(json, "program_version", TACOS_VERSION_STRING);
    if (about->stream)
        json_out_text(json, "stream", about->stream);
    if (about->model)
        json_out_text(json, "model", about->model);
    json_out_whole(json, "window", e->options.window);
    json_out_whole(json, "report_every", e->options.report_every);
    write_span(json, "overall", &figures.overall);
    write_span(json, "recent", &figures.window);
    json_out_whole(json, "rejected_right", figures.rejected_right);
    write_drift(json, e);
    json_out_open(json, "labels", '[');
    for (size_t k = 0; k < e->n_labels; k++)
        write_label(json, e, k, about);
    json_out_close(json, ']');
    write_confusion(json, e);
    write_series(json, e);
    json_out_close(json, '}');
}

tacos_status tacos_evaluation_json(const tacos_evaluation *evaluation,
                                   const tacos_evaluation_about *about, char **out, size_t *n,
                                   tacos_error *err) {
    static const tacos_evaluation_about nothing = {0};
    *out = NULL;
    FILE *file = open_memstream(out, n);
    if (!file)
        return failure(err, TACOS_MEMORY, "no memory for the figures of a stream");
    JsonOut json = {.file = file};
    CLocale locale = c_locale_begin();
    write_document(&json, evaluation, about ? about : &nothing);
    c_locale_end(&locale);
    bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed && *out) /* NULL: no memory to make it as small as it is */
        return TACOS_OK;
    free(*out);
    *out = NULL;
    return failure(err, TACOS_MEMORY, "no memory for the figures of a stream");
}

void tacos_evaluation_json_free(char *text) {
    free(text);
}
