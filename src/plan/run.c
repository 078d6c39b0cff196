/* run.c - tacos_plan_run, a plan into its store; and tacos_experiment_run, an experiment with
 * several seeds, into its folder. */
#include "plan/run_folder.h"
#include "plan/runner.h"

#include <stdlib.h>
#include <unistd.h>

tacos_status tacos_plan_run(const Plan *plan, const tacos_plan_options *options,
                            tacos_plan_outcome *out, tacos_error *err) {
    Store *store = NULL;
    TaskSplits *splits;
    Plan run = *plan;
    run.is_run = true;
    run.data_dir = options->data_dir;
    *out = (tacos_plan_outcome){0};
    TRY(runner_check_jobs(options->n_jobs, err));
    TRY(task_splits_new(&splits, options->data_dir, err));
    tacos_status status = store_open(&store, options->store, err);
    if (status == TACOS_OK)
        status = runner_run(&run, store, splits, options, NULL, out, err);
    store_close(store);
    task_splits_free(splits);
    return status;
}

/* ---- one experiment ---- */

typedef struct Run {
    const tacos_run_options *options;
    Plan *plan;
    TaskSplits *splits;
    RunSubject subject;
    Store *store;
    Results *results;
    size_t live_rows; /* when running.json was written */
    double live_seconds;
    bool kept; /* something is in the store, or may be */
    tacos_plan_outcome outcome;
} Run;

static int by_seed(const void *a, const void *b) {
    const tacos_run *x = a, *y = b;
    return x->seed < y->seed ? -1 : x->seed > y->seed;
}

static bool has_checkpoint(const tacos_run_options *options) {
    bool found = false;
    for (size_t k = 0; options->out_dir && k < options->n_seeds && !found; k++) {
        char path[OUTPUT_PATH_MAX];
        run_checkpoint_path(options->out_dir, options->seeds[k], path);
        found = access(path, F_OK) == 0;
    }
    return found;
}

/* Read the requested runs from the store. */
static tacos_status collect(Run *run, tacos_error *err) {
    const Dataset *data = run->subject.split->data;
    StoreData known = {experiment_dataset(run->subject.experiment), data->train.n, data->test.n,
                       data->checksum};
    Results *results = run->results;
    for (size_t k = 0; k < run->options->n_seeds; k++) {
        int64_t row = 0;
        bool complete = false;
        TRY(store_want(run->store, run->subject.experiment, &known, run->options->seeds[k], &row,
                       &complete, err));
        if (!complete)
            continue;
        TRY(store_read(run->store, row, &results->runs[results->n], err));
        results->n++;
        if (run->options->out_dir) /* left over if a process was killed before removing it */
            run_checkpoint_remove(run->options->out_dir, run->options->seeds[k]);
    }
    qsort(results->runs, results->n, sizeof *results->runs, by_seed);
    run->kept = results->n > 0 || has_checkpoint(run->options);
    return TACOS_OK;
}

/* Everything that can fail before anything is written: configuration and data. */
static tacos_status prepare(Run *run, const Experiment *experiment, tacos_error *err) {
    const tacos_run_options *options = run->options;
    TRY(plan_of(&run->plan, experiment, options->seeds, options->n_seeds, err));
    TRY(task_splits_new(&run->splits, options->data_dir, err));
    run->subject.experiment = experiment;
    TRY(task_splits_get(run->splits, &experiment->params, &run->subject.split, err));
    TRY(task_split_settle(run->subject.split, experiment, &run->subject.settled, err));
    run->results = calloc(1, sizeof *run->results);
    if (run->results)
        run->results->runs = calloc(options->n_seeds, sizeof *run->results->runs);
    if (!run->results || !run->results->runs)
        return failure(err, TACOS_MEMORY, "no memory for %zu runs", options->n_seeds);
    return TACOS_OK;
}

/* ---- while it runs ---- */

static const double LIVE_SECONDS = 5;

