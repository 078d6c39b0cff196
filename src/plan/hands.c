/* hands.c - two queues between the one who gives and the threads that work. */
#include "plan/hands.h"

#include "lab/protocol.h"
#include "plan/folder.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct Hands {
    Stages *stages;
    char host[HOST_SIZE];
    size_t n_threads;
    pthread_t *threads;
    pthread_mutex_t lock; /* guards the queues */
    pthread_cond_t work, done, heard;
    size_t capacity;
    Assignment *todo; /* [capacity], n_todo of them from first_todo on, around the end */
    size_t first_todo, n_todo;
    Outcome *ended; /* [capacity], likewise */
    size_t first_ended, n_ended;
    bool leave;
    double sample_seconds;     /* of the clock of tests, 0 without one */
    bool in_step;              /* runs wait until they are heard: ... */
    size_t n_unheard;          /* ... so many do ... */
    unsigned n_hearings;       /* ... for another number here */
    const char *folder;        /* for checkpoints */
    uint64_t checkpoint_every; /* samples; 0: none */
    size_t load;               /* only the giver's */
    atomic_ullong samples;
    atomic_bool stop;
};

/* Called with the lock held. */
static void wait_until_heard(Hands *hands) {
    unsigned before = hands->n_hearings;
    if (atomic_load(&hands->stop))
        return;
    hands->n_unheard++;
    pthread_cond_signal(&hands->done);
    while (hands->n_hearings == before && !atomic_load(&hands->stop))
        pthread_cond_wait(&hands->heard, &hands->lock);
}

void hands_heard(Hands *hands) {
    pthread_mutex_lock(&hands->lock);
    hands->n_unheard = 0;
    hands->n_hearings++;
    pthread_cond_broadcast(&hands->heard);
    pthread_mutex_unlock(&hands->lock);
}

static int on_progress(void *user, uint64_t n_samples) {
    Hands *hands = user;
    atomic_fetch_add(&hands->samples, n_samples);
    if (hands->in_step) {
        pthread_mutex_lock(&hands->lock);
        wait_until_heard(hands);
        pthread_mutex_unlock(&hands->lock);
    }
    return atomic_load(&hands->stop);
}

void outcome_free(Outcome *outcome) {
    run_free(&outcome->run);
    saved_free(&outcome->model);
}

static tacos_status make_run(Hands *hands, const Assignment *assignment, Outcome *out,
                             tacos_error *err) {
    const Stage *stage;
    Experiment drawn = assignment->experiment, settled;
    if (atomic_load(&hands->stop))
        return failure(err, TACOS_INTERRUPTED, "interrupted");
    experiment_draw(&drawn, assignment->seed);
    TRY(stages_get(hands->stages, &drawn.own, &stage, err));
    TRY(stage_settle(stage, &drawn, &settled, err));
    char checkpoint[OUTPUT_PATH_MAX];
    ProtocolOptions how = {
        .n_threads = assignment->n_threads,
        .progress = on_progress,
        .user = hands,
        .sample_seconds = hands->sample_seconds,
        .model = assignment->keep_model ? &out->model : NULL,
        .checkpoint_every = hands->checkpoint_every,
    };
    if (hands->checkpoint_every > 0) {
        folder_checkpoint(hands->folder, assignment->seed, checkpoint);
        how.checkpoint = checkpoint;
    }
    return protocol_run(&out->run, stage, &settled, assignment->seed, &how, err);
}

/* Make the first run in the queue. Called with the lock held, which it gives away meanwhile. */
static void work_once(Hands *hands) {
    Assignment assignment = hands->todo[hands->first_todo];
    Outcome outcome = {.tag = assignment.tag};
    hands->first_todo = (hands->first_todo + 1) % hands->capacity;
    hands->n_todo--;
    pthread_mutex_unlock(&hands->lock);
    outcome.status = make_run(hands, &assignment, &outcome, &outcome.err);
    strcpy(outcome.host, hands->host);
    pthread_mutex_lock(&hands->lock);
    hands->ended[(hands->first_ended + hands->n_ended++) % hands->capacity] = outcome;
    pthread_cond_signal(&hands->done);
    if (hands->in_step)
        wait_until_heard(hands);
}

static void *work(void *user) {
    Hands *hands = user;
    pthread_mutex_lock(&hands->lock);
    for (;;) {
        while (hands->n_todo == 0 && !hands->leave)
            pthread_cond_wait(&hands->work, &hands->lock);
        if (hands->n_todo == 0)
            break;
        work_once(hands);
    }
    pthread_mutex_unlock(&hands->lock);
    return NULL;
}

