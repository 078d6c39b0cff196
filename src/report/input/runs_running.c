/* runs_running.c - reads running.json, of a run in progress. */
#include "base/files.h"
#include "report/input/runs_read.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define RUNNING "running.json"

static tacos_status read_running_run(RunFolder *runs, JsonPlace place, tacos_run *run,
                                     tacos_error *err) {
    size_t n = runs->n_tasks;
    uint64_t seed;
    JsonPlace rows;
    double *numbers = calloc(n * n, sizeof *numbers), *b = calloc(n, sizeof *b);
    tacos_metrics *after = calloc(n, sizeof *after);
    *run = (tacos_run){.n_tasks = n, .R = numbers, .b = b, .after = after};
    if (!numbers || !b || !after)
        return failure(err, TACOS_MEMORY, "no memory to read %s", place.path);
    TRY(json_in_whole(place, "seed", UINT32_MAX, &seed, err));
    TRY(json_in_array(place, "R", &rows, err));
    run->seed = (uint32_t)seed;
    for (size_t i = 0; i < n * n; i++)
        numbers[i] = NAN;
    size_t n_rows = json_array_size(rows.at), n_b = json_array_size(json_object_get(place.at, "b"));
    if (n_rows > n)
        return failure(err, TACOS_FORMAT, "%s is damaged: it has more rows than tasks", place.path);
    for (size_t t = 0; t < n; t++)
        b[t] = NAN;
    if (n_b > 0)
        TRY(json_in_percents(place, json_object_get(place.at, "b"), "b", n, b, err));
    for (size_t k = 0; k < n_rows; k++)
        TRY(json_in_percents(place, json_array_get(rows.at, k), "R", n, numbers + k * n, err));
    return TACOS_OK;
}

static tacos_status read_running_runs(RunFolder *runs, JsonPlace top, tacos_error *err) {
    JsonPlace list, progress;
    uint64_t n_tasks;
    TRY(json_in_object(top, "progress", &progress, err));
    TRY(json_in_real(progress, "samples_done", 0, 1e18, &runs->samples_done, err));
    TRY(json_in_real(progress, "samples_total", 0, 1e18, &runs->samples_total, err));
    TRY(json_in_real(progress, "seconds", 0, 1e12, &runs->seconds, err));
    TRY(json_in_array(top, "runs", &list, err));
    size_t n = json_array_size(list.at);
    if (n == 0)
        return TACOS_OK;
    JsonPlace first = {top.path, "a run", json_array_get(list.at, 0)};
    TRY(json_in_whole(first, "tasks", TASKS_LIMIT, &n_tasks, err));
    runs->n_tasks = n_tasks;
    runs->runs = n <= TACOS_LIVE_MAX && n_tasks > 0 ? calloc(n, sizeof *runs->runs) : NULL;
    if (!runs->runs)
        return failure(err, TACOS_FORMAT, "%s is damaged: it has %zu runs of %zu tasks", top.path,
                       n, runs->n_tasks);
    for (size_t i = 0; i < n; i++) {
        JsonPlace one = {top.path, "a run", json_array_get(list.at, i)};
        TRY(read_running_run(runs, one, &runs->runs[runs->n_runs++], err));
    }
    return TACOS_OK;
}

static tacos_status read_running(RunFolder *runs, const char *path, tacos_error *err) {
    JsonPlace top;
    TRY(runs_read_head(runs, path, &top, err));
    runs->running = true;
    TRY(read_running_runs(runs, top, err));
    return runs_name_tasks(runs, err);
}

bool runs_are_running(const char *folder) {
    char path[OUTPUT_PATH_MAX];
    return path_join(path, folder, RUNNING, "", NULL) == TACOS_OK && access(path, F_OK) == 0;
}

tacos_status runs_open_running(RunFolder *out, const char *folder, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    *out = (RunFolder){.folder = folder};
    TRY(path_join(path, folder, RUNNING, "", err));
    tacos_status status = read_running(out, path, err);
    if (status != TACOS_OK)
        runs_free(out);
    return status;
}
