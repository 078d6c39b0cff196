/* run_results.c - writes results.json and accuracy.csv. Numbers depend on the configuration and
 * seeds alone; what depends on the machine and the time is in the members called "seconds". */
#include "plan/run_folder.h"

#include "base/decimal.h"
#include "base/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 2 };

static void path_in(const OutputFolder *folder, const char *name, char *out) {
    (void)path_join(out, folder->path, name, "", NULL);
}

/* ---- results.json ---- */

static void write_key(void *user, const ExperimentKey *found, const char *value) {
    JsonOut *json = user;
    const Key *key = found->key;
    bool number = key->type == KEY_REAL || key->type == KEY_COUNT || key->type == KEY_BOUND;
    if (number && strcmp(value, "none") != 0)
        json_out_number(json, key->name, value);
    else
        json_out_text(json, key->name, value);
}

static void write_config(JsonOut *json, const RunSubject *subject) {
    json_out_open(json, "config", '{');
    experiment_visit(&subject->settled, write_key, json);
    json_out_close(json, '}');
}

static void write_data(JsonOut *json, const RunSubject *subject) {
    char checksum[16];
    const Dataset *data = subject->split->data;
    (void)snprintf(checksum, sizeof checksum, "%08x", data->checksum);
    json_out_open(json, "data", '{');
    json_out_text(json, "name", experiment_dataset(subject->experiment));
    json_out_whole(json, "train_images", data->train.n);
    json_out_whole(json, "test_images", data->test.n);
    json_out_text(json, "crc32", checksum);
    if (data->names.n > 0) {
        json_out_open(json, "classes", '[');
        for (size_t i = 0; i < data->names.n; i++)
            json_out_text(json, NULL, data->names.at[i]);
        json_out_close(json, ']');
    }
    if (data->test_from_train)
        json_out_real(json, "test_fraction", data->test_fraction);
    json_out_close(json, '}');
}

/* The classes of each task by number and by name, if they have names. */
static void write_tasks(JsonOut *json, const RunSubject *subject) {
    const ClassNames *names = &subject->split->data->names;
    const Tasks *tasks = &subject->split->tasks;
    if (names->n == 0)
        return;
    json_out_open(json, "tasks", '[');
    for (size_t t = 0; t < tasks->n; t++) {
        json_out_open(json, NULL, '{');
        json_out_open(json, "classes", '[');
        for (size_t k = 0; k < tasks->task[t].n_classes; k++)
            json_out_whole(json, NULL, tasks->task[t].classes[k]);
        json_out_close(json, ']');
        json_out_open(json, "names", '[');
        for (size_t k = 0; k < tasks->task[t].n_classes; k++)
            json_out_text(json, NULL, names->at[tasks->task[t].classes[k]]);
        json_out_close(json, ']');
        json_out_close(json, '}');
    }
    json_out_close(json, ']');
}

/* An example to show the network: the first scored image of the first task, whose pixels are in
 * place in every scenario, preprocessed as the network sees it. `room`: see preprocess_image. */
static void write_example(JsonOut *json, const RunSubject *subject, uint8_t *room) {
    const Images *images = subject->split->scored;
    const TaskSamples *first = &subject->split->test[0];
    size_t size = images_size(images);
    Preprocess look = task_split_preprocess(subject->split);
    const uint8_t *pixels = images->pixels + first->image[0] * size;
    json_out_open(json, "example", '{');
    json_out_whole(json, "task", 1);
    json_out_whole(json, "class", images->labels[first->image[0]]);
    json_out_whole(json, "target", first->target[0]);
    json_out_whole(json, "height", images->height);
    json_out_whole(json, "width", images->width);
    json_out_whole(json, "channels", images->channels);
    json_out_hex(json, "pixels", preprocess_image(&look, pixels, room), size);
    json_out_close(json, '}');
}

static void write_metrics(JsonOut *json, const char *key, const tacos_metrics *metrics,
                          size_t task) {
    json_out_open(json, key, '{');
    if (task > 0)
        json_out_whole(json, "task", task);
#define FIELD(name, text) json_out_real(json, #name, metrics->name);
    TACOS_METRIC_MAP(FIELD)
#undef FIELD
    json_out_close(json, '}');
}

