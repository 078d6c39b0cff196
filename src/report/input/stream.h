/* stream.h - the evaluation of a stream, as stream.json of a folder has it; docs/streams.md. */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include "base/status.h"
#include "tacos_lab.h"

#include <jansson.h>
#include <stdbool.h>

/* How often a label got an answer; -1: none, or rejected. */
typedef struct StreamCell {
    size_t label;
    long answer;
    uint64_t n; /* at least 1 */
} StreamCell;

typedef struct StreamLabel {
    const char *name;
    tacos_evaluation_label of;
    const StreamCell *taken_for; /* its most frequent answer that was not right; NULL: none */
} StreamLabel;

typedef struct StreamFolder {
    const char *folder; /* as it was given */
    json_t *root;       /* owns the texts */
    const char *version;
    const char *stream, *model; /* NULL if not known */
    uint64_t window;
    tacos_evaluation_span overall, recent; /* NaN where not defined */
    uint64_t rejected_right;
    tacos_evaluation_drift drift;
    size_t n_labels, n_cells, n_rows;
    StreamLabel *labels;        /* [n_labels] */
    StreamCell *cells;          /* [n_cells] */
    tacos_evaluation_row *rows; /* [n_rows], by samples */
} StreamFolder;

bool stream_folder_exists(const char *folder);

/* Read FOLDER/stream.json. `folder` must outlive it. */
tacos_status stream_folder_open(StreamFolder *out, const char *folder, tacos_error *err);
void stream_folder_free(StreamFolder *stream);

/* The name of an answer, also of -1. */
const char *stream_answer(const StreamFolder *stream, long answer);

#endif
