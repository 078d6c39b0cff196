/* jobs.c - a queue of seeds and the threads that empty it. */
#include "lab/jobs.h"

#include "lab/clock.h"
#include "lab/metrics.h"
#include "lab/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Jobs {
    const Stage *stage;
    const tacos_run_options *options;
    const Record *record; /* NULL if nothing is written */
    size_t n_threads;     /* of each run */
    pthread_mutex_t lock; /* guards everything below and the progress callback */
    size_t next;          /* the next seed to take */
    Results *results;
    tacos_progress progress;
    double start; /* when */
    bool stop;
    tacos_status status; /* of the first failure */
    tacos_error err;
} Jobs;

/* Called with the lock held. */
static void tell_progress(Jobs *jobs) {
    jobs->progress.seconds = clock_seconds() - jobs->start;
    if (!jobs->stop && jobs->options->progress &&
        jobs->options->progress(jobs->options->user, &jobs->progress) != 0)
        jobs->stop = true;
}

static int on_progress(void *user, uint64_t n_samples) {
    Jobs *jobs = user;
    pthread_mutex_lock(&jobs->lock);
    jobs->progress.done += n_samples;
    tell_progress(jobs);
    bool stop = jobs->stop;
    pthread_mutex_unlock(&jobs->lock);
    return stop;
}

/* Keep the first failure; it stops the others. */
static void give_up(Jobs *jobs, tacos_status status, const tacos_error *err) {
    if (jobs->status == TACOS_OK) {
        jobs->status = status;
        jobs->err = *err;
    }
    jobs->stop = true;
}

/* Runs stay sorted by seed, whatever order they end in. Called with the lock held. */
static void keep(Jobs *jobs, const tacos_run *run) {
    Results *results = jobs->results;
    size_t at = results->n++;
    for (; at > 0 && results->runs[at - 1].seed > run->seed; at--)
        results->runs[at] = results->runs[at - 1];
    results->runs[at] = *run;
    jobs->progress.runs_done++;
    tell_progress(jobs);
}

static void *work(void *user) {
    Jobs *jobs = user;
    for (;;) {
        pthread_mutex_lock(&jobs->lock);
        size_t mine = jobs->stop ? jobs->options->n_seeds : jobs->next++;
        pthread_mutex_unlock(&jobs->lock);
        if (mine >= jobs->options->n_seeds)
            return NULL;
        tacos_run run;
        tacos_error err = {0};
        tacos_status status = protocol_run(&run, jobs->stage, jobs->options->seeds[mine],
                                           jobs->n_threads, on_progress, jobs, &err);
        pthread_mutex_lock(&jobs->lock);
        if (status == TACOS_OK) {
            keep(jobs, &run);
            /* What is complete is on the disk before the next run begins. */
            if (jobs->record)
                status = record_write(jobs->record, jobs->stage, jobs->results, &err);
        }
        if (status != TACOS_OK)
            give_up(jobs, status, &err);
        pthread_mutex_unlock(&jobs->lock);
    }
}

/* Seeds come first; threads that are left over help each run. */
static size_t count_jobs(Jobs *jobs) {
    const tacos_run_options *options = jobs->options;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = options->n_jobs > 0 ? options->n_jobs : (size_t)(cores > 0 ? cores : 1);
    size_t at_once = n < options->n_seeds ? n : options->n_seeds;
    jobs->n_threads = n / at_once;
    return at_once;
}

/* This thread works too, so a machine that gives no more threads still finishes. */
static void run_threads(Jobs *jobs) {
    enum { THREADS_MAX = 1024 };
    pthread_t threads[THREADS_MAX];
    size_t wanted = count_jobs(jobs), n = 0;
    while (n + 1 < wanted && n < THREADS_MAX && pthread_create(&threads[n], NULL, work, jobs) == 0)
        n++;
    work(jobs);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

static tacos_status run_stage(const Stage *stage, const tacos_run_options *options,
                              const Record *record, Results *results, tacos_error *err) {
    Jobs jobs = {.stage = stage, .options = options, .record = record, .results = results};
    jobs.progress.total = stage_samples(stage) * options->n_seeds;
    jobs.progress.runs_total = options->n_seeds;
    jobs.start = clock_seconds();
    pthread_mutex_init(&jobs.lock, NULL);
    run_threads(&jobs);
    pthread_mutex_destroy(&jobs.lock);
    if (jobs.status != TACOS_OK)
        return failure(err, jobs.status, "%s", jobs.err.text);
    if (results->n < options->n_seeds)
        return failure(err, TACOS_INTERRUPTED, "interrupted");
    return TACOS_OK;
}

tacos_status jobs_run(const Experiment *experiment, const tacos_run_options *options, Results **out,
                      tacos_error *err) {
    Stage stage;
    Record record;
    *out = NULL;
    if (options->n_seeds == 0)
        return failure(err, TACOS_INVALID, "no seed to run");
    TRY(stage_open(&stage, experiment, options->data_dir, err));
    Results *results = calloc(1, sizeof *results);
    tacos_run *runs = calloc(options->n_seeds, sizeof *runs);
    tacos_status status = TACOS_OK;
    if (!results || !runs)
        status = failure(err, TACOS_MEMORY, "no memory for %zu runs", options->n_seeds);
    else
        results->runs = runs;
    /* An output that cannot be written is found before the work, not after. */
    if (status == TACOS_OK && options->out_dir)
        status = record_open(&record, options, err);
    if (status == TACOS_OK) {
        status = run_stage(&stage, options, options->out_dir ? &record : NULL, results, err);
        if (options->out_dir)
            record_close(&record, results);
    }
    stage_close(&stage);
    if (results && results->n > 0 && (status == TACOS_OK || status == TACOS_INTERRUPTED)) {
        *out = results;
        return status;
    }
    if (results && runs) {
        results_free(results);
    } else {
        free(runs);
        free(results);
    }
    return status;
}

static const double *metric_of(const tacos_run *run, const char *metric) {
    const tacos_metrics *last = &run->after[run->n_tasks - 1];
#define FIELD(name, text)                                                                          \
    if (strcmp(metric, #name) == 0)                                                                \
        return &last->name;
    TACOS_METRIC_MAP(FIELD)
#undef FIELD
    return strcmp(metric, "MO") == 0 ? &run->memory_overhead : NULL;
}

tacos_status results_summary(const Results *results, const char *metric, tacos_summary *out,
                             tacos_error *err) {
    double *values = calloc(results->n, sizeof *values);
    if (!values)
        return failure(err, TACOS_MEMORY, "no memory for a summary");
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < results->n && status == TACOS_OK; i++) {
        const double *value = metric_of(&results->runs[i], metric);
        if (value)
            values[i] = *value;
        else
            status = failure(err, TACOS_UNKNOWN, "no metric '%.40s'", metric);
    }
    if (status == TACOS_OK)
        *out = metrics_summary(values, results->n);
    free(values);
    return status;
}

void results_free(Results *results) {
    if (!results)
        return;
    for (size_t i = 0; i < results->n; i++)
        run_free(&results->runs[i]);
    free(results->runs);
    free(results);
}
