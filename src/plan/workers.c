/* workers.c - threads fed by two queues: assignments in, outcomes out. */
#include "plan/workers.h"

#include "plan/run_folder.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct Workers {
    TaskSplits *splits;
    Device *device; /* or NULL */
    char host[HOST_SIZE];
    size_t n_threads, n_threads_max;
    pthread_t *threads;   /* [n_threads_max] */
    pthread_mutex_t lock; /* guards the queues */
    pthread_cond_t work, done, heard;
    size_t capacity;
    Assignment *todo; /* [capacity] ring buffer: n_todo from first_todo on */
    size_t first_todo, n_todo;
    Outcome *ended; /* [capacity], likewise */
    size_t first_ended, n_ended;
    bool leave;
    bool woken;                /* by other workers */
    Workers *to_wake;          /* when something is to be taken or heard, or NULL */
    double sample_seconds;     /* on the test clock; 0: the machine's clock */
    bool in_step;              /* runs wait until they are heard */
    size_t n_unheard;          /* runs that wait now ... */
    unsigned n_hearings;       /* ... for this to change */
    Live *live;                /* or NULL */
    const char *folder;        /* for checkpoints */
    uint64_t checkpoint_every; /* samples; 0: none */
    size_t load;               /* used by the caller's thread only */
    atomic_ullong samples;
    atomic_bool stop;
};

/* Whoever waits in workers_take looks again. */
static void be_woken(Workers *workers) {
    pthread_mutex_lock(&workers->lock);
    workers->woken = true;
    pthread_cond_signal(&workers->done);
    pthread_mutex_unlock(&workers->lock);
}

/* Something is to be taken or heard. Called with the lock held; that of the others comes second. */
static void call(Workers *workers) {
    pthread_cond_signal(&workers->done);
    if (workers->to_wake)
        be_woken(workers->to_wake);
}

void workers_wake(Workers *second, Workers *first) {
    pthread_mutex_lock(&second->lock);
    second->to_wake = first;
    pthread_mutex_unlock(&second->lock);
}

/* Called with the lock held. */
static void wait_until_heard(Workers *workers) {
    unsigned before = workers->n_hearings;
    if (atomic_load(&workers->stop))
        return;
    workers->n_unheard++;
    call(workers);
    while (workers->n_hearings == before && !atomic_load(&workers->stop))
        pthread_cond_wait(&workers->heard, &workers->lock);
}

void workers_heard(Workers *workers) {
    pthread_mutex_lock(&workers->lock);
    workers->n_unheard = 0;
    workers->n_hearings++;
    pthread_cond_broadcast(&workers->heard);
    pthread_mutex_unlock(&workers->lock);
}

static int on_progress(void *user, uint64_t n_samples) {
    Workers *workers = user;
    atomic_fetch_add(&workers->samples, n_samples);
    if (workers->in_step) {
        pthread_mutex_lock(&workers->lock);
        wait_until_heard(workers);
        pthread_mutex_unlock(&workers->lock);
    }
    return atomic_load(&workers->stop);
}

static void on_scored(void *user, uint32_t seed, size_t n_tasks, size_t n_rows, const double *b,
                      const double *R) {
    Workers *workers = user;
    if (workers->live)
        live_note(workers->live, seed, n_tasks, n_rows, b, R);
}

void outcome_free(Outcome *outcome) {
    run_free(&outcome->run);
    saved_free(&outcome->model);
}

static tacos_status make_run(Workers *workers, const Assignment *assignment, Outcome *out,
                             tacos_error *err) {
    const TaskSplit *split;
    Experiment drawn = assignment->experiment, settled;
    if (atomic_load(&workers->stop))
        return failure(err, TACOS_INTERRUPTED, "interrupted");
    experiment_draw(&drawn, assignment->seed);
    TRY(task_splits_get(workers->splits, &drawn.params, &split, err));
    TRY(task_split_settle(split, &drawn, &settled, err));
    char checkpoint[OUTPUT_PATH_MAX];
    ProtocolOptions how = {
        .n_threads = assignment->n_threads,
        .device = workers->device,
        .progress = on_progress,
        .scored = on_scored,
        .user = workers,
        .sample_seconds = workers->sample_seconds,
        .model = assignment->keep_model ? &out->model : NULL,
        .checkpoint_every = workers->checkpoint_every,
    };
    if (workers->checkpoint_every > 0) {
        run_checkpoint_path(workers->folder, assignment->seed, checkpoint);
        how.checkpoint = checkpoint;
    }
    return protocol_run(&out->run, split, &settled, assignment->seed, &how, err);
}

/* Make the first run in the queue. Called with the lock held, which it releases meanwhile. */
static void work_once(Workers *workers) {
    Assignment assignment = workers->todo[workers->first_todo];
    Outcome outcome = {.tag = assignment.tag};
    workers->first_todo = (workers->first_todo + 1) % workers->capacity;
    workers->n_todo--;
    pthread_mutex_unlock(&workers->lock);
    outcome.status = make_run(workers, &assignment, &outcome, &outcome.err);
    strcpy(outcome.host, workers->host);
    pthread_mutex_lock(&workers->lock);
    workers->ended[(workers->first_ended + workers->n_ended++) % workers->capacity] = outcome;
    call(workers);
    if (workers->in_step)
        wait_until_heard(workers);
}

