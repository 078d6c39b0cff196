/* coordinator.c - the first process: sends orders to members and receives their reports. */
#include "mpi/cluster.h"

#include "data/catalog/catalog.h"
#include "tacos_mpi.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process of the cluster. The first, which is this one, never gets any work. */
typedef struct Rank {
    size_t n_jobs;
    size_t load;      /* runs given and not yet taken back */
    uint64_t samples; /* as last reported */
    SavedModel model; /* received so far; n includes what did not fit in memory */
} Rank;

typedef struct Coordinator {
    tacos_cluster cluster; /* first, so that a pointer to it is a pointer to the whole */
    Ranks ranks;
    NodeData data;
    Rank *members;  /* [ranks.size] */
    uint64_t *jobs; /* [ranks.size], for MPI_Gather */
    bool at_work;
    unsigned char report[REPORT_SIZE];
    size_t n_report; /* its size in bytes */
} Coordinator;

static Coordinator *whole(tacos_cluster *cluster) {
    return (Coordinator *)cluster;
}

/* ---- orders ---- */

static void order_all(const Coordinator *self, Tag tag) {
    for (int rank = 1; rank < self->ranks.size; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, (int)tag, self->ranks.everyone);
}

/* The least busy member, or NULL if all have enough to do. */
static Rank *least_busy(const Coordinator *self, size_t depth) {
    Rank *best = NULL;
    for (int rank = 1; rank < self->ranks.size; rank++) {
        Rank *member = &self->members[rank];
        if (member->load < member->n_jobs * depth &&
            (!best || member->load * best->n_jobs < best->load * member->n_jobs))
            best = member;
    }
    return best;
}

static bool give(tacos_cluster *cluster, const Assignment *assignment, size_t depth) {
    Coordinator *self = whole(cluster);
    Rank *member = least_busy(self, depth < WORKERS_QUEUE ? depth : WORKERS_QUEUE);
    if (!member)
        return false;
    MPI_Send(assignment, sizeof *assignment, MPI_BYTE, (int)(member - self->members), ORDER_RUN,
             self->ranks.everyone);
    member->load++;
    return true;
}

/* ---- reports ---- */