/* Spikes per second of one neuron; NaN without neurons. */
static double rate_hz(const Params *p, uint64_t spikes, size_t n_neurons, uint64_t samples) {
    double seconds = (double)samples * (double)p->n_steps * p->dt_ms / 1000;
    return n_neurons > 0 && samples > 0 ? (double)spikes / (seconds * (double)n_neurons) : NAN;
}

static void write_counters(JsonOut *json, const char *key, const tacos_counters *c,
                           const Params *p) {
    size_t n_hidden = params_hidden_neurons(p);
    json_out_open(json, key, '{');
#define COUNTER(name, operation, text) json_out_whole(json, #name, c->name);
    TACOS_COUNTER_MAP(COUNTER)
#undef COUNTER
    json_out_real(json, "hidden_rate_hz", rate_hz(p, c->hidden_spikes, n_hidden, c->samples));
    json_out_real(json, "output_rate_hz", rate_hz(p, c->output_spikes, p->n_outputs, c->samples));
    json_out_close(json, '}');
}

static void write_measures(JsonOut *json, const tacos_run *run) {
    if (run->n_measures == 0)
        return;
    json_out_open(json, "measures", '[');
    for (size_t i = 0; i < run->n_measures; i++) {
        const tacos_measure *measure = &run->measures[i];
        json_out_open(json, NULL, '{');
        json_out_text(json, "name", tacos_measure_name(measure->kind));
        json_out_whole(json, "after_task", measure->after_task);
        json_out_whole(json, "part", measure->part);
        json_out_real(json, "value", measure->value);
        json_out_close(json, '}');
    }
    json_out_close(json, ']');
}

/* The counts by moment: [class, answer, samples] each. */
static void write_answers(JsonOut *json, const tacos_run *run) {
    if (run->n_answers == 0)
        return;
    json_out_open(json, "answers", '[');
    for (size_t i = 0; i < run->n_answers;) {
        uint32_t moment = run->answers[i].after_task;
        json_out_open(json, NULL, '{');
        json_out_whole(json, "after_task", moment);
        json_out_open(json, "counts", '[');
        for (; i < run->n_answers && run->answers[i].after_task == moment; i++) {
            const tacos_answer_count *count = &run->answers[i];
            const double cell[] = {count->label, count->answer, count->n};
            json_out_reals(json, NULL, cell, sizeof cell / sizeof *cell);
        }
        json_out_close(json, ']');
        json_out_close(json, '}');
    }
    json_out_close(json, ']');
}

/* Of every output, the classes that are taught as it; tasks at random share no meaning. */
static void write_outputs(JsonOut *json, const Tasks *tasks) {
    if (tasks->random)
        return;
    json_out_open(json, "outputs", '[');
    for (size_t o = 0; o < tasks->n_outputs; o++) {
        bool told[CLASSES_MAX] = {false};
        json_out_open(json, NULL, '[');
        for (size_t t = 0; t < tasks->n; t++)
            for (size_t k = 0; k < tasks->task[t].n_classes; k++) {
                uint16_t class = tasks->task[t].classes[k];
                if (tasks->task[t].outputs[k] != o || told[class])
                    continue;
                told[class] = true;
                json_out_whole(json, NULL, class);
            }
        json_out_close(json, ']');
    }
    json_out_close(json, ']');
}

static void write_run(JsonOut *json, const tacos_run *run, const Params *params) {
    const double *silent = run_silent(run);
    size_t n = run->n_tasks;
    char digest[16];
    json_out_open(json, NULL, '{');
    json_out_whole(json, "seed", run->seed);
    json_out_open(json, "R", '[');
    for (size_t k = 0; k < n; k++)
        json_out_reals(json, NULL, run->R + k * n, n);
    json_out_close(json, ']');
    json_out_reals(json, "b", run->b, n);
    json_out_open(json, "after", '[');
    for (size_t k = 0; k < n; k++)
        write_metrics(json, NULL, &run->after[k], k + 1);
    json_out_close(json, ']');
    write_metrics(json, "final", &run->after[n - 1], 0);
    if (silent)
        json_out_real(json, "silent", *silent);
    json_out_open(json, "counters", '{');
    write_counters(json, "learning", &run->stats.learning, params);
    write_counters(json, "predicting", &run->stats.predicting, params);
    json_out_close(json, '}');
    json_out_open(json, "bytes", '{');
    json_out_whole(json, "model", run->stats.model_bytes);
    json_out_whole(json, "workspace", run->stats.workspace_bytes);
    json_out_whole(json, "baseline_model", run->stats.baseline_bytes);
    json_out_close(json, '}');
    write_measures(json, run);
    write_answers(json, run);
    json_out_real(json, "MO", run->memory_overhead);
    (void)snprintf(digest, sizeof digest, "%08x", run->model_digest);
    json_out_text(json, "model_digest", digest);
    json_out_open(json, "seconds", '{');
    json_out_real(json, "train", run->train_seconds);
    json_out_real(json, "test", run->test_seconds);
    json_out_close(json, '}');
    json_out_close(json, '}');
}

