/* distribute.c - who makes which run, and when it is given to them. */
#include "plan/distribute.h"

static const double SHORT_RUN_SECONDS = 0.25;

/* Short runs are queued ahead, so that no thread waits for the next one. */
static size_t depth(const Distribution *self) {
    bool quick = self->n_ended > 0 && self->run_seconds < SHORT_RUN_SECONDS * (double)self->n_ended;
    return quick ? WORKERS_QUEUE : 1;
}

size_t distribute_in_flight(const Distribution *self) {
    size_t n = workers_load(self->workers);
    return self->cluster ? n + self->cluster->load(self->cluster) : n;
}

uint64_t distribute_samples(const Distribution *self) {
    uint64_t made = workers_samples(self->workers);
    return self->cluster ? made + self->cluster->samples(self->cluster) : made;
}

static bool has_device(const Distribution *self) {
    return self->cluster && self->cluster->takes;
}

/* Threads that would be idle share the remaining runs. */
static size_t threads_of_a_run(const Distribution *self) {
    size_t here = has_device(self) ? workers_load(self->workers) : distribute_in_flight(self);
    size_t n_runs = self->waiting.n_for_us + here;
    return n_runs < self->n_jobs ? self->n_jobs / n_runs : 1;
}

static tacos_status assign(const Distribution *self, size_t index, Assignment *out,
                           tacos_error *err) {
    const Todo *todo = &self->list->todos[index];
    out->tag = index;
    out->seed = todo->seed;
    out->n_threads = 1;
    out->keep_model = self->keep_models;
    TRY(plan_config(self->plan, todo->config, &out->experiment, err));
    halving_cut(self->plan, self->stage, &out->experiment);
    return TACOS_OK;
}

static tacos_status give_to_workers(Distribution *self, tacos_error *err) {
    Assignment assignment;
    size_t index;
    while (workers_load(self->workers) < self->n_jobs * depth(self) &&
           waiting_first(&self->waiting, BY_US, &index)) {
        TRY(assign(self, index, &assignment, err));
        assignment.n_threads = threads_of_a_run(self);
        waiting_give(&self->waiting, index);
        workers_give(self->workers, &assignment);
    }
    return TACOS_OK;
}

static tacos_status give_to_cluster(Distribution *self, tacos_error *err) {
    tacos_cluster *cluster = self->cluster;
    Assignment assignment;
    size_t index;
    while (cluster && waiting_first(&self->waiting, BY_CLUSTER, &index)) {
        TRY(assign(self, index, &assignment, err));
        if (cluster->takes && !cluster->takes(cluster, &assignment))
            waiting_leave(&self->waiting, index, BY_US); /* it has been lost since */
        else if (cluster->give(cluster, &assignment, depth(self)))
            waiting_give(&self->waiting, index);
        else
            break;
    }
    if (cluster && cluster->given)
        cluster->given(cluster);
    return TACOS_OK;
}

tacos_status distribute_give(Distribution *self, tacos_error *err) {
    TRY(give_to_cluster(self, err));
    return give_to_workers(self, err);
}

/* With a device, every run is for one of them. */
tacos_status distribute_divide(Distribution *self, tacos_error *err) {
    tacos_cluster *cluster = self->cluster;
    Assignment assignment;
    for (size_t i = 0; i < self->list->n && has_device(self); i++) {
        TRY(assign(self, i, &assignment, err));
        waiting_leave(&self->waiting, i, cluster->takes(cluster, &assignment) ? BY_CLUSTER : BY_US);
    }
    return TACOS_OK;
}

/* A device that lacked memory may have it for the same run later, if it still says so. */
tacos_status distribute_again(Distribution *self, size_t index, tacos_status why,
                              tacos_error *err) {
    Assignment assignment;
    Maker maker = BY_US;
    if (has_device(self) && why == TACOS_MEMORY) {
        TRY(assign(self, index, &assignment, err));
        if (self->cluster->takes(self->cluster, &assignment))
            maker = BY_CLUSTER;
    }
    waiting_leave(&self->waiting, index, maker);
    return TACOS_OK;
}
