/* runs_read.c - reads results.json, checking every member: the file is untrusted. */
#include "report/input/runs.h"

#include "base/files.h"
#include "report/input/runs_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The limits keep damaged files from asking for absurd amounts of memory; no run comes near them.
 */
enum { SCHEMA_VERSION = 2, RUNS_LIMIT = 100000 };
enum {
    MEASURES_LIMIT = 100000,
    ANSWERS_LIMIT = 100000,
    PARTS_LIMIT = 1023,
    SIDE_LIMIT = 4096,
    CHANNELS_LIMIT = 4
};

/* ---- head ---- */

static tacos_status read_head(RunFolder *runs, JsonPlace top, tacos_error *err) {
    const char *status;
    uint64_t wanted = 0;
    JsonPlace data;
    TRY(json_in_text(top, "experiment", &runs->name, err));
    TRY(json_in_text(top, "program_version", &runs->version, err));
    TRY(json_in_text(top, "status", &status, err));
    TRY(json_in_whole(top, "runs_wanted", UINT32_MAX, &wanted, err));
    TRY(json_in_object(top, "data", &data, err));
    TRY(json_in_text(data, "name", &runs->dataset, err));
    TRY(json_in_whole(data, "train_images", UINT32_MAX, &runs->n_train_images, err));
    TRY(json_in_whole(data, "test_images", UINT32_MAX, &runs->n_test_images, err));
    runs->complete = strcmp(status, "complete") == 0;
    runs->n_wanted = wanted;
    return TACOS_OK;
}

/* ---- configuration ---- */