static void *work(void *user) {
    Workers *workers = user;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (workers->n_todo == 0 && !workers->leave)
            pthread_cond_wait(&workers->work, &workers->lock);
        if (workers->n_todo == 0)
            break;
        work_once(workers);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* Timed waits use the monotonic clock. */
static void init_conditions(Workers *workers) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->work, NULL);
    pthread_cond_init(&workers->heard, NULL);
    pthread_cond_init(&workers->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static tacos_status open_workers(Workers **out, size_t n, size_t capacity, TaskSplits *splits,
                                 tacos_error *err) {
    Workers *workers = calloc(1, sizeof *workers);
    if (!workers)
        return failure(err, TACOS_MEMORY, "no memory for %zu jobs", n);
    workers->splits = splits;
    workers->n_threads_max = n;
    workers->capacity = capacity;
    workers->threads = calloc(n, sizeof *workers->threads);
    workers->todo = calloc(workers->capacity, sizeof *workers->todo);
    workers->ended = calloc(workers->capacity, sizeof *workers->ended);
    (void)gethostname(workers->host, sizeof workers->host - 1);
    init_conditions(workers);
    if (!workers->threads || !workers->todo || !workers->ended) {
        workers_free(workers);
        return failure(err, TACOS_MEMORY, "no memory for %zu jobs", n);
    }
    *out = workers;
    return TACOS_OK;
}

size_t workers_start(Workers *workers, size_t n) {
    while (workers->n_threads < n && workers->n_threads < workers->n_threads_max &&
           pthread_create(&workers->threads[workers->n_threads], NULL, work, workers) == 0)
        workers->n_threads++;
    return workers->n_threads;
}

tacos_status workers_new(Workers **out, size_t n, TaskSplits *splits, tacos_error *err) {
    n = n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : n;
    TRY(open_workers(out, n, n * (WORKERS_QUEUE + 1), splits, err));
    (void)workers_start(*out, n);
    return TACOS_OK;
}

tacos_status workers_new_for(Workers **out, size_t n, TaskSplits *splits, Device *device,
                             tacos_error *err) {
    n = n < WORKERS_DEVICE_MAX ? n : WORKERS_DEVICE_MAX;
    TRY(open_workers(out, n, n, splits, err));
    (*out)->device = device;
    return TACOS_OK;
}

void workers_free(Workers *workers) {
    if (!workers)
        return;
    workers_stop(workers);
    pthread_mutex_lock(&workers->lock);
    workers->leave = true;
    workers->n_todo = 0;
    pthread_cond_broadcast(&workers->work);
    pthread_mutex_unlock(&workers->lock);
    while (workers->n_threads > 0)
        pthread_join(workers->threads[--workers->n_threads], NULL);
    for (; workers->n_ended > 0; workers->n_ended--) {
        outcome_free(&workers->ended[workers->first_ended]);
        workers->first_ended = (workers->first_ended + 1) % workers->capacity;
    }
    pthread_cond_destroy(&workers->done);
    pthread_cond_destroy(&workers->work);
    pthread_cond_destroy(&workers->heard);
    pthread_mutex_destroy(&workers->lock);
    free(workers->threads);
    free(workers->todo);
    free(workers->ended);
    free(workers);
}

void workers_set_checkpoints(Workers *workers, const char *folder, uint64_t every) {
    workers->folder = folder;
    workers->checkpoint_every = every;
}

void workers_set_live(Workers *workers, Live *live) {
    workers->live = live;
}

void workers_set_clock(Workers *workers, double sample_seconds) {
    workers->sample_seconds = sample_seconds;
    workers->in_step = sample_seconds > 0 && workers->n_threads > 0;
}

size_t workers_load(const Workers *workers) {
    return workers->load;
}

void workers_give(Workers *workers, const Assignment *assignment) {
    assert(workers->load < workers->capacity);
    workers->load++;
    pthread_mutex_lock(&workers->lock);
    workers->todo[(workers->first_todo + workers->n_todo++) % workers->capacity] = *assignment;
    pthread_cond_signal(&workers->work);
    pthread_mutex_unlock(&workers->lock);
}

static struct timespec later(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long whole = (long)seconds, nanos = now.tv_nsec + (long)((seconds - (double)whole) * 1e9);
    return (struct timespec){now.tv_sec + whole + nanos / 1000000000, nanos % 1000000000};
}

bool workers_take(Workers *workers, Outcome *out, double wait_seconds) {
    struct timespec until = later(wait_seconds);
    int code = 0;
    pthread_mutex_lock(&workers->lock);
    if (workers->n_threads == 0 && workers->n_ended == 0 && workers->n_todo > 0)
        work_once(workers);
    while (workers->n_ended == 0 && workers->n_unheard == 0 && !workers->woken &&
           code != ETIMEDOUT && wait_seconds > 0)
        code = pthread_cond_timedwait(&workers->done, &workers->lock, &until);
    workers->woken = false;
    bool found = workers->n_ended > 0;
    if (found) {
        *out = workers->ended[workers->first_ended];
        workers->first_ended = (workers->first_ended + 1) % workers->capacity;
        workers->n_ended--;
        workers->load--;
    }
    pthread_mutex_unlock(&workers->lock);
    return found;
}

uint64_t workers_samples(const Workers *workers) {
    return atomic_load(&workers->samples);
}

void workers_stop(Workers *workers) {
    atomic_store(&workers->stop, true);
    workers_heard(workers);
}
