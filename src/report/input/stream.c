/* stream.c - reads stream.json, checking every member: the file is untrusted. */
#include "report/input/stream.h"

#include "base/files.h"
#include "report/input/json_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA_VERSION = 1, LABELS_LIMIT = 4096, ROWS_LIMIT = 100000, CELLS_LIMIT = 20000000 };

/* As many samples as a double counts one by one. */
#define SAMPLES_LIMIT ((uint64_t)1 << 53)

/* Kappas have no lower bound, and rates no upper one. */
#define NUMBER_LIMIT 1e12

bool stream_folder_exists(const char *folder) {
    char path[OUTPUT_PATH_MAX];
    return path_join(path, folder, "stream.json", "", NULL) == TACOS_OK && access(path, F_OK) == 0;
}

/* ---- members ---- */

static tacos_status damaged(JsonPlace place, const char *name, const char *what, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%s is damaged: in %s, '%s' %s", place.path, place.what, name,
                   what);
}

/* A number, NaN for null. */
static tacos_status read_number(JsonPlace place, const char *name, double min, double max,
                                double *out, tacos_error *err) {
    *out = NAN;
    if (json_is_null(json_object_get(place.at, name)))
        return TACOS_OK;
    return json_in_real(place, name, min, max, out, err);
}

/* A count, which large ones write as a real. */
static bool as_count(const json_t *value, uint64_t *out) {
    double number = json_number_value(value);
    if (!json_is_number(value) || number < 0 || number > (double)SAMPLES_LIMIT)
        return false;
    *out = (uint64_t)number;
    return true;
}

static tacos_status read_counts(JsonPlace place, const char *const *names, uint64_t *const *out,
                                tacos_error *err) {
    for (; *names; names++, out++)
        TRY(json_in_whole(place, *names, SAMPLES_LIMIT, *out, err));
    return TACOS_OK;
}

/* ---- figures ---- */

static tacos_status read_span(JsonPlace top, const char *name, tacos_evaluation_span *out,
                              tacos_error *err) {
    static const char *const counts[] = {"samples", "right", "rejected", "unanswered", NULL};
    JsonPlace at;
    TRY(json_in_object(top, name, &at, err));
    at.what = name;
    TRY(read_counts(
        at, counts,
        (uint64_t *const[]){&out->samples, &out->right, &out->rejected, &out->unanswered}, err));
    TRY(read_number(at, "accuracy", 0, 100, &out->accuracy, err));
    TRY(read_number(at, "answered", 0, 100, &out->answered, err));
    TRY(read_number(at, "repeat_last", 0, 100, &out->repeat_last, err));
    TRY(read_number(at, "majority", 0, 100, &out->majority, err));
    TRY(read_number(at, "kappa", -NUMBER_LIMIT, 1, &out->kappa, err));
    return read_number(at, "kappa_temporal", -NUMBER_LIMIT, 1, &out->kappa_temporal, err);
}

static tacos_status read_drift(JsonPlace top, uint64_t n_samples, tacos_evaluation_drift *out,
                               tacos_error *err) {
    JsonPlace drift, at;
    TRY(json_in_object(top, "drift", &drift, err));
    TRY(json_in_whole(drift, "alarms", SAMPLES_LIMIT, &out->alarms, err));
    TRY(json_in_whole(drift, "width", SAMPLES_LIMIT, &out->width, err));
    TRY(json_in_array(drift, "at", &at, err));
    out->n = json_array_size(at.at);
    if (out->n > TACOS_EVALUATION_ALARMS)
        return damaged(drift, "at", "has more than 32 numbers", err);
    for (size_t k = 0; k < out->n; k++)
        if (!as_count(json_array_get(at.at, k), &out->at[k]) || out->at[k] > n_samples)
            return damaged(drift, "at", "is not a list of samples", err);
    return TACOS_OK;
}

static tacos_status read_label(JsonPlace at, StreamLabel *out, tacos_error *err) {
    static const char *const counts[] = {"samples", "answered", "right", NULL};
    TRY(json_in_text(at, "label", &out->name, err));
    TRY(read_counts(at, counts,
                    (uint64_t *const[]){&out->of.samples, &out->of.answered, &out->of.right}, err));
    TRY(read_number(at, "recall", 0, 100, &out->of.recall, err));
    return read_number(at, "precision", 0, 100, &out->of.precision, err);
}

static tacos_status no_memory(tacos_error *err) {
    return failure(err, TACOS_MEMORY, "no memory to read a stream's figures");
}

/* A list of n items of a size, at most `limit`; *out has room for them. */
static tacos_status open_list(JsonPlace top, const char *name, size_t limit, size_t item_bytes,
                              JsonPlace *list, void *out, tacos_error *err) {
    TRY(json_in_array(top, name, list, err));
    size_t n = json_array_size(list->at);
    if (n > limit)
        return damaged(top, name, "is too long", err);
    void *items = calloc(n + 1, item_bytes);
    if (!items)
        return no_memory(err);
    memcpy(out, &items, sizeof items);
    return TACOS_OK;
}

static tacos_status read_labels(StreamFolder *stream, JsonPlace top, tacos_error *err) {
    JsonPlace list;
    TRY(open_list(top, "labels", LABELS_LIMIT, sizeof *stream->labels, &list, &stream->labels,
                  err));
    stream->n_labels = json_array_size(list.at);
    for (size_t k = 0; k < stream->n_labels; k++)
        TRY(read_label((JsonPlace){top.path, "a label", json_array_get(list.at, k)},
                       &stream->labels[k], err));
    return TACOS_OK;
}

