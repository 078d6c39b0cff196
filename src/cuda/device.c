/* device.c - a GPU as a cluster: takes as many runs as it has room for, each with a thread that
 * makes all of the run but the computing, which a Batch does for all of them together. */
#include "cuda/batch.h"
#include "cuda/notes.h"
#include "cuda/shown.h"
#include "cuda/student.h"
#include "lab/device.h"
#include "plan/cluster.h"
#include "plan/runner.h"
#include "tacos_cuda.h"

#include <stdint.h>
#include <stdlib.h>

/* A run that was given and has not been taken back. */
typedef struct Place {
    uint64_t tag;
    double share; /* of the device */
    size_t bytes; /* of its network */
} Place;

typedef struct GpuCluster {
    tacos_cluster cluster; /* first, so that a pointer to it is a pointer to the whole */
    Device device;
    Gpu *gpu;
    Notes notes;
    tacos_error lost;   /* why it is lost; TACOS_OK: it is not */
    size_t memory;      /* bytes of networks that it has room for, as far as is known */
    TaskSplits *splits; /* this and what follows: between begin and end */
    Batch *batch;
    ShownAll *shown;
    size_t n_places;
    Place places[WORKERS_DEVICE_MAX];
} GpuCluster;

static GpuCluster *whole(tacos_cluster *cluster) {
    return (GpuCluster *)cluster;
}

/* ---- what it can make ---- */

static bool is_lost(GpuCluster *self) {
    if (self->lost.status == TACOS_OK && batch_lost(self->batch, &self->lost))
        notes_add(&self->notes, "%s; continuing on the processor", self->lost.text);
    return self->lost.status != TACOS_OK;
}

/* The network of a run; false if there is something wrong with it, which the processor will say. */
static bool settle(GpuCluster *self, const Assignment *assignment, Experiment *out) {
    const TaskSplit *split;
    Experiment drawn = assignment->experiment;
    experiment_draw(&drawn, assignment->seed);
    return task_splits_get(self->splits, &drawn.params, &split, NULL) == TACOS_OK &&
           task_split_settle(split, &drawn, out, NULL) == TACOS_OK;
}

static size_t bytes_of(const Experiment *settled) {
    return network_bytes(&settled->learner, settled->learner.model);
}

static bool takes(tacos_cluster *cluster, const Assignment *assignment) {
    GpuCluster *self = whole(cluster);
    Experiment settled;
    tacos_error why = {0};
    if (is_lost(self) || !settle(self, assignment, &settled))
        return false;
    if (!model_is_spiking(settled.model))
        notes_add(&self->notes, "the GPU has no %s: such runs are made by the processor",
                  model_is_rival(settled.model) ? "rivals" : "columns");
    else if (!gpu_takes(self->gpu, &settled.learner, &why))
        notes_add(&self->notes, "%s: such runs are made by the processor", why.text);
    else
        return bytes_of(&settled) <= self->memory;
    return false;
}

/* ---- giving and taking ---- */

static size_t bytes_held(const GpuCluster *self) {
    size_t sum = 0;
    for (size_t i = 0; i < self->n_places; i++)
        sum += self->places[i].bytes;
    return sum;
}

/* Networks of several shapes share the device. */
static bool has_room(const GpuCluster *self, const Place *place) {
    static const double FULL = 1 + 1e-9; /* sums of shares are rounded */
    double sum = place->share;
    for (size_t i = 0; i < self->n_places; i++)
        sum += self->places[i].share;
    return self->n_places == 0 || (self->n_places < WORKERS_DEVICE_MAX && sum <= FULL &&
                                   bytes_held(self) + place->bytes <= self->memory);
}

/* More than it has room for would only wait, so `depth` does not matter. */
static bool give(tacos_cluster *cluster, const Assignment *assignment, size_t depth) {
    GpuCluster *self = whole(cluster);
    size_t n = self->n_places + 1;
    Experiment settled;
    (void)depth;
    if (!settle(self, assignment, &settled))
        return false;
    size_t room = gpu_room(self->gpu, &settled.learner);
    Place place = {assignment->tag, room > 0 ? 1.0 / (double)room : 1, bytes_of(&settled)};
    /* A run without a thread would never come, and all others wait for it. */
    if (!has_room(self, &place) || workers_start(cluster->workers, n) < n)
        return false;
    self->places[self->n_places++] = place;
    batch_join(self->batch);
    workers_give(cluster->workers, assignment);
    return true;
}

