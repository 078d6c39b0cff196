/* folder.c - the time series of an evaluation, as files that are current. */
#include "stream/answers.h"

#include "system/files.h"
#include "terminal/print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double clock_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return (double)NAN;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const char *label_name(void *user, size_t label) {
    return tacos_classifier_label(user, label);
}

static tacos_status write_json(const StreamFolder *folder, const char *path, const Session *session,
                               tacos_error *err) {
    tacos_evaluation_about about = {.stream = folder->stream,
                                    .model = folder->model,
                                    .label = label_name,
                                    .user = session->classifier};
    char *text;
    size_t n;
    tacos_status status = tacos_evaluation_json(session->evaluation, &about, &text, &n, err);
    if (status != TACOS_OK)
        return status;
    status = tacos_file_write(path, text, n, err);
    tacos_evaluation_json_free(text);
    return status;
}

/* The rows that are kept, and one more if `latest` is not NULL. */
static tacos_status write_csv(const char *path, const Session *session,
                              const tacos_evaluation_row *latest, tacos_error *err) {
    size_t n, used;
    const tacos_evaluation_row *rows = tacos_evaluation_series(session->evaluation, &n);
    char *text = malloc((n + 2) * TACOS_EVALUATION_CSV_SIZE);
    if (!text)
        return whole_file_no_memory(path, err);
    used = tacos_evaluation_csv_head(text, TACOS_EVALUATION_CSV_SIZE);
    for (size_t k = 0; k < n; k++)
        used += tacos_evaluation_csv_row(&rows[k], text + used, TACOS_EVALUATION_CSV_SIZE);
    if (latest)
        used += tacos_evaluation_csv_row(latest, text + used, TACOS_EVALUATION_CSV_SIZE);
    tacos_status status = tacos_file_write(path, text, used, err);
    free(text);
    return status;
}

static int write_files(const StreamFolder *folder, const Session *session,
                       const tacos_evaluation_row *latest) {
    char json[PATH_SIZE], csv[PATH_SIZE];
    tacos_error err = {0};
    if (folder_make(folder->path) != 0 || folder_path(json, folder->path, "stream.json") != 0 ||
        folder_path(csv, folder->path, "stream.csv") != 0) {
        cli_error("cannot write to %s: %s", folder->path, strerror(errno));
        return EXIT_FAILED;
    }
    tacos_status status = write_csv(csv, session, latest, &err);
    if (status == TACOS_OK)
        status = write_json(folder, json, session, &err);
    return status == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

/* Rows get sparser as the stream gets longer, and so the files are written less often. */
static int row_is_kept(const Session *session, const tacos_evaluation_row *row) {
    size_t n;
    const tacos_evaluation_row *rows = tacos_evaluation_series(session->evaluation, &n);
    return n > 0 && rows[n - 1].samples == row->samples;
}

int folder_update(const StreamFolder *folder, const Session *session, int last) {
    if (!last && !tacos_evaluation_due(session->evaluation))
        return EXIT_OK;
    tacos_classifier_info info = tacos_classifier_info_get(session->classifier);
    tacos_evaluation_row row =
        tacos_evaluation_report(session->evaluation, clock_seconds(), info.model_bytes);
    int kept = row_is_kept(session, &row);
    if (!folder->path || (!last && !kept))
        return EXIT_OK;
    return write_files(folder, session, kept ? NULL : &row);
}
