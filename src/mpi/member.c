/* member.c - a process that waits for orders, makes runs and reports. One thread calls MPI; the
 * threads of Workers make the runs. */
#include "mpi/cluster.h"

#include "lab/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double TELL_EVERY_SECONDS = 0.2;
static const double POLL_SECONDS = 0.001;
static const double BUSY_POLL_SECONDS = 0.01;

struct Member {
    const Ranks *ranks;
    NodeData data;
    TaskSplits *splits; /* this and workers: NULL, except between ORDER_BEGIN and ORDER_STOP */
    Workers *workers;
    size_t n_jobs;
    MPI_Request sending;               /* at most one report at a time */
    uint64_t told;                     /* samples last reported */
    double last_told;                  /* when */
    bool reporting;                    /* an outcome is being sent ... */
    Outcome outcome;                   /* ... this one */
    size_t n_sent;                     /* bytes of its model sent so far */
    unsigned char report[REPORT_SIZE]; /* must stay until `sending` is done */
};

tacos_status member_new(Member **out, const Ranks *ranks, tacos_error *err) {
    Member *member = calloc(1, sizeof *member);
    if (!member)
        return failure(err, TACOS_MEMORY, "no memory for a member of the cluster");
    member->ranks = ranks;
    member->sending = MPI_REQUEST_NULL;
    node_data_init(&member->data);
    *out = member;
    return TACOS_OK;
}

void member_free(Member *member) {
    free(member);
}

/* ---- reports ---- */

static bool is_sending(Member *member) {
    int sent;
    MPI_Test(&member->sending, &sent, MPI_STATUS_IGNORE);
    return !sent;
}

/* Only after the previous one has been sent. */
static void send_report(Member *member, Tag tag, size_t n) {
    MPI_Isend(member->report, (int)n, MPI_BYTE, 0, (int)tag, member->ranks->everyone,
              &member->sending);
}

static void send_piece(Member *member) {
    const SavedModel *model = &member->outcome.model;
    size_t n = model->n - member->n_sent < REPORT_SIZE ? model->n - member->n_sent : REPORT_SIZE;
    memcpy(member->report, model->bytes + member->n_sent, n);
    member->n_sent += n;
    send_report(member, REPORT_MODEL, n);
}

static void send_outcome(Member *member) {
    member->told = workers_samples(member->workers);
    size_t n = outcome_pack(member->report, &member->outcome, member->told);
    outcome_free(&member->outcome);
    member->reporting = false;
    send_report(member, REPORT_OUTCOME, n);
}

static void continue_report(Member *member) {
    if (member->n_sent < member->outcome.model.n)
        send_piece(member);
    else
        send_outcome(member);
}

static void send_samples(Member *member) {
    uint64_t samples = workers_samples(member->workers);
    double now = clock_seconds();
    if (samples == member->told || now - member->last_told < TELL_EVERY_SECONDS)
        return;
    member->told = samples;
    member->last_told = now;
    memcpy(member->report, &samples, sizeof samples);
    send_report(member, REPORT_SAMPLES, sizeof samples);
}

/* While all workers are busy, orders can wait, and a run that ends wakes this thread anyway.
 * Polling less often leaves the workers more of the core. */
static double patience(const Member *member) {
    return workers_load(member->workers) < member->n_jobs ? POLL_SECONDS : BUSY_POLL_SECONDS;
}

/* No order has arrived: report something, or wait a moment. */
static void report(Member *member) {
    if (!member->workers || is_sending(member)) {
        ranks_nap();
        return;
    }
    if (!member->reporting && workers_take(member->workers, &member->outcome, patience(member))) {
        member->reporting = true;
        member->n_sent = 0;
    }
    if (member->reporting)
        continue_report(member);
    else
        send_samples(member);
}

/* ---- orders ---- */

static void put_down(Member *member) {
    if (member->reporting)
        outcome_free(&member->outcome);
    member->reporting = false;
    workers_free(member->workers);
    task_splits_free(member->splits);
    member->workers = NULL;
    member->splits = NULL;
}

static tacos_status prepare(Member *member, const Briefing *briefing, size_t n_jobs,
                            tacos_error *err) {
    TRY(node_data_read(&member->data, member->ranks, briefing, err));
    TRY(task_splits_new(&member->splits, briefing->has_data_dir ? briefing->data_dir : NULL, err));
    return workers_new(&member->workers, n_jobs, member->splits, err);
}

/* The counterpart of begin in coordinator.c. */
static void begin(Member *member) {
    const Ranks *ranks = member->ranks;
    Briefing briefing;
    tacos_error err;
    assert(!member->workers);
    MPI_Bcast(&briefing, sizeof briefing, MPI_BYTE, 0, ranks->everyone);
    uint64_t n_jobs = ranks_jobs(ranks, briefing.n_jobs);
    tacos_status status = prepare(member, &briefing, n_jobs, &err);
    if (ranks_agree(ranks, status, &err) != TACOS_OK) {
        put_down(member);
        node_data_forget(&member->data);
        return;
    }
    node_data_share(&member->data, ranks, &briefing, member->splits);
    MPI_Gather(&n_jobs, 1, MPI_UINT64_T, NULL, 0, MPI_UINT64_T, 0, ranks->everyone);
    member->told = 0;
    member->n_jobs = n_jobs;
}

/* Until it receives REPORT_STOPPED, the first process only receives. */
static void stop(Member *member) {
    put_down(member);
    MPI_Wait(&member->sending, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, REPORT_STOPPED, member->ranks->everyone);
}

/* False if the order was to leave. */
static bool obey(Member *member, MPI_Message *message, Tag tag) {
    Assignment assignment;
    int size = tag == ORDER_RUN ? (int)sizeof assignment : 0;
    MPI_Mrecv(&assignment, size, MPI_BYTE, message, MPI_STATUS_IGNORE);
    switch (tag) {
    case ORDER_BEGIN:
        begin(member);
        return true;
    case ORDER_RUN:
        workers_give(member->workers, &assignment);
        return true;
    case ORDER_STOP:
        stop(member);
        return true;
    default:
        assert(tag == ORDER_LEAVE);
        return false;
    }
}

void member_serve(Member *member) {
    for (bool stays = true; stays;) {
        MPI_Message message;
        MPI_Status status;
        if (ranks_probe(member->ranks, 0, &message, &status))
            stays = obey(member, &message, (Tag)status.MPI_TAG);
        else
            report(member);
    }
    node_data_free(&member->data);
}
