/* runner.c - hands out runs, collects their outcomes, stores them. One thread does all of this; the
 * runs are made by Workers in this process, and by a cluster. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "plan/runner.h"

#include "base/files.h"
#include "lab/clock.h"
#include "plan/distribute.h"
#include "plan/run_folder.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double REPORT_SECONDS = 0.05;
static const double CLUSTER_POLL_SECONDS[2] = {0.001, 0.02}; /* minimum and maximum */

typedef struct Runner {
    const Plan *plan;
    Store *store;
    TaskSplits *splits;
    const tacos_plan_options *options;
    const RunnerFolder *folder; /* or NULL */
    tacos_plan_outcome *out;

    size_t stage, n_configs;
    size_t *configs;     /* [n_configs] of this stage */
    Standing *standings; /* [plan->n_configs] in this stage */
    TodoList list;
    Distribution runs; /* of the list */

    double sample_seconds;     /* on the test clock (clock.h); 0: the machine's clock */
    double start, last_report; /* when */
    uint64_t samples_expected; /* of later stages */
    uint64_t samples_before;   /* of earlier stages, as planned */
    uint64_t samples_base;     /* count of workers and cluster when this stage began */
    tacos_progress progress;
    const char *note;                    /* to be reported next, or NULL */
    tacos_live_run live[TACOS_LIVE_MAX]; /* what progress points to */
    bool best_is_whole;
    bool stop;
} Runner;

size_t runner_jobs(unsigned wanted) {
    cpu_set_t allowed;
    if (wanted > 0)
        return wanted;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return (size_t)CPU_COUNT(&allowed);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (size_t)cores : 1;
}

tacos_status runner_check_jobs(unsigned wanted, tacos_error *err) {
    if (wanted > TACOS_JOBS_MAX)
        return failure(err, TACOS_RANGE, "%u jobs are out of range: at most %d", wanted,
                       TACOS_JOBS_MAX);
    return TACOS_OK;
}

/* ---- progress ---- */

static const char *next_note(const Runner *runner) {
    tacos_cluster *cluster = runner->runs.cluster;
    return cluster && cluster->note ? cluster->note(cluster) : NULL;
}

static void report_progress(Runner *runner, bool always) {
    tacos_progress *progress = &runner->progress;
    uint64_t made = distribute_samples(&runner->runs) - runner->samples_base;
    double now = clock_after(runner->sample_seconds, runner->samples_before + made);
    if (!runner->note)
        runner->note = next_note(runner);
    if (runner->stop || !runner->options->progress ||
        (!always && !runner->note && now - runner->last_report < REPORT_SECONDS))
        return;
    uint64_t most = runner->list.n_samples; /* a run that was started twice counts once */
    bool all_ended = runner->runs.n_ended == runner->list.n;
    runner->last_report = now;
    progress->done = runner->samples_before + (all_ended || made > most ? most : made);
    progress->total = runner->samples_before + most + runner->samples_expected;
    progress->seconds = now - runner->start;
    if (runner->folder && runner->folder->live)
        progress->n_live = live_view(runner->folder->live, runner->live);
    progress->live = runner->live;
    progress->note = runner->note;
    runner->note = NULL;
    if (runner->options->progress(runner->options->user, progress) != 0)
        runner->stop = true;
}

/* The best configuration with all its seeds; before there is one, the best of all. */
static void note_best(Runner *runner, const Standing *standing) {
    bool whole = standing->n == runner->plan->n_seeds;
    if (standing->n == 0 || (runner->best_is_whole && !whole))
        return;
    double mean = standing->sum / (double)standing->n;
    if (mean > runner->progress.best || whole > runner->best_is_whole)
        runner->progress.best = mean;
    runner->best_is_whole |= whole;
}

/* ---- taking ---- */

static void set_first_failure(tacos_plan_outcome *out, tacos_status status,
                              const tacos_error *why) {
    memcpy(out->first_failure, why->text, sizeof out->first_failure);
    out->first_failure_status = status;
}

static tacos_status note_failure(Runner *runner, const Outcome *outcome, tacos_error *err) {
    const Todo *todo = &runner->list.todos[outcome->tag];
    TRY(store_fail(runner->store, todo->row, &outcome->err, outcome->host, err));
    if (runner->out->n_failed++ == 0)
        set_first_failure(runner->out, outcome->status, &outcome->err);
    runner->progress.runs_failed++;
    return TACOS_OK;
}

static tacos_status keep_model(const Runner *runner, const Outcome *outcome, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    LockFile lock;
    if (outcome->model.n == 0)
        return TACOS_OK;
    run_model_path(runner->folder->path, outcome->run.seed, path);
    TRY(lockfile_take(&lock, path, err));
    tacos_status status = tacos_file_write(path, outcome->model.bytes, outcome->model.n, err);
    lockfile_release(&lock);
    return status;
}

