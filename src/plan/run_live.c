/* run_live.c - running.json: a run in progress, for who looks at it meanwhile. It has the head of
 * results.json, and of every run at hand the accuracies that are known. */
#include "plan/run_folder.h"

#include "base/decimal.h"

#include <stdlib.h>
#include <unistd.h>

static void write_live_run(JsonOut *json, const tacos_live_run *run) {
    size_t n = run->n_tasks;
    json_out_open(json, NULL, '{');
    json_out_whole(json, "seed", run->seed);
    json_out_whole(json, "tasks", n);
    json_out_reals(json, "b", run->b, run->n_rows > 0 ? n : 0);
    json_out_open(json, "R", '[');
    for (size_t k = 0; k + 1 < run->n_rows; k++)
        json_out_reals(json, NULL, run->R + k * n, n);
    json_out_close(json, ']');
    json_out_close(json, '}');
}

static void write_progress(JsonOut *json, const tacos_progress *progress) {
    json_out_open(json, "progress", '{');
    json_out_whole(json, "samples_done", progress->done);
    json_out_whole(json, "samples_total", progress->total);
    json_out_whole(json, "runs_done", progress->runs_done);
    json_out_real(json, "seconds", progress->seconds);
    json_out_close(json, '}');
}

tacos_status run_live_write(const char *folder, size_t n_wanted, const RunSubject *subject,
                            const tacos_progress *progress, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    Output output;
    TRY(path_join(path, folder, RUNNING_NAME, "", err));
    TRY(output_open(&output, path, err));
    CLocale locale = c_locale_begin();
    JsonOut json = {.file = output.file};
    json_out_open(&json, NULL, '{');
    run_head_write(&json, subject, "running", n_wanted);
    write_progress(&json, progress);
    json_out_open(&json, "runs", '[');
    for (size_t i = 0; i < progress->n_live; i++)
        write_live_run(&json, &progress->live[i]);
    json_out_close(&json, ']');
    json_out_close(&json, '}');
    c_locale_end(&locale);
    return output_commit(&output, err);
}

void run_live_remove(const char *folder) {
    char path[OUTPUT_PATH_MAX];
    if (path_join(path, folder, RUNNING_NAME, "", NULL) == TACOS_OK)
        (void)unlink(path);
}
