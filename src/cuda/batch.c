/* batch.c - the runs that wait, the thread that calls the device, and what becomes of its errors.
 */
#include "cuda/batch.h"

#include "base/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A run that waits; on its own stack. */
typedef struct Ticket {
    GpuJob *job;
    bool taken, done;
    tacos_status status;
    tacos_error err;
} Ticket;

typedef struct Tickets {
    size_t n, room;
    Ticket **at; /* [n] */
} Tickets;

struct Batch {
    Gpu *gpu;
    pthread_mutex_t gpu_lock; /* calls on the Gpu; taken before `lock` if both are */
    pthread_mutex_t lock;     /* of what follows, but for `jobs` */
    pthread_cond_t changed, done;
    pthread_t thread;
    bool has_thread;
    size_t n_runs;    /* that are to come */
    bool go;          /* nobody else is to come at the moment */
    bool stop, leave; /* runs are sent home; the thread is to end */
    tacos_error lost; /* why the device is lost; TACOS_OK: it is not */
    Tickets waiting;  /* those who have come */
    Tickets served;   /* and those whose jobs are done just now */
    GpuJob *jobs;     /* [jobs_room]: of the latter */
    size_t jobs_room;
};

/* ---- errors of the device ---- */

tacos_status batch_outcome(Batch *batch, tacos_status status, const tacos_error *why,
                           tacos_error *err) {
    if (status == TACOS_OK)
        return status;
    if (status == TACOS_MEMORY)
        return failure(err, status, "%s", why->text);
    pthread_mutex_lock(&batch->lock);
    if (batch->lost.status == TACOS_OK)
        status_explain(&batch->lost, TACOS_IO, "the GPU is lost: %s", why->text);
    tacos_error lost = batch->lost;
    pthread_mutex_unlock(&batch->lock);
    return failure(err, TACOS_IO, "%s", lost.text);
}

bool batch_lost(Batch *batch, tacos_error *why) {
    pthread_mutex_lock(&batch->lock);
    *why = batch->lost;
    pthread_mutex_unlock(&batch->lock);
    return why->status != TACOS_OK;
}

/* ---- the thread ---- */

/* If these are too many at once, they may go in parts. */
static void work(Batch *batch, Ticket *const *tickets, GpuJob *jobs, size_t n) {
    tacos_error why = {0}, err = {0};
    tacos_status status = gpu_work(batch->gpu, jobs, n, &why);
    if (status == TACOS_MEMORY && n > 1) {
        work(batch, tickets, jobs, n / 2);
        work(batch, tickets + n / 2, jobs + n / 2, n - n / 2);
        return;
    }
    status = batch_outcome(batch, status, &why, &err);
    for (size_t i = 0; i < n; i++) {
        tickets[i]->status = status;
        tickets[i]->err = err;
        tickets[i]->job->tally = jobs[i].tally;
    }
}

static void work_on(Batch *batch, const Tickets *tickets) {
    if (!array_grow(&batch->jobs, &batch->jobs_room, tickets->n, sizeof *batch->jobs)) {
        for (size_t i = 0; i < tickets->n; i++)
            tickets->at[i]->status =
                failure(&tickets->at[i]->err, TACOS_MEMORY, "no memory for the jobs of a GPU");
        return;
    }
    for (size_t i = 0; i < tickets->n; i++)
        batch->jobs[i] = *tickets->at[i]->job;
    pthread_mutex_lock(&batch->gpu_lock);
    work(batch, tickets->at, batch->jobs, tickets->n);
    pthread_mutex_unlock(&batch->gpu_lock);
}

static bool is_full(const Batch *batch) {
    return batch->go && batch->waiting.n > 0 && batch->waiting.n == batch->n_runs && !batch->stop;
}

/* Called with the lock held, which it releases meanwhile. */
static void serve(Batch *batch) {
    Tickets tickets = batch->waiting;
    batch->waiting = batch->served;
    batch->served = tickets;
    batch->waiting.n = 0;
    for (size_t i = 0; i < tickets.n; i++)
        tickets.at[i]->taken = true;
    pthread_mutex_unlock(&batch->lock);
    work_on(batch, &tickets);
    pthread_mutex_lock(&batch->lock);
    for (size_t i = 0; i < tickets.n; i++)
        tickets.at[i]->done = true;
    pthread_cond_broadcast(&batch->done);
}