static tacos_status note_run(Runner *runner, Outcome *outcome, tacos_error *err) {
    const Todo *todo = &runner->list.todos[outcome->tag];
    const tacos_run *run = &outcome->run;
    double ma = run->after[run->n_tasks - 1].MA;
    runner->runs.run_seconds += run->train_seconds + run->test_seconds;
    tacos_status status = keep_model(runner, outcome, err);
    if (status == TACOS_OK)
        status = store_complete(runner->store, todo->row, run, outcome->host, err);
    if (status == TACOS_OK && runner->folder)
        run_checkpoint_remove(runner->folder->path, run->seed);
    outcome_free(outcome);
    TRY(status);
    runner->out->n_complete++;
    Standing *standing = &runner->standings[todo->config];
    standing->sum += ma;
    standing->n++;
    note_best(runner, standing);
    return TACOS_OK;
}

/* A run for which a member lacks memory or files may well work here. */
static bool is_given_back(const Outcome *outcome, bool of_cluster) {
    return of_cluster && (outcome->status == TACOS_MEMORY || outcome->status == TACOS_IO ||
                          outcome->status == TACOS_MISSING);
}

static tacos_status take_outcome(Runner *runner, Outcome *outcome, bool of_cluster,
                                 tacos_error *err) {
    if (outcome->status == TACOS_INTERRUPTED)
        return TACOS_OK;
    if (is_given_back(outcome, of_cluster))
        return distribute_again(&runner->runs, (size_t)outcome->tag, outcome->status, err);
    TRY(outcome->status == TACOS_OK ? note_run(runner, outcome, err)
                                    : note_failure(runner, outcome, err));
    runner->runs.n_ended++;
    runner->progress.runs_done++;
    report_progress(runner, true);
    return TACOS_OK;
}

/* A report from another process cannot wake this thread, so it polls, often enough that a member
 * waits only a small fraction of a run's time. */
static double wait_seconds(const Runner *runner) {
    if (!runner->runs.cluster || runner->runs.cluster->workers)
        return REPORT_SECONDS;
    double wait =
        runner->runs.n_ended ? runner->runs.run_seconds / (double)runner->runs.n_ended / 200 : 0;
    return wait < CLUSTER_POLL_SECONDS[0]   ? CLUSTER_POLL_SECONDS[0]
           : wait > CLUSTER_POLL_SECONDS[1] ? CLUSTER_POLL_SECONDS[1]
                                            : wait;
}

static tacos_status take(Runner *runner, tacos_error *err) {
    Outcome outcome;
    double wait = wait_seconds(runner);
    while (runner->runs.cluster && runner->runs.cluster->take(runner->runs.cluster, &outcome))
        TRY(take_outcome(runner, &outcome, true, err));
    while (workers_take(runner->runs.workers, &outcome, wait)) {
        TRY(take_outcome(runner, &outcome, false, err));
        wait = 0;
    }
    return TACOS_OK;
}

/* ---- a stage ---- */

/* Runs that completed before the stop request are kept. */
static tacos_status stop_runs(Runner *runner, tacos_error *err) {
    Outcome outcome;
    workers_stop(runner->runs.workers);
    while (workers_load(runner->runs.workers) > 0)
        if (workers_take(runner->runs.workers, &outcome, REPORT_SECONDS))
            TRY(take_outcome(runner, &outcome, false, err));
    while (runner->runs.cluster && runner->runs.cluster->take(runner->runs.cluster, &outcome))
        TRY(take_outcome(runner, &outcome, true, err));
    return failure(err, TACOS_INTERRUPTED, "interrupted");
}

/* The samples of later stages, assuming that all their configurations are like the first. */
static uint64_t expect_samples(const Runner *runner) {
    uint64_t n = 0;
    for (size_t s = runner->stage + 1; s < halving_stages(runner->plan); s++) {
        Experiment experiment;
        const TaskSplit *split;
        if (plan_config(runner->plan, runner->configs[0], &experiment, NULL) != TACOS_OK)
            continue;
        halving_cut(runner->plan, s, &experiment);
        if (task_splits_get(runner->splits, &experiment.params, &split, NULL) == TACOS_OK)
            n += task_split_samples(split, &experiment) * halving_survivors(runner->plan, s) *
                 runner->plan->n_seeds;
    }
    return n;
}

static tacos_status make_runs(Runner *runner, tacos_error *err) {
    TRY(distribute_divide(&runner->runs, err));
    for (report_progress(runner, true);
         runner->runs.waiting.n_waiting + distribute_in_flight(&runner->runs) > 0;
         report_progress(runner, false)) {
        if (runner->stop)
            return stop_runs(runner, err);
        workers_heard(runner->runs.workers);
        if (runner->runs.cluster && runner->runs.cluster->workers)
            workers_heard(runner->runs.cluster->workers);
        TRY(distribute_give(&runner->runs, err));
        TRY(take(runner, err));
    }
    return TACOS_OK;
}

/* Those of this process and, if it has some, of the cluster. */
static void set_up(const Runner *runner, Workers *workers) {
    workers_set_clock(workers, runner->sample_seconds);
    if (runner->folder)
        workers_set_checkpoints(workers, runner->folder->path, runner->folder->checkpoint_every);
    if (runner->folder)
        workers_set_live(workers, runner->folder->live);
}