/* A clock that nobody sets back, for waiting. */
static void init_conditions(Hands *hands) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&hands->lock, NULL);
    pthread_cond_init(&hands->work, NULL);
    pthread_cond_init(&hands->heard, NULL);
    pthread_cond_init(&hands->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

tacos_status hands_new(Hands **out, size_t n, Stages *stages, tacos_error *err) {
    n = n < 1 ? 1 : n > HANDS_MAX ? HANDS_MAX : n;
    Hands *hands = calloc(1, sizeof *hands);
    if (!hands)
        return failure(err, TACOS_MEMORY, "no memory for %zu jobs", n);
    hands->stages = stages;
    hands->capacity = n * (HANDS_QUEUE + 1);
    hands->threads = calloc(n, sizeof *hands->threads);
    hands->todo = calloc(hands->capacity, sizeof *hands->todo);
    hands->ended = calloc(hands->capacity, sizeof *hands->ended);
    (void)gethostname(hands->host, sizeof hands->host - 1);
    init_conditions(hands);
    if (!hands->threads || !hands->todo || !hands->ended) {
        hands_free(hands);
        return failure(err, TACOS_MEMORY, "no memory for %zu jobs", n);
    }
    while (hands->n_threads < n &&
           pthread_create(&hands->threads[hands->n_threads], NULL, work, hands) == 0)
        hands->n_threads++;
    *out = hands;
    return TACOS_OK;
}

void hands_free(Hands *hands) {
    if (!hands)
        return;
    hands_stop(hands);
    pthread_mutex_lock(&hands->lock);
    hands->leave = true;
    hands->n_todo = 0;
    pthread_cond_broadcast(&hands->work);
    pthread_mutex_unlock(&hands->lock);
    while (hands->n_threads > 0)
        pthread_join(hands->threads[--hands->n_threads], NULL);
    for (; hands->n_ended > 0; hands->n_ended--) {
        outcome_free(&hands->ended[hands->first_ended]);
        hands->first_ended = (hands->first_ended + 1) % hands->capacity;
    }
    pthread_cond_destroy(&hands->done);
    pthread_cond_destroy(&hands->work);
    pthread_cond_destroy(&hands->heard);
    pthread_mutex_destroy(&hands->lock);
    free(hands->threads);
    free(hands->todo);
    free(hands->ended);
    free(hands);
}

void hands_set_checkpoints(Hands *hands, const char *folder, uint64_t every) {
    hands->folder = folder;
    hands->checkpoint_every = every;
}

void hands_set_clock(Hands *hands, double sample_seconds) {
    hands->sample_seconds = sample_seconds;
    hands->in_step = sample_seconds > 0 && hands->n_threads > 0;
}

size_t hands_load(const Hands *hands) {
    return hands->load;
}

void hands_give(Hands *hands, const Assignment *assignment) {
    assert(hands->load < hands->capacity);
    hands->load++;
    pthread_mutex_lock(&hands->lock);
    hands->todo[(hands->first_todo + hands->n_todo++) % hands->capacity] = *assignment;
    pthread_cond_signal(&hands->work);
    pthread_mutex_unlock(&hands->lock);
}

static struct timespec later(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long whole = (long)seconds, nanos = now.tv_nsec + (long)((seconds - (double)whole) * 1e9);
    return (struct timespec){now.tv_sec + whole + nanos / 1000000000, nanos % 1000000000};
}

bool hands_take(Hands *hands, Outcome *out, double wait_seconds) {
    struct timespec until = later(wait_seconds);
    int code = 0;
    pthread_mutex_lock(&hands->lock);
    if (hands->n_threads == 0 && hands->n_ended == 0 && hands->n_todo > 0)
        work_once(hands);
    while (hands->n_ended == 0 && hands->n_unheard == 0 && code != ETIMEDOUT && wait_seconds > 0)
        code = pthread_cond_timedwait(&hands->done, &hands->lock, &until);
    bool found = hands->n_ended > 0;
    if (found) {
        *out = hands->ended[hands->first_ended];
        hands->first_ended = (hands->first_ended + 1) % hands->capacity;
        hands->n_ended--;
        hands->load--;
    }
    pthread_mutex_unlock(&hands->lock);
    return found;
}

uint64_t hands_samples(const Hands *hands) {
    return atomic_load(&hands->samples);
}

void hands_stop(Hands *hands) {
    atomic_store(&hands->stop, true);
    hands_heard(hands);
}