static void *attend(void *user) {
    Batch *batch = user;
    pthread_mutex_lock(&batch->lock);
    while (!batch->leave)
        if (is_full(batch))
            serve(batch);
        else
            pthread_cond_wait(&batch->changed, &batch->lock);
    pthread_mutex_unlock(&batch->lock);
    return NULL;
}

tacos_status batch_new(Batch **out, Gpu *gpu, tacos_error *err) {
    Batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return failure(err, TACOS_MEMORY, "no memory for the runs of a GPU");
    batch->gpu = gpu;
    pthread_mutex_init(&batch->gpu_lock, NULL);
    pthread_mutex_init(&batch->lock, NULL);
    pthread_cond_init(&batch->changed, NULL);
    pthread_cond_init(&batch->done, NULL);
    batch->has_thread = pthread_create(&batch->thread, NULL, attend, batch) == 0;
    if (!batch->has_thread) {
        batch_free(batch);
        return failure(err, TACOS_MEMORY, "no thread for the runs of a GPU");
    }
    *out = batch;
    return TACOS_OK;
}

void batch_free(Batch *batch) {
    if (!batch)
        return;
    pthread_mutex_lock(&batch->lock);
    batch->leave = true;
    pthread_cond_signal(&batch->changed);
    pthread_mutex_unlock(&batch->lock);
    if (batch->has_thread)
        pthread_join(batch->thread, NULL);
    pthread_cond_destroy(&batch->done);
    pthread_cond_destroy(&batch->changed);
    pthread_mutex_destroy(&batch->lock);
    pthread_mutex_destroy(&batch->gpu_lock);
    free(batch->waiting.at);
    free(batch->served.at);
    free(batch->jobs);
    free(batch);
}

/* ---- who is to come ---- */

static void change(Batch *batch, long n, bool go) {
    pthread_mutex_lock(&batch->lock);
    batch->n_runs = (size_t)((long)batch->n_runs + n);
    batch->go = go;
    if (is_full(batch))
        pthread_cond_signal(&batch->changed);
    pthread_mutex_unlock(&batch->lock);
}

void batch_join(Batch *batch) {
    change(batch, 1, false);
}

void batch_leave(Batch *batch) {
    change(batch, -1, false);
}

void batch_go(Batch *batch) {
    change(batch, 0, true);
}

void batch_stop(Batch *batch) {
    pthread_mutex_lock(&batch->lock);
    batch->stop = true;
    pthread_cond_broadcast(&batch->done);
    pthread_mutex_unlock(&batch->lock);
}

/* ---- runs ---- */

/* Called with the lock held. */
static bool come(Batch *batch, Ticket *ticket) {
    Tickets *waiting = &batch->waiting;
    if (!array_grow(&waiting->at, &waiting->room, waiting->n + 1, sizeof(Ticket *)))
        return false;
    waiting->at[waiting->n++] = ticket;
    if (is_full(batch))
        pthread_cond_signal(&batch->changed);
    return true;
}

tacos_status batch_do(Batch *batch, GpuJob *job, tacos_error *err) {
    Ticket ticket = {.job = job};
    pthread_mutex_lock(&batch->lock);
    bool came = come(batch, &ticket);
    while (came && !ticket.done && (ticket.taken || !batch->stop))
        pthread_cond_wait(&batch->done, &batch->lock);
    pthread_mutex_unlock(&batch->lock);
    if (!came)
        return failure(err, TACOS_MEMORY, "no memory for the jobs of a GPU");
    if (!ticket.done)
        return failure(err, TACOS_INTERRUPTED, "interrupted");
    if (ticket.status != TACOS_OK)
        return failure(err, ticket.status, "%s", ticket.err.text);
    return TACOS_OK;
}

Gpu *batch_lock(Batch *batch) {
    pthread_mutex_lock(&batch->gpu_lock);
    return batch->gpu;
}

void batch_unlock(Batch *batch) {
    pthread_mutex_unlock(&batch->gpu_lock);
}