static bool read_cell(const json_t *triple, size_t n_labels, StreamCell *out) {
    double answer = json_number_value(json_array_get(triple, 1));
    uint64_t label = 0;
    if (json_array_size(triple) != 3 || !json_is_number(json_array_get(triple, 1)) ||
        !as_count(json_array_get(triple, 0), &label) ||
        !as_count(json_array_get(triple, 2), &out->n))
        return false;
    if (label >= n_labels || !(answer >= -1 && answer < (double)n_labels) || out->n == 0)
        return false;
    out->label = (size_t)label;
    out->answer = (long)answer;
    return true;
}

static void take_confusion(StreamFolder *stream, const StreamCell *cell) {
    const StreamCell **most = &stream->labels[cell->label].taken_for;
    bool wrong = cell->answer >= 0 && (size_t)cell->answer != cell->label;
    if (wrong && (!*most || cell->n > (*most)->n))
        *most = cell;
}

static tacos_status read_cells(StreamFolder *stream, JsonPlace top, tacos_error *err) {
    JsonPlace list;
    TRY(open_list(top, "confusion", CELLS_LIMIT, sizeof *stream->cells, &list, &stream->cells,
                  err));
    stream->n_cells = json_array_size(list.at);
    for (size_t k = 0; k < stream->n_cells; k++) {
        if (!read_cell(json_array_get(list.at, k), stream->n_labels, &stream->cells[k]))
            return damaged(top, "confusion", "has a triple that is none", err);
        take_confusion(stream, &stream->cells[k]);
    }
    return TACOS_OK;
}

/* ---- time series ---- */

typedef struct Column {
    const char *name;
    size_t offset;
    bool whole;
} Column;

static const Column columns[] = {
#define WHOLE(name, text)  {#name, offsetof(tacos_evaluation_row, name), true},
#define NUMBER(name, text) {#name, offsetof(tacos_evaluation_row, name), false},
    TACOS_EVALUATION_ROW_MAP(WHOLE, NUMBER)
#undef NUMBER
#undef WHOLE
};

static bool read_place(const json_t *value, const Column *column, tacos_evaluation_row *row) {
    void *place = (char *)row + column->offset;
    double number = json_is_null(value) ? NAN : json_number_value(value);
    if (column->whole)
        return as_count(value, place);
    memcpy(place, &number, sizeof number);
    return json_is_null(value) || (json_is_number(value) && fabs(number) <= NUMBER_LIMIT);
}

static tacos_status read_column(StreamFolder *stream, JsonPlace series, const Column *column,
                                tacos_error *err) {
    JsonPlace list;
    TRY(json_in_array(series, column->name, &list, err));
    if (json_array_size(list.at) != stream->n_rows)
        return damaged(series, column->name, "is of another length than 'samples'", err);
    for (size_t k = 0; k < stream->n_rows; k++)
        if (!read_place(json_array_get(list.at, k), column, &stream->rows[k]))
            return damaged(series, column->name, "is not a list of numbers", err);
    return TACOS_OK;
}

static tacos_status read_series(StreamFolder *stream, JsonPlace top, tacos_error *err) {
    JsonPlace series, list;
    TRY(json_in_object(top, "series", &series, err));
    series.what = "the series";
    TRY(open_list(series, "samples", ROWS_LIMIT, sizeof *stream->rows, &list, &stream->rows, err));
    stream->n_rows = json_array_size(list.at);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        TRY(read_column(stream, series, &columns[k], err));
    for (size_t k = 0; k < stream->n_rows; k++)
        if (stream->rows[k].samples > stream->overall.samples ||
            (k > 0 && stream->rows[k].samples <= stream->rows[k - 1].samples))
            return damaged(series, "samples", "does not ascend to the samples overall", err);
    return TACOS_OK;
}

/* ---- all ---- */

static tacos_status read_all(StreamFolder *stream, JsonPlace top, tacos_error *err) {
    TRY(json_in_schema(top, "tacos-stream", "the evaluation of a stream", SCHEMA_VERSION, err));
    TRY(json_in_text(top, "program_version", &stream->version, err));
    stream->stream = json_string_value(json_object_get(top.at, "stream"));
    stream->model = json_string_value(json_object_get(top.at, "model"));
    TRY(json_in_whole(top, "window", SAMPLES_LIMIT, &stream->window, err));
    TRY(json_in_whole(top, "rejected_right", SAMPLES_LIMIT, &stream->rejected_right, err));
    TRY(read_span(top, "overall", &stream->overall, err));
    TRY(read_span(top, "recent", &stream->recent, err));
    TRY(read_drift(top, stream->overall.samples, &stream->drift, err));
    TRY(read_labels(stream, top, err));
    TRY(read_cells(stream, top, err));
    return read_series(stream, top, err);
}

tacos_status stream_folder_open(StreamFolder *out, const char *folder, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    *out = (StreamFolder){.folder = folder};
    TRY(path_join(path, folder, "stream.json", "", err));
    TRY(json_in_file(&out->root, path, err));
    tacos_status status = read_all(out, (JsonPlace){path, "the stream", out->root}, err);
    if (status != TACOS_OK)
        stream_folder_free(out);
    return status;
}

void stream_folder_free(StreamFolder *stream) {
    free(stream->labels);
    free(stream->cells);
    free(stream->rows);
    json_decref(stream->root);
    *stream = (StreamFolder){.folder = stream->folder};
}

const char *stream_answer(const StreamFolder *stream, long answer) {
    return answer < 0 ? "none" : stream->labels[answer].name;
}