static void write_summary_of(JsonOut *json, const Results *results, const char *metric) {
    tacos_summary summary;
    if (tacos_results_summary(results, metric, &summary, NULL) != TACOS_OK)
        return;
    json_out_open(json, metric, '{');
    json_out_real(json, "mean", summary.mean);
    json_out_real(json, "sd", summary.sd);
    json_out_close(json, '}');
}

void run_head_write(JsonOut *json, const RunSubject *subject, const char *status, size_t n_wanted) {
    json_out_text(json, "schema", "tacos-results");
    json_out_whole(json, "schema_version", SCHEMA_VERSION);
    json_out_text(json, "program_version", TACOS_VERSION_STRING);
    json_out_text(json, "experiment", subject->experiment->name);
    json_out_text(json, "status", status);
    json_out_whole(json, "runs_wanted", n_wanted);
    write_config(json, subject);
    json_out_real(json, "chance", tacos_experiment_chance(subject->experiment));
    write_data(json, subject);
    write_tasks(json, subject);
    write_outputs(json, &subject->split->tasks);
}

static tacos_status write_json(const OutputFolder *folder, const RunSubject *subject,
                               const Results *results, uint8_t *room, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    Output output;
    path_in(folder, "results.json", path);
    TRY(output_open(&output, path, err));
    JsonOut json = {.file = output.file};
    json_out_open(&json, NULL, '{');
    run_head_write(&json, subject, results->n == folder->n_wanted ? "complete" : "partial",
                   folder->n_wanted);
    write_example(&json, subject, room);
    json_out_open(&json, "runs", '[');
    for (size_t i = 0; i < results->n; i++)
        write_run(&json, &results->runs[i], &subject->settled.learner);
    json_out_close(&json, ']');
    json_out_open(&json, "summary", '{');
#define SUMMARY(name, text) write_summary_of(&json, results, #name);
    TACOS_METRIC_MAP(SUMMARY)
#undef SUMMARY
    write_summary_of(&json, results, "MO");
    write_summary_of(&json, results, "silent");
    json_out_close(&json, '}');
    json_out_close(&json, '}');
    return output_commit(&output, err);
}

/* ---- accuracy.csv ---- */

static tacos_status write_csv(const OutputFolder *folder, const Results *results,
                              tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    Output output;
    path_in(folder, "accuracy.csv", path);
    TRY(output_open(&output, path, err));
    fputs("seed,after_task,task,accuracy\n", output.file);
    for (size_t i = 0; i < results->n; i++) {
        const tacos_run *run = &results->runs[i];
        for (size_t k = 0; k <= run->n_tasks; k++)
            for (size_t t = 0; t < run->n_tasks; t++)
                fprintf(output.file, "%u,%zu,%zu,%.12g\n", run->seed, k, t + 1,
                        k == 0 ? run->b[t] : run->R[(k - 1) * run->n_tasks + t]);
    }
    return output_commit(&output, err);
}

tacos_status run_folder_write(const OutputFolder *folder, const RunSubject *subject,
                              const Results *results, tacos_error *err) {
    uint8_t *room = malloc(2 * images_size(subject->split->scored) + 1);
    if (!room)
        return failure(err, TACOS_MEMORY, "no memory to write the results");
    CLocale locale = c_locale_begin();
    tacos_status status = write_json(folder, subject, results, room, err);
    if (status == TACOS_OK)
        status = write_csv(folder, results, err);
    c_locale_end(&locale);
    free(room);
    return status;
}