/* Receive a report into self->report, if one has arrived. */
static bool receive(Coordinator *self, Tag *tag, Rank **from) {
    MPI_Message message;
    MPI_Status status;
    if (!ranks_probe(&self->ranks, MPI_ANY_SOURCE, &message, &status))
        return false;
    int n = 0;
    MPI_Get_count(&status, MPI_BYTE, &n);
    self->n_report = (size_t)n;
    *tag = (Tag)status.MPI_TAG;
    *from = &self->members[status.MPI_SOURCE];
    MPI_Mrecv(self->report, REPORT_SIZE, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return true;
}

/* Append a piece of a model. If memory runs out, the model is lost, and the run with it. */
static void add_piece(const Coordinator *self, SavedModel *model) {
    bool whole_so_far = model->n == 0 || model->bytes;
    unsigned char *bytes = whole_so_far ? realloc(model->bytes, model->n + self->n_report) : NULL;
    if (bytes)
        memcpy(bytes + model->n, self->report, self->n_report);
    else
        free(model->bytes);
    model->bytes = bytes;
    model->n += self->n_report;
}

/* All pieces of the model have arrived before the outcome. */
static void take_outcome(const Coordinator *self, Rank *from, Outcome *out) {
    SavedModel model = from->model;
    from->model = (SavedModel){0};
    outcome_unpack(self->report, out, &from->samples);
    if (out->status == TACOS_OK && model.n > 0 && !model.bytes) {
        run_free(&out->run);
        out->status = failure(&out->err, TACOS_MEMORY, "no memory for what a run learned");
    }
    assert(out->status != TACOS_OK || out->model.n == model.n);
    out->model = model;
    if (out->status != TACOS_OK)
        saved_free(&out->model);
}

static bool take(tacos_cluster *cluster, Outcome *out) {
    Coordinator *self = whole(cluster);
    Tag tag;
    Rank *from;
    while (receive(self, &tag, &from)) {
        if (tag == REPORT_OUTCOME) {
            take_outcome(self, from, out);
            from->load--;
            return true;
        }
        if (tag == REPORT_MODEL) {
            add_piece(self, &from->model);
            continue;
        }
        assert(tag == REPORT_SAMPLES);
        memcpy(&from->samples, self->report, sizeof from->samples);
    }
    return false;
}

static size_t load(const tacos_cluster *cluster) {
    const Coordinator *self = (const Coordinator *)cluster;
    size_t n = 0;
    for (int rank = 1; rank < self->ranks.size; rank++)
        n += self->members[rank].load;
    return n;
}

static uint64_t samples(const tacos_cluster *cluster) {
    const Coordinator *self = (const Coordinator *)cluster;
    uint64_t n = 0;
    for (int rank = 1; rank < self->ranks.size; rank++)
        n += self->members[rank].samples;
    return n;
}

/* ---- begin and end ---- */

/* Members must have what this process has. The data folder is sent as resolved here: members on
 * other hosts often lack the environment variable that names it. */
static tacos_status brief(Briefing *out, TaskSplits *splits, const char *data_dir, unsigned n_jobs,
                          tacos_error *err) {
    memset(out, 0, sizeof *out);
    out->n_jobs = n_jobs;
    const char *name;
    for (size_t d = 0; (name = task_splits_name(splits, d)); d++) {
        const Dataset *data;
        TRY(task_splits_data(splits, name, &data, err));
        (void)snprintf(out->name[d], DATASET_NAME_SIZE, "%s", name);
        out->data[d] = *data;
        out->data[d].train.pixels = out->data[d].test.pixels = NULL;
        out->data[d].train.labels = out->data[d].test.labels = NULL;
    }
    out->has_data_dir =
        tacos_data_dir(data_dir, out->data_dir, sizeof out->data_dir, NULL) == TACOS_OK;
    return TACOS_OK;
}

static void count_jobs(Coordinator *self, size_t own_jobs) {
    uint64_t n_jobs = own_jobs;
    MPI_Gather(&n_jobs, 1, MPI_UINT64_T, self->jobs, 1, MPI_UINT64_T, 0, self->ranks.everyone);
    for (int rank = 0; rank < self->ranks.size; rank++)
        self->members[rank] = (Rank){.n_jobs = (size_t)self->jobs[rank]};
}

/* After the order, all processes do this in lockstep: see begin in member.c. */
static tacos_status begin(tacos_cluster *cluster, TaskSplits *splits, const char *data_dir,
                          unsigned n_jobs, size_t *own_jobs, tacos_error *err) {
    Coordinator *self = whole(cluster);
    Briefing briefing;
    tacos_error said = {0};
    assert(!self->at_work);
    TRY(brief(&briefing, splits, data_dir, n_jobs, err));
    order_all(self, ORDER_BEGIN);
    MPI_Bcast(&briefing, sizeof briefing, MPI_BYTE, 0, self->ranks.everyone);
    size_t jobs = ranks_jobs(&self->ranks, n_jobs);
    tacos_status status = node_data_read(&self->data, &self->ranks, &briefing, &said);
    if ((status = ranks_agree(&self->ranks, status, &said)) != TACOS_OK)
        return failure(err, status, "%s", said.text);
    node_data_share(&self->data, &self->ranks, &briefing, splits);
    count_jobs(self, jobs);
    self->at_work = true;
    *own_jobs = jobs;
    return TACOS_OK;
}

static void drop(Coordinator *self, Tag tag) {
    Outcome outcome;
    uint64_t ignored;
    if (tag != REPORT_OUTCOME)
        return;
    outcome_unpack(self->report, &outcome, &ignored);
    outcome_free(&outcome);
}

static void end(tacos_cluster *cluster) {
    Coordinator *self = whole(cluster);
    Tag tag;
    Rank *from;
    if (!self->at_work)
        return;
    order_all(self, ORDER_STOP);
    for (int at_work = self->ranks.size - 1; at_work > 0;) {
        if (!receive(self, &tag, &from))
            ranks_nap();
        else if (tag == REPORT_STOPPED)
            at_work--;
        else
            drop(self, tag);
    }
    for (int rank = 0; rank < self->ranks.size; rank++) {
        self->members[rank].load = 0;
        saved_free(&self->members[rank].model);
    }
    self->at_work = false;
}

static void coordinator_free(Coordinator *self) {
    if (self) {
        free(self->members);
        free(self->jobs);
    }
    free(self);
}

static tacos_status coordinator_new(Coordinator **out, const Ranks *ranks, tacos_error *err) {
    Coordinator *self = calloc(1, sizeof *self);
    Rank *members = calloc((size_t)ranks->size, sizeof *members);
    uint64_t *jobs = calloc((size_t)ranks->size, sizeof *jobs);
    if (!self || !members || !jobs) {
        free(self);
        free(members);
        free(jobs);
        return failure(err, TACOS_MEMORY, "no memory for a cluster of %d processes", ranks->size);
    }
    self->cluster = (tacos_cluster){
        .begin = begin, .give = give, .take = take, .load = load, .samples = samples, .end = end};
    self->ranks = *ranks;
    self->members = members;
    self->jobs = jobs;
    node_data_init(&self->data);
    *out = self;
    return TACOS_OK;
}

/* If one process fails, all fail and leave; only the first process reports it. */
tacos_status cluster_begin(tacos_cluster **out, int *served, const RanksOptions *options,
                           tacos_error *err) {
    Ranks ranks;
    Coordinator *cluster = NULL;
    Member *member = NULL;
    tacos_error said = {0};
    *out = NULL;
    *served = 0;
    TRY(ranks_join(&ranks, options, err));
    tacos_status status = ranks_check(&ranks, options, &said);
    if (status == TACOS_OK)
        status = ranks.rank == 0 ? coordinator_new(&cluster, &ranks, &said)
                                 : member_new(&member, &ranks, &said);
    status = ranks_agree(&ranks, status, &said);
    if (status == TACOS_OK && member)
        member_serve(member);
    *served = ranks.rank != 0;
    member_free(member);
    if (status == TACOS_OK && cluster && ranks.size > 1) {
        *out = &cluster->cluster;
        return TACOS_OK;
    }
    coordinator_free(cluster);
    ranks_leave(&ranks);
    return *served || status == TACOS_OK ? TACOS_OK : failure(err, status, "%s", said.text);
}

tacos_status tacos_mpi_begin(tacos_cluster **out, int *served, tacos_error *err) {
    return cluster_begin(out, served, &(RanksOptions){.version = TACOS_VERSION_STRING}, err);
}

void tacos_mpi_end(tacos_cluster *cluster) {
    if (!cluster)
        return;
    Coordinator *self = whole(cluster);
    Ranks ranks = self->ranks;
    end(cluster);
    order_all(self, ORDER_LEAVE);
    node_data_free(&self->data);
    coordinator_free(self);
    ranks_leave(&ranks);
}