/* The shortest text that reads back to the same number. */
static void write_real(char *out, size_t size, double value) {
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

static tacos_status read_value(ConfigValue *out, JsonPlace config, const char *key,
                               const json_t *value, tacos_error *err) {
    out->key = key;
    if (json_is_integer(value))
        (void)snprintf(out->value, sizeof out->value, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        write_real(out->value, sizeof out->value, json_real_value(value));
    else if (json_is_string(value) && strlen(json_string_value(value)) < sizeof out->value)
        strcpy(out->value, json_string_value(value));
    else
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: the value of '%.60s' is neither a number nor a short text",
                       config.path, key);
    return TACOS_OK;
}

bool runs_find_key(const char *name, tacos_key_info *out) {
    tacos_key_info key;
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (strcmp(key.name, name) == 0) {
            *out = key;
            return true;
        }
    return false;
}

/* Keys that follow from the data set and the tasks cannot be set. */
static bool is_derived(const char *name) {
    tacos_key_info key = {.derived = 0};
    return runs_find_key(name, &key) && key.derived;
}

static tacos_status read_config(RunFolder *runs, JsonPlace top, tacos_error *err) {
    const char *key;
    json_t *value;
    JsonPlace config;
    TRY(json_in_object(top, "config", &config, err));
    runs->config = calloc(json_object_size(config.at) + 1, sizeof *runs->config);
    if (!runs->config)
        return failure(err, TACOS_MEMORY, "no memory to read %s", top.path);
    /* Every key is set below, so any experiment will do. */
    TRY(tacos_experiment_open(&runs->experiment, "demo", err));
    runs->known = true;
    /* jansson's iterator takes an object that is not const, but does not change it. */
    json_object_foreach((json_t *)config.at, key, value) {
        ConfigValue *found = &runs->config[runs->n_config];
        TRY(read_value(found, config, key, value, err));
        if (tacos_setting_removed(key, found->value) == TACOS_REMOVED_DEFAULT)
            continue;
        runs->n_config++;
        if (!is_derived(key) &&
            tacos_experiment_set(runs->experiment, key, found->value, NULL) != TACOS_OK)
            runs->known = false;
    }
    return TACOS_OK;
}

tacos_status runs_read_head(RunFolder *runs, const char *path, JsonPlace *top, tacos_error *err) {
    TRY(json_in_file(&runs->root, path, err));
    *top = (JsonPlace){path, "the file", runs->root};
    TRY(json_in_schema(*top, "tacos-results", "results of `tacos run`", SCHEMA_VERSION, err));
    TRY(read_head(runs, *top, err));
    return read_config(runs, *top, err);
}

/* ---- runs ---- */

static tacos_status read_matrix(tacos_run *run, JsonPlace place, tacos_error *err) {
    size_t n = run->n_tasks;
    JsonPlace rows;
    double *R = calloc(n * n, sizeof *R), *b = calloc(n, sizeof *b);
    run->R = R;
    run->b = b;
    if (!R || !b)
        return failure(err, TACOS_MEMORY, "no memory to read %s", place.path);
    TRY(json_in_array(place, "R", &rows, err));
    if (json_array_size(rows.at) != n)
        return failure(err, TACOS_FORMAT, "%s is damaged: runs have different numbers of tasks",
                       place.path);
    for (size_t k = 0; k < n; k++)
        TRY(json_in_percents(place, json_array_get(rows.at, k), "R", n, R + k * n, err));
    TRY(json_in_percents(place, json_object_get(place.at, "b"), "b", n, b, err));
    return TACOS_OK;
}

/* A mean over no tasks is undefined: null, or 0 in version 1. */
static bool is_undefined(const char *name, size_t n_tasks, size_t k) {
    static const char *const backward[] = {"BWT", "FWT_gem", "forgetting"};
    for (size_t i = 0; i < sizeof backward / sizeof *backward; i++)
        if (strcmp(name, backward[i]) == 0)
            return k == 0;
    return strcmp(name, "FWT") == 0 && k + 1 == n_tasks;
}

static tacos_status read_metric(JsonPlace place, const char *name, bool undefined, double *out,
                                tacos_error *err) {
    *out = NAN;
    return undefined ? TACOS_OK : json_in_real(place, name, -100, 100, out, err);
}

static tacos_status read_metrics(tacos_run *run, JsonPlace place, tacos_error *err) {
    JsonPlace list;
    tacos_metrics *after = calloc(run->n_tasks, sizeof *after);
    run->after = after;
    if (!after)
        return failure(err, TACOS_MEMORY, "no memory to read %s", place.path);
    TRY(json_in_array(place, "after", &list, err));
    for (size_t k = 0; k < run->n_tasks; k++) {
        JsonPlace one = {place.path, "the metrics after a task", json_array_get(list.at, k)};
#define FIELD(name, text)                                                                          \
    TRY(read_metric(one, #name, is_undefined(#name, run->n_tasks, k), &after[k].name, err));
        TACOS_METRIC_MAP(FIELD)
#undef FIELD
    }
    return TACOS_OK;
}

static tacos_status read_counters(tacos_counters *out, JsonPlace place, const char *name,
                                  tacos_error *err) {
    JsonPlace of;
    TRY(json_in_object(place, name, &of, err));
#define COUNTER(name, operation, text) TRY(json_in_whole(of, #name, INT64_MAX, &out->name, err));
    TACOS_COUNTER_MAP(COUNTER)
#undef COUNTER
    return TACOS_OK;
}

static tacos_status read_stats(tacos_run *run, JsonPlace place, tacos_error *err) {
    JsonPlace counters, bytes, seconds;
    uint64_t model, workspace, baseline;
    const char *digest;
    TRY(json_in_object(place, "counters", &counters, err));
    TRY(read_counters(&run->stats.learning, counters, "learning", err));
    TRY(read_counters(&run->stats.predicting, counters, "predicting", err));
    TRY(json_in_object(place, "bytes", &bytes, err));
    TRY(json_in_whole(bytes, "model", INT64_MAX, &model, err));
    TRY(json_in_whole(bytes, "workspace", INT64_MAX, &workspace, err));
    TRY(json_in_whole(bytes, "baseline_model", INT64_MAX, &baseline, err));
    TRY(json_in_real(place, "MO", 0, 1e6, &run->memory_overhead, err));
    TRY(json_in_object(place, "seconds", &seconds, err));
    TRY(json_in_real(seconds, "train", 0, 1e9, &run->train_seconds, err));
    TRY(json_in_real(seconds, "test", 0, 1e9, &run->test_seconds, err));
    TRY(json_in_text(place, "model_digest", &digest, err));
    run->stats.model_bytes = model;
    run->stats.workspace_bytes = workspace;
    run->stats.baseline_bytes = baseline;
    run->model_digest = (uint32_t)strtoul(digest, NULL, 16);
    return TACOS_OK;
}

/* Unknown kinds, and values that are null, are skipped. */
static tacos_status read_measures(tacos_run *run, JsonPlace place, tacos_error *err) {
    JsonPlace list;
    if (!json_object_get(place.at, "measures"))
        return TACOS_OK;
    TRY(json_in_array(place, "measures", &list, err));
    size_t n = json_array_size(list.at);
    tacos_measure *measures = calloc(n + 1, sizeof *measures);
    run->measures = measures;
    if (!measures || n > MEASURES_LIMIT)
        return failure(err, TACOS_MEMORY, "no memory for %zu measures in %s", n, place.path);
    for (size_t i = 0; i < n; i++) {
        JsonPlace one = {place.path, "a measure", json_array_get(list.at, i)};
        const char *name;
        uint64_t task, part;
        double value;
        TRY(json_in_text(one, "name", &name, err));
        TRY(json_in_whole(one, "after_task", run->n_tasks, &task, err));
        TRY(json_in_whole(one, "part", PARTS_LIMIT, &part, err));
        if (json_is_null(json_object_get(one.at, "value")))
            continue;
        TRY(json_in_real(one, "value", -1e6, 1e6, &value, err));
        for (int kind = 0; tacos_measure_name((tacos_measure_kind)kind); kind++)
            if (strcmp(tacos_measure_name((tacos_measure_kind)kind), name) == 0)
                measures[run->n_measures++] = (tacos_measure){
                    (tacos_measure_kind)kind, (uint32_t)task, (uint32_t)part, value};
    }
    return TACOS_OK;
}

/* A count: [class, answer, samples]. */
static bool read_count(const json_t *cell, uint64_t moment, tacos_answer_count *out) {
    json_int_t label = json_integer_value(json_array_get(cell, 0));
    json_int_t answer = json_integer_value(json_array_get(cell, 1));
    json_int_t n = json_integer_value(json_array_get(cell, 2));
    *out = (tacos_answer_count){(uint32_t)moment, (uint32_t)label, (int32_t)answer, (uint32_t)n};
    bool whole = json_array_size(cell) == 3;
    for (size_t i = 0; i < 3; i++)
        whole = whole && json_is_integer(json_array_get(cell, i));
    return whole && label >= 0 && label <= UINT16_MAX && answer >= -1 && answer <= UINT16_MAX &&
           n > 0 && n <= UINT32_MAX;
}

static size_t count_answers(const json_t *moments) {
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(moments); i++)
        n += json_array_size(json_object_get(json_array_get(moments, i), "counts"));
    return n;
}

/* Older files have none. */
static tacos_status read_answers(tacos_run *run, JsonPlace place, tacos_error *err) {
    JsonPlace list;
    if (!json_object_get(place.at, "answers"))
        return TACOS_OK;
    TRY(json_in_array(place, "answers", &list, err));
    size_t n = count_answers(list.at);
    tacos_answer_count *answers = calloc(n + 1, sizeof *answers);
    run->answers = answers;
    if (!answers || n > ANSWERS_LIMIT)
        return failure(err, TACOS_MEMORY, "no memory for %zu counts in %s", n, place.path);
    for (size_t i = 0; i < json_array_size(list.at); i++) {
        JsonPlace one = {place.path, "the answers", json_array_get(list.at, i)}, counts;
        uint64_t moment;
        TRY(json_in_whole(one, "after_task", run->n_tasks, &moment, err));
        TRY(json_in_array(one, "counts", &counts, err));
        for (size_t k = 0; k < json_array_size(counts.at); k++)
            if (!read_count(json_array_get(counts.at, k), moment, &answers[run->n_answers++]))
                return failure(err, TACOS_FORMAT,
                               "%s is damaged: a count of answers is not three "
                               "whole numbers",
                               place.path);
    }
    return TACOS_OK;
}

static tacos_status read_run(RunFolder *runs, JsonPlace place, tacos_run *run, tacos_error *err) {
    uint64_t seed;
    TRY(json_in_whole(place, "seed", UINT32_MAX, &seed, err));
    run->seed = (uint32_t)seed;
    run->n_tasks = runs->n_tasks;
    for (size_t i = 0; &runs->runs[i] < run; i++)
        if (runs->runs[i].seed >= run->seed)
            return failure(err, TACOS_FORMAT, "%s is damaged: its seeds do not ascend", place.path);
    TRY(read_matrix(run, place, err));
    TRY(read_metrics(run, place, err));
    TRY(read_stats(run, place, err));
    TRY(read_measures(run, place, err));
    return read_answers(run, place, err);
}

static tacos_status read_runs(RunFolder *runs, JsonPlace top, tacos_error *err) {
    JsonPlace list;
    TRY(json_in_array(top, "runs", &list, err));
    size_t n = json_array_size(list.at);
    const json_t *first = json_array_get(list.at, 0);
    if (n == 0)
        return failure(err, TACOS_FORMAT, "%s has no complete run yet", top.path);
    runs->n_tasks = json_array_size(json_object_get(first, "R"));
    if (runs->n_tasks == 0 || runs->n_tasks > TASKS_LIMIT || n > RUNS_LIMIT)
        return failure(
            err, TACOS_FORMAT,
            "%s is damaged: it has %zu runs of %zu tasks; the limits are %d runs and 1 to %d tasks",
            top.path, n, runs->n_tasks, RUNS_LIMIT, TASKS_LIMIT);
    runs->runs = calloc(n, sizeof *runs->runs);
    if (!runs->runs)
        return failure(err, TACOS_MEMORY, "no memory for %zu runs", n);
    for (size_t i = 0; i < n; i++) {
        JsonPlace one = {top.path, "a run", json_array_get(list.at, i)};
        tacos_run *run = &runs->runs[runs->n_runs++];
        TRY(read_run(runs, one, run, err));
    }
    return TACOS_OK;
}

/* ---- the example ---- */

static int hex_digit(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static tacos_status read_pixels(Example *example, JsonPlace place, tacos_error *err) {
    const char *hex;
    size_t n = example_size(example);
    TRY(json_in_text(place, "pixels", &hex, err));
    bool good = n > 0 && strlen(hex) == 2 * n;
    example->pixels = calloc(n + 1, 1);
    if (!example->pixels)
        return failure(err, TACOS_MEMORY, "no memory for an image");
    for (size_t i = 0; good && i < n; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        good = high >= 0 && low >= 0;
        example->pixels[i] = (uint8_t)(good ? high * 16 + low : 0);
    }
    if (!good)
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: the example is not %zu x %zu pixels of %zu digits",
                       place.path, example->height, example->width, 2 * example->channels);
    return TACOS_OK;
}

static tacos_status read_example(RunFolder *runs, JsonPlace top, tacos_error *err) {
    JsonPlace place;
    uint64_t task, class, target, height, width, channels = 1;
    if (!json_object_get(top.at, "example"))
        return TACOS_OK;
    TRY(json_in_object(top, "example", &place, err));
    place.what = "the example";
    TRY(json_in_whole(place, "task", TASKS_LIMIT, &task, err));
    TRY(json_in_whole(place, "class", UINT16_MAX, &class, err));
    TRY(json_in_whole(place, "target", UINT16_MAX, &target, err));
    TRY(json_in_whole(place, "height", SIDE_LIMIT, &height, err));
    TRY(json_in_whole(place, "width", SIDE_LIMIT, &width, err));
    if (json_object_get(place.at, "channels")) /* version 0.1.0 had grey images only */
        TRY(json_in_whole(place, "channels", CHANNELS_LIMIT, &channels, err));
    runs->example = (Example){task, class, target, height, width, channels, NULL};
    return read_pixels(&runs->example, place, err);
}

/* ---- all ---- */

static tacos_status find_paper(RunFolder *runs, tacos_error *err) {
    size_t n;
    TRY(tacos_experiment_paper_numbers(runs->experiment, runs->paper, PAPER_NUMBERS_MAX, &n, err));
    runs->n_paper = n < PAPER_NUMBERS_MAX ? n : PAPER_NUMBERS_MAX;
    return TACOS_OK;
}

static tacos_status read_all(RunFolder *runs, const char *path, tacos_error *err) {
    JsonPlace top;
    TRY(runs_read_head(runs, path, &top, err));
    TRY(read_runs(runs, top, err));
    TRY(runs_name_tasks(runs, err));
    TRY(read_example(runs, top, err));
    return runs->known ? find_paper(runs, err) : TACOS_OK;
}

tacos_status runs_open(RunFolder *out, const char *folder, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    *out = (RunFolder){.folder = folder};
    TRY(path_join(path, folder, "results.json", "", err));
    tacos_status status = read_all(out, path, err);
    if (status != TACOS_OK)
        runs_free(out);
    return status;
}

void runs_free(RunFolder *runs) {
    for (size_t i = 0; i < runs->n_runs; i++) { /* const for readers only */
        free((void *)runs->runs[i].R);
        free((void *)runs->runs[i].b);
        free((void *)runs->runs[i].after);
        free((void *)runs->runs[i].measures);
        free((void *)runs->runs[i].answers);
    }
    free(runs->runs);
    free(runs->config);
    free(runs->tasks);
    free(runs->example.pixels);
    tacos_experiment_free(runs->experiment);
    json_decref(runs->root);
    *runs = (RunFolder){0};
}