/* Only once there are runs to make. */
static tacos_status start_workers(Runner *runner, tacos_error *err) {
    tacos_cluster *cluster = runner->options->cluster;
    runner->runs.n_jobs = runner_jobs(runner->options->n_jobs);
    if (cluster) {
        TRY(cluster->begin(cluster, runner->splits, runner->options->data_dir,
                           runner->options->n_jobs, &runner->runs.n_jobs, err));
        runner->runs.cluster = cluster;
    }
    TRY(workers_new(&runner->runs.workers, runner->runs.n_jobs, runner->splits, err));
    set_up(runner, runner->runs.workers);
    if (cluster && cluster->workers) {
        set_up(runner, cluster->workers);
        workers_wake(cluster->workers, runner->runs.workers);
    }
    runner->samples_base = distribute_samples(&runner->runs);
    return TACOS_OK;
}

static void end_workers(Runner *runner) {
    if (runner->runs.cluster)
        runner->runs.cluster->end(runner->runs.cluster);
    runner->runs.cluster = NULL;
    workers_free(runner->runs.workers);
    runner->runs.workers = NULL;
}

static void count_listed(Runner *runner) {
    const TodoList *list = &runner->list;
    tacos_plan_outcome *out = runner->out;
    if (out->n_failed == 0)
        set_first_failure(out, list->first_failure.status, &list->first_failure);
    out->n_there += list->n_there;
    out->n_failed += list->n_failed;
    runner->progress.runs_there += list->n_there;
    runner->progress.runs_failed += list->n_failed;
    runner->progress.runs_done += list->n_there + list->n_failed;
    runner->progress.runs_total -= list->n_elsewhere;
    for (size_t i = 0; i < runner->n_configs; i++)
        note_best(runner, &runner->standings[runner->configs[i]]);
}

static tacos_status run_stage(Runner *runner, tacos_error *err) {
    TodoList *list = &runner->list;
    memset(runner->standings, 0, runner->plan->n_configs * sizeof *runner->standings);
    runner->best_is_whole = false;
    runner->progress.best = -1; /* fewer tasks are easier: stages are not comparable */
    TodoScope scope = {.plan = runner->plan,
                       .stage = runner->stage,
                       .configs = runner->configs,
                       .n_configs = runner->n_configs,
                       .store = runner->store,
                       .splits = runner->splits,
                       .standings = runner->standings};
    tacos_status status = todo_list(list, &scope, err);
    strcpy(runner->out->missing_dataset, list->missing_dataset);
    TRY(status);
    count_listed(runner);
    runner->runs = (Distribution){.plan = runner->plan,
                                  .stage = runner->stage,
                                  .list = list,
                                  .keep_models = runner->folder != NULL};
    runner->samples_expected = expect_samples(runner);
    status = waiting_new(&runner->runs.waiting, list->n, err);
    if (status == TACOS_OK && list->n > 0)
        status = start_workers(runner, err);
    if (status == TACOS_OK && list->n > 0) {
        status = make_runs(runner, err);
        do
            report_progress(runner, status == TACOS_OK);
        while ((runner->note = next_note(runner)));
    }
    runner->samples_before += list->n_samples;
    end_workers(runner);
    waiting_free(&runner->runs.waiting);
    todo_free(list);
    return status;
}

static tacos_status run_stages(Runner *runner, tacos_error *err) {
    size_t n_stages = halving_stages(runner->plan);
    for (size_t s = 0; s < n_stages; s++)
        runner->progress.runs_total += halving_survivors(runner->plan, s) * runner->plan->n_seeds;
    for (runner->stage = 0; runner->stage < n_stages; runner->stage++) {
        TRY(run_stage(runner, err));
        if (runner->stage + 1 == n_stages)
            break;
        size_t keep = halving_survivors(runner->plan, runner->stage + 1);
        TRY(halving_select(runner->configs, runner->n_configs, keep, runner->standings, err));
        runner->n_configs = keep;
    }
    return TACOS_OK;
}

tacos_status runner_run(const Plan *plan, Store *store, TaskSplits *splits,
                        const tacos_plan_options *options, const RunnerFolder *folder,
                        tacos_plan_outcome *out, tacos_error *err) {
    size_t *configs = calloc(plan->n_configs, sizeof *configs);
    Standing *standings = calloc(plan->n_configs, sizeof *standings);
    Runner runner = {
        .plan = plan,
        .store = store,
        .splits = splits,
        .options = options,
        .folder = folder,
        .out = out,
        .n_configs = plan->n_configs,
        .configs = configs,
        .standings = standings,
        .progress.best = -1,
    };
    *out = (tacos_plan_outcome){0};
    tacos_status status = TACOS_OK;
    if (!configs || !standings)
        status = failure(err, TACOS_MEMORY, "no memory for %zu configurations", plan->n_configs);
    for (size_t i = 0; i < plan->n_configs && status == TACOS_OK; i++)
        configs[i] = i;
    if (status == TACOS_OK)
        status = clock_of_tests(&runner.sample_seconds, err);
    runner.start = clock_after(runner.sample_seconds, 0);
    if (status == TACOS_OK)
        status = run_stages(&runner, err);
    free(configs);
    free(standings);
    return status;
}