static void given(tacos_cluster *cluster) {
    batch_go(whole(cluster)->batch);
}

static void remove_place(GpuCluster *self, uint64_t tag) {
    size_t i = 0;
    while (self->places[i].tag != tag)
        i++;
    self->places[i] = self->places[--self->n_places];
}

/* A run found no memory, although others of so many bytes had: no more than theirs from now on. */
static void lower_memory(GpuCluster *self) {
    self->memory = bytes_held(self);
    if (self->n_places > 0)
        notes_add(&self->notes, "the memory of the GPU is full: fewer networks at a time");
    else
        notes_add(&self->notes, "the memory of the GPU is full: continuing on the processor");
}

static bool take(tacos_cluster *cluster, Outcome *out) {
    GpuCluster *self = whole(cluster);
    if (!workers_take(cluster->workers, out, 0))
        return false;
    remove_place(self, out->tag);
    batch_leave(self->batch);
    (void)is_lost(self); /* to be told */
    if (out->status == TACOS_MEMORY)
        lower_memory(self);
    return true;
}

static size_t load(const tacos_cluster *cluster) {
    return workers_load(cluster->workers);
}

static uint64_t samples(const tacos_cluster *cluster) {
    return workers_samples(cluster->workers);
}

static const char *next_note(tacos_cluster *cluster) {
    return notes_next(&whole(cluster)->notes);
}

/* ---- begin and end ---- */

static tacos_status open_student(Device *device, Student *out, Session *session, tacos_error *err) {
    GpuCluster *self = (GpuCluster *)((char *)device - offsetof(GpuCluster, device));
    return student_cuda(out, session, self->batch, self->shown, err);
}

static void end(tacos_cluster *cluster) {
    GpuCluster *self = whole(cluster);
    if (self->batch)
        batch_stop(self->batch);
    workers_free(cluster->workers);
    if (self->batch)
        (void)is_lost(self);
    shown_all_free(self->shown);
    batch_free(self->batch);
    cluster->workers = NULL;
    self->shown = NULL;
    self->batch = NULL;
    self->n_places = 0;
}

static tacos_status open_all(GpuCluster *self, tacos_error *err) {
    TRY(batch_new(&self->batch, self->gpu, err));
    TRY(shown_all_new(&self->shown, self->batch, err));
    TRY(workers_new_for(&self->cluster.workers, WORKERS_DEVICE_MAX, self->splits, &self->device,
                        err));
    return workers_start(self->cluster.workers, 1) == 1
               ? TACOS_OK
               : failure(err, TACOS_MEMORY, "no thread for the runs of a GPU");
}

static tacos_status begin(tacos_cluster *cluster, TaskSplits *splits, const char *data_dir,
                          unsigned n_jobs, size_t *own_jobs, tacos_error *err) {
    GpuCluster *self = whole(cluster);
    (void)data_dir; /* the splits have read it */
    self->splits = splits;
    *own_jobs = runner_jobs(n_jobs);
    tacos_status status = open_all(self, err);
    if (status != TACOS_OK)
        end(cluster);
    return status;
}

tacos_status tacos_cuda_begin(tacos_cluster **out, tacos_error *err) {
    GpuCluster *self = calloc(1, sizeof *self);
    *out = NULL;
    if (!self)
        return failure(err, TACOS_MEMORY, "no memory for the runs of a GPU");
    tacos_status status = gpu_open(&self->gpu, err);
    if (status != TACOS_OK) {
        free(self);
        return status;
    }
    self->cluster = (tacos_cluster){.begin = begin,
                                    .give = give,
                                    .take = take,
                                    .load = load,
                                    .samples = samples,
                                    .end = end,
                                    .takes = takes,
                                    .given = given,
                                    .note = next_note};
    self->device.student = open_student;
    self->memory = SIZE_MAX;
    *out = &self->cluster;
    return TACOS_OK;
}

void tacos_cuda_end(tacos_cluster *gpu) {
    if (!gpu)
        return;
    gpu_close(whole(gpu)->gpu);
    free(whole(gpu));
}
