/* runner.c - hands out runs, collects their outcomes, stores them. One thread does all of this; the
 * runs are made by Workers in this process and by a cluster in others. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "plan/runner.h"

#include "base/files.h"
#include "lab/clock.h"
#include "plan/cluster.h"
#include "plan/run_folder.h"
#include "plan/todo.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double REPORT_SECONDS = 0.05;
static const double CLUSTER_POLL_SECONDS[2] = {0.001, 0.02}; /* minimum and maximum */
static const double SHORT_RUN_SECONDS = 0.25;

typedef struct Runner {
    const Plan *plan;
    Store *store;
    TaskSplits *splits;
    const tacos_plan_options *options;
    const RunnerFolder *folder; /* or NULL */
    tacos_plan_outcome *out;

    tacos_cluster *cluster; /* or NULL */
    Workers *workers;
    size_t n_jobs; /* of this process */

    size_t stage, n_configs;
    size_t *configs;     /* [n_configs] of this stage */
    Standing *standings; /* [plan->n_configs] in this stage */
    TodoList list;
    size_t next;      /* index into the list */
    size_t *returned; /* indices of runs that a member could not make; to be made here */
    size_t n_returned;

    double sample_seconds;     /* on the test clock (clock.h); 0: the machine's clock */
    double start, last_report; /* when */
    double run_seconds;        /* sum over the runs that ended */
    size_t n_ended;
    uint64_t samples_expected; /* of later stages */
    uint64_t samples_before;   /* of earlier stages, as planned */
    uint64_t samples_base;     /* count of workers and cluster when this stage began */
    tacos_progress progress;
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

static uint64_t samples_made(const Runner *runner) {
    uint64_t made = workers_samples(runner->workers);
    return runner->cluster ? made + runner->cluster->samples(runner->cluster) : made;
}

static void report_progress(Runner *runner, bool always) {
    tacos_progress *progress = &runner->progress;
    uint64_t made = samples_made(runner) - runner->samples_base;
    double now = clock_after(runner->sample_seconds, runner->samples_before + made);
    if (runner->stop || !runner->options->progress ||
        (!always && now - runner->last_report < REPORT_SECONDS))
        return;
    uint64_t most = runner->list.n_samples; /* a run that was started twice counts once */
    bool all_ended = runner->n_ended == runner->list.n;
    runner->last_report = now;
    progress->done = runner->samples_before + (all_ended || made > most ? most : made);
    progress->total = runner->samples_before + most + runner->samples_expected;
    progress->seconds = now - runner->start;
    if (runner->folder && runner->folder->live)
        progress->n_live = live_view(runner->folder->live, runner->live);
    progress->live = runner->live;
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

/* ---- giving and taking ---- */

/* Short runs are queued ahead, so that no thread waits for the next one. */
static size_t depth(const Runner *runner) {
    bool quick =
        runner->n_ended > 0 && runner->run_seconds < SHORT_RUN_SECONDS * (double)runner->n_ended;
    return quick ? WORKERS_QUEUE : 1;
}

static size_t in_flight(const Runner *runner) {
    size_t n = workers_load(runner->workers);
    return runner->cluster ? n + runner->cluster->load(runner->cluster) : n;
}

static size_t waiting(const Runner *runner) {
    return runner->list.n - runner->next + runner->n_returned;
}

/* Threads that would be idle share the remaining runs. */
static size_t threads_of_a_run(const Runner *runner) {
    size_t n_runs = waiting(runner) + in_flight(runner);
    return n_runs < runner->n_jobs ? runner->n_jobs / n_runs : 1;
}

static tacos_status assign(const Runner *runner, size_t index, Assignment *out, tacos_error *err) {
    const Todo *todo = &runner->list.todos[index];
    out->tag = index;
    out->seed = todo->seed;
    out->n_threads = 1;
    out->keep_model = runner->folder != NULL;
    TRY(plan_config(runner->plan, todo->config, &out->experiment, err));
    halving_cut(runner->plan, runner->stage, &out->experiment);
    return TACOS_OK;
}

static tacos_status give_to_workers(Runner *runner, tacos_error *err) {
    Assignment assignment;
    while (waiting(runner) > 0 && workers_load(runner->workers) < runner->n_jobs * depth(runner)) {
        bool again = runner->n_returned > 0;
        size_t index = again ? runner->returned[runner->n_returned - 1] : runner->next;
        TRY(assign(runner, index, &assignment, err));
        assignment.n_threads = threads_of_a_run(runner);
        if (again)
            runner->n_returned--;
        else
            runner->next++;
        workers_give(runner->workers, &assignment);
    }
    return TACOS_OK;
}

static tacos_status give_to_cluster(Runner *runner, tacos_error *err) {
    Assignment assignment;
    while (runner->cluster && runner->next < runner->list.n) {
        TRY(assign(runner, runner->next, &assignment, err));
        if (!runner->cluster->give(runner->cluster, &assignment, depth(runner)))
            break;
        runner->next++;
    }
    return TACOS_OK;
}

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
    runner->run_seconds += run->train_seconds + run->test_seconds;
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
    if (is_given_back(outcome, of_cluster)) {
        runner->returned[runner->n_returned++] = (size_t)outcome->tag;
        return TACOS_OK;
    }
    TRY(outcome->status == TACOS_OK ? note_run(runner, outcome, err)
                                    : note_failure(runner, outcome, err));
    runner->n_ended++;
    runner->progress.runs_done++;
    report_progress(runner, true);
    return TACOS_OK;
}

/* A member's report cannot wake this thread, so it polls, often enough that a member waits only a
 * small fraction of a run's time. */
static double wait_seconds(const Runner *runner) {
    if (!runner->cluster)
        return REPORT_SECONDS;
    double wait = runner->n_ended ? runner->run_seconds / (double)runner->n_ended / 200 : 0;
    return wait < CLUSTER_POLL_SECONDS[0]   ? CLUSTER_POLL_SECONDS[0]
           : wait > CLUSTER_POLL_SECONDS[1] ? CLUSTER_POLL_SECONDS[1]
                                            : wait;
}

static tacos_status take(Runner *runner, tacos_error *err) {
    Outcome outcome;
    double wait = wait_seconds(runner);
    while (runner->cluster && runner->cluster->take(runner->cluster, &outcome))
        TRY(take_outcome(runner, &outcome, true, err));
    while (workers_take(runner->workers, &outcome, wait)) {
        TRY(take_outcome(runner, &outcome, false, err));
        wait = 0;
    }
    return TACOS_OK;
}

/* ---- a stage ---- */

/* Runs that completed before the stop request are kept. */
static tacos_status stop_runs(Runner *runner, tacos_error *err) {
    Outcome outcome;
    workers_stop(runner->workers);
    while (workers_load(runner->workers) > 0)
        if (workers_take(runner->workers, &outcome, REPORT_SECONDS))
            TRY(take_outcome(runner, &outcome, false, err));
    while (runner->cluster && runner->cluster->take(runner->cluster, &outcome))
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
    for (report_progress(runner, true); waiting(runner) + in_flight(runner) > 0;
         report_progress(runner, false)) {
        if (runner->stop)
            return stop_runs(runner, err);
        workers_heard(runner->workers);
        TRY(give_to_cluster(runner, err));
        TRY(give_to_workers(runner, err));
        TRY(take(runner, err));
    }
    return TACOS_OK;
}

/* Only once there are runs to make. */
static tacos_status start_workers(Runner *runner, tacos_error *err) {
    tacos_cluster *cluster = runner->options->cluster;
    runner->n_jobs = runner_jobs(runner->options->n_jobs);
    if (cluster) {
        TRY(cluster->begin(cluster, runner->splits, runner->options->data_dir,
                           runner->options->n_jobs, &runner->n_jobs, err));
        runner->cluster = cluster;
    }
    TRY(workers_new(&runner->workers, runner->n_jobs, runner->splits, err));
    workers_set_clock(runner->workers, runner->sample_seconds);
    if (runner->folder)
        workers_set_checkpoints(runner->workers, runner->folder->path,
                                runner->folder->checkpoint_every);
    if (runner->folder)
        workers_set_live(runner->workers, runner->folder->live);
    runner->samples_base = samples_made(runner);
    return TACOS_OK;
}

static void end_workers(Runner *runner) {
    if (runner->cluster)
        runner->cluster->end(runner->cluster);
    runner->cluster = NULL;
    workers_free(runner->workers);
    runner->workers = NULL;
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
    runner->next = runner->n_ended = runner->n_returned = 0;
    runner->run_seconds = 0;
    runner->samples_expected = expect_samples(runner);
    runner->returned = calloc(list->n + 1, sizeof *runner->returned);
    if (!runner->returned)
        status = failure(err, TACOS_MEMORY, "no memory for a plan of %zu runs", list->n);
    if (status == TACOS_OK && list->n > 0)
        status = start_workers(runner, err);
    if (status == TACOS_OK && list->n > 0) {
        status = make_runs(runner, err);
        report_progress(runner, status == TACOS_OK);
    }
    runner->samples_before += list->n_samples;
    end_workers(runner);
    free(runner->returned);
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
