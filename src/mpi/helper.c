/* helper.c - wait for orders, make runs, report. One thread talks, those of Hands work. */
#include "mpi/helper.h"

#include "lab/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double TELL_EVERY_SECONDS = 0.2;
static const double POLL_SECONDS = 0.001;
static const double BUSY_POLL_SECONDS = 0.01;

struct Helper {
    const Party *party;
    NodeData data;
    Stages *stages; /* both NULL, except between ORDER_BEGIN and ORDER_STOP */
    Hands *hands;
    size_t n_jobs;
    MPI_Request sending;               /* at most one report at a time, ... */
    uint64_t told;                     /* samples */
    double last_told;                  /* when */
    bool reporting;                    /* of this run, */
    Outcome outcome;                   /* of whose model */
    size_t n_sent;                     /* so many bytes have gone */
    unsigned char report[REPORT_SIZE]; /* ... which must stay until it is sent */
};

tacos_status helper_new(Helper **out, const Party *party, tacos_error *err) {
    Helper *helper = calloc(1, sizeof *helper);
    if (!helper)
        return failure(err, TACOS_MEMORY, "no memory for a helper");
    helper->party = party;
    helper->sending = MPI_REQUEST_NULL;
    node_data_init(&helper->data);
    *out = helper;
    return TACOS_OK;
}

void helper_free(Helper *helper) {
    free(helper);
}

/* ---- reports ---- */

static bool is_sending(Helper *helper) {
    int sent;
    MPI_Test(&helper->sending, &sent, MPI_STATUS_IGNORE);
    return !sent;
}

/* Only once the last one is sent. */
static void send_report(Helper *helper, Tag tag, size_t n) {
    MPI_Isend(helper->report, (int)n, MPI_BYTE, 0, (int)tag, helper->party->everyone,
              &helper->sending);
}

static void send_piece(Helper *helper) {
    const SavedModel *model = &helper->outcome.model;
    size_t n = model->n - helper->n_sent < REPORT_SIZE ? model->n - helper->n_sent : REPORT_SIZE;
    memcpy(helper->report, model->bytes + helper->n_sent, n);
    helper->n_sent += n;
    send_report(helper, REPORT_MODEL, n);
}

static void send_outcome(Helper *helper) {
    helper->told = hands_samples(helper->hands);
    size_t n = outcome_pack(helper->report, &helper->outcome, helper->told);
    outcome_free(&helper->outcome);
    helper->reporting = false;
    send_report(helper, REPORT_OUTCOME, n);
}

static void go_on_reporting(Helper *helper) {
    if (helper->n_sent < helper->outcome.model.n)
        send_piece(helper);
    else
        send_outcome(helper);
}

static void send_samples(Helper *helper) {
    uint64_t samples = hands_samples(helper->hands);
    double now = clock_seconds();
    if (samples == helper->told || now - helper->last_told < TELL_EVERY_SECONDS)
        return;
    helper->told = samples;
    helper->last_told = now;
    memcpy(helper->report, &samples, sizeof samples);
    send_report(helper, REPORT_SAMPLES, sizeof samples);
}

/* While all hands are busy there is no hurry to hear of more work; a run that ends is heard at once
 * anyway. Looking less often leaves more of the core to them. */
static double patience(const Helper *helper) {
    return hands_load(helper->hands) < helper->n_jobs ? POLL_SECONDS : BUSY_POLL_SECONDS;
}

/* Nothing was ordered: report what there is, and wait a moment where there is nothing. */
static void report(Helper *helper) {
    if (!helper->hands || is_sending(helper)) {
        party_nap();
        return;
    }
    if (!helper->reporting && hands_take(helper->hands, &helper->outcome, patience(helper))) {
        helper->reporting = true;
        helper->n_sent = 0;
    }
    if (helper->reporting)
        go_on_reporting(helper);
    else
        send_samples(helper);
}

/* ---- orders ---- */

static void put_down(Helper *helper) {
    if (helper->reporting)
        outcome_free(&helper->outcome);
    helper->reporting = false;
    hands_free(helper->hands);
    stages_free(helper->stages);
    helper->hands = NULL;
    helper->stages = NULL;
}

static tacos_status prepare(Helper *helper, const Briefing *briefing, size_t n_jobs,
                            tacos_error *err) {
    TRY(node_data_read(&helper->data, helper->party, briefing, err));
    TRY(stages_new(&helper->stages, briefing->has_data_dir ? briefing->data_dir : NULL, err));
    return hands_new(&helper->hands, n_jobs, helper->stages, err);
}

/* The counterpart of begin in crew.c. */
static void begin(Helper *helper) {
    const Party *party = helper->party;
    Briefing briefing;
    tacos_error err;
    assert(!helper->hands);
    MPI_Bcast(&briefing, sizeof briefing, MPI_BYTE, 0, party->everyone);
    uint64_t n_jobs = party_jobs(party, briefing.n_jobs);
    tacos_status status = prepare(helper, &briefing, n_jobs, &err);
    if (party_agree(party, status, &err) != TACOS_OK) {
        put_down(helper);
        node_data_forget(&helper->data);
        return;
    }
    node_data_share(&helper->data, party, &briefing, helper->stages);
    MPI_Gather(&n_jobs, 1, MPI_UINT64_T, NULL, 0, MPI_UINT64_T, 0, party->everyone);
    helper->told = 0;
    helper->n_jobs = n_jobs;
}

/* The first process now does nothing but receive, until it has heard this. */
static void stop(Helper *helper) {
    put_down(helper);
    MPI_Wait(&helper->sending, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, REPORT_STOPPED, helper->party->everyone);
}

/* False if the order was to leave. */
static bool obey(Helper *helper, MPI_Message *message, Tag tag) {
    Assignment assignment;
    int size = tag == ORDER_RUN ? (int)sizeof assignment : 0;
    MPI_Mrecv(&assignment, size, MPI_BYTE, message, MPI_STATUS_IGNORE);
    switch (tag) {
    case ORDER_BEGIN:
        begin(helper);
        return true;
    case ORDER_RUN:
        hands_give(helper->hands, &assignment);
        return true;
    case ORDER_STOP:
        stop(helper);
        return true;
    default:
        assert(tag == ORDER_LEAVE);
        return false;
    }
}

void helper_serve(Helper *helper) {
    for (bool stays = true; stays;) {
        MPI_Message message;
        MPI_Status status;
        if (party_probe(helper->party, 0, &message, &status))
            stays = obey(helper, &message, (Tag)status.MPI_TAG);
        else
            report(helper);
    }
    node_data_free(&helper->data);
}