/* Rows scored so far, of all runs. */
static size_t count_rows(const tacos_progress *progress) {
    size_t n = 0;
    for (size_t i = 0; i < progress->n_live; i++)
        n += progress->live[i].n_rows;
    return n;
}

/* Keep running.json current. That it cannot be written is not told here: the results, which are
 * written in the same folder, tell it. */
static int on_progress(void *user, const tacos_progress *progress) {
    Run *run = user;
    const tacos_run_options *options = run->options;
    size_t n_rows = count_rows(progress);
    if (options->live && options->out_dir &&
        (n_rows != run->live_rows || progress->seconds - run->live_seconds >= LIVE_SECONDS)) {
        run->live_rows = n_rows;
        run->live_seconds = progress->seconds;
        (void)run_live_write(options->out_dir, options->n_seeds, &run->subject, progress, NULL);
    }
    return options->progress ? options->progress(options->user, progress) : 0;
}

/* Needs run->store to be open. */
static tacos_status work(Run *run, tacos_error *err) {
    const tacos_run_options *options = run->options;
    tacos_plan_options how = {
        .data_dir = options->data_dir,
        .n_jobs = options->n_jobs,
        .cluster = options->cluster,
        .progress = on_progress,
        .user = run,
    };
    Live *live = live_new();
    RunnerFolder folder = {options->out_dir, options->checkpoint_every, live};
    run->kept = true;
    tacos_status status = runner_run(run->plan, run->store, run->splits, &how,
                                     folder.path ? &folder : NULL, &run->outcome, err);
    live_free(live);
    tacos_error inner = {0};
    tacos_status collected = collect(run, &inner);
    if (collected != TACOS_OK && (status == TACOS_OK || status == TACOS_INTERRUPTED))
        return failure(err, collected, "%s", inner.text);
    if (status == TACOS_OK && run->outcome.n_failed > 0)
        status = failure(err, run->outcome.first_failure_status, "%s", run->outcome.first_failure);
    return status;
}

static tacos_status work_in_folder(Run *run, tacos_error *err) {
    OutputFolder folder;
    TRY(run_folder_open(&folder, run->subject.experiment, run->options, err));
    run->store = folder.store;
    run_live_remove(folder.path); /* of a process that was killed */
    tacos_status status = work(run, err);
    if (run->results->n > 0) {
        tacos_error inner = {0};
        tacos_status written = run_folder_write(&folder, &run->subject, run->results, &inner);
        if (written != TACOS_OK)
            status = failure(err, written, "%s", inner.text);
    }
    run_live_remove(folder.path);
    if (run->kept)
        run_folder_close(&folder);
    else
        run_folder_remove(&folder, run->options->seeds, run->options->n_seeds);
    return status;
}

static tacos_status work_in_memory(Run *run, tacos_error *err) {
    TRY(store_open(&run->store, ":memory:", err));
    tacos_status status = work(run, err);
    store_close(run->store);
    return status;
}

tacos_status tacos_experiment_run(const Experiment *experiment, const tacos_run_options *options,
                                  Results **out, tacos_error *err) {
    Run run = {.options = options};
    *out = NULL;
    if (options->n_seeds == 0)
        return failure(err, TACOS_INVALID, "no seed to run");
    TRY(runner_check_jobs(options->n_jobs, err));
    Experiment numbered = *experiment;
    tacos_status status = experiment_number_tasks(&numbered, options->data_dir, err);
    if (status == TACOS_OK)
        status = prepare(&run, &numbered, err);
    if (status == TACOS_OK)
        status = options->out_dir ? work_in_folder(&run, err) : work_in_memory(&run, err);
    task_splits_free(run.splits);
    tacos_plan_free(run.plan);
    if (run.results && run.results->n > 0 && (status == TACOS_OK || status == TACOS_INTERRUPTED)) {
        *out = run.results;
        return status;
    }
    tacos_results_free(run.results);
    return status;
}
