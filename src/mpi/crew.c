/* crew.c - the first process's side: orders to helpers, and their reports. */
#include "mpi/crew.h"

#include "data/catalog.h"
#include "mpi/helper.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process of the crew; the first, which is this one, is never given anything. */
typedef struct Mate {
    size_t n_jobs;
    size_t load;      /* given, and not taken back yet */
    uint64_t samples; /* as it said last */
    SavedModel model; /* what has come of it; n also counts what there was no memory for */
} Mate;

typedef struct MpiCrew {
    tacos_crew crew; /* first, so that a pointer to it is one to the whole */
    Party party;
    NodeData data;
    Mate *mates;    /* [party.size] */
    uint64_t *jobs; /* [party.size], while they are gathered */
    bool at_work;
    unsigned char report[REPORT_SIZE];
    size_t n_report; /* bytes of it */
} MpiCrew;

static MpiCrew *whole(tacos_crew *crew) {
    return (MpiCrew *)crew;
}

/* ---- orders ---- */

static void order_all(const MpiCrew *own, Tag tag) {
    for (int rank = 1; rank < own->party.size; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, (int)tag, own->party.everyone);
}

/* The helper that is least busy, or NULL if all have enough. */
static Mate *least_busy(const MpiCrew *own, size_t depth) {
    Mate *best = NULL;
    for (int rank = 1; rank < own->party.size; rank++) {
        Mate *mate = &own->mates[rank];
        if (mate->load < mate->n_jobs * depth &&
            (!best || mate->load * best->n_jobs < best->load * mate->n_jobs))
            best = mate;
    }
    return best;
}

static bool give(tacos_crew *crew, const Assignment *assignment, size_t depth) {
    MpiCrew *own = whole(crew);
    Mate *mate = least_busy(own, depth < HANDS_QUEUE ? depth : HANDS_QUEUE);
    if (!mate)
        return false;
    MPI_Send(assignment, sizeof *assignment, MPI_BYTE, (int)(mate - own->mates), ORDER_RUN,
             own->party.everyone);
    mate->load++;
    return true;
}

/* ---- reports ---- */

/* Receive a report, if there is one: it is in own->report. */
static bool receive(MpiCrew *own, Tag *tag, Mate **from) {
    MPI_Message message;
    MPI_Status status;
    if (!party_probe(&own->party, MPI_ANY_SOURCE, &message, &status))
        return false;
    int n = 0;
    MPI_Get_count(&status, MPI_BYTE, &n);
    own->n_report = (size_t)n;
    *tag = (Tag)status.MPI_TAG;
    *from = &own->mates[status.MPI_SOURCE];
    MPI_Mrecv(own->report, REPORT_SIZE, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return true;
}

/* A piece of a model. Without memory for it the model is lost, and the run with it. */
static void add_piece(const MpiCrew *own, SavedModel *model) {
    bool whole_so_far = model->n == 0 || model->bytes;
    unsigned char *bytes = whole_so_far ? realloc(model->bytes, model->n + own->n_report) : NULL;
    if (bytes)
        memcpy(bytes + model->n, own->report, own->n_report);
    else
        free(model->bytes);
    model->bytes = bytes;
    model->n += own->n_report;
}

/* What the run learned has come before it. */
static void take_outcome(const MpiCrew *own, Mate *from, Outcome *out) {
    SavedModel model = from->model;
    from->model = (SavedModel){0};
    outcome_unpack(own->report, out, &from->samples);
    if (out->status == TACOS_OK && model.n > 0 && !model.bytes) {
        run_free(&out->run);
        out->status = failure(&out->err, TACOS_MEMORY, "no memory for what a run learned");
    }
    assert(out->status != TACOS_OK || out->model.n == model.n);
    out->model = model;
    if (out->status != TACOS_OK)
        saved_free(&out->model);
}

static bool take(tacos_crew *crew, Outcome *out) {
    MpiCrew *own = whole(crew);
    Tag tag;
    Mate *from;
    while (receive(own, &tag, &from)) {
        if (tag == REPORT_OUTCOME) {
            take_outcome(own, from, out);
            from->load--;
            return true;
        }
        if (tag == REPORT_MODEL) {
            add_piece(own, &from->model);
            continue;
        }
        assert(tag == REPORT_SAMPLES);
        memcpy(&from->samples, own->report, sizeof from->samples);
    }
    return false;
}

static size_t load(const tacos_crew *crew) {
    const MpiCrew *own = (const MpiCrew *)crew;
    size_t n = 0;
    for (int rank = 1; rank < own->party.size; rank++)
        n += own->mates[rank].load;
    return n;
}

static uint64_t samples(const tacos_crew *crew) {
    const MpiCrew *own = (const MpiCrew *)crew;
    uint64_t n = 0;
    for (int rank = 1; rank < own->party.size; rank++)
        n += own->mates[rank].samples;
    return n;
}

/* ---- begin and end ---- */

/* What this process has is what all are to have. The folder is named as it is found here: helpers
 * on other hosts often lack the environment that says where it is. */
static tacos_status brief(Briefing *out, Stages *stages, const char *data_dir, unsigned n_jobs,
                          tacos_error *err) {
    memset(out, 0, sizeof *out);
    out->n_jobs = n_jobs;
    const char *name;
    for (size_t d = 0; (name = stages_name(stages, d)); d++) {
        const Dataset *data;
        TRY(stages_data(stages, name, &data, err));
        (void)snprintf(out->name[d], DATASET_NAME_SIZE, "%s", name);
        out->data[d] = *data;
        out->data[d].train.pixels = out->data[d].test.pixels = NULL;
        out->data[d].train.labels = out->data[d].test.labels = NULL;
    }
    out->has_data_dir =
        catalog_dir(data_dir, out->data_dir, sizeof out->data_dir, NULL) == TACOS_OK;
    return TACOS_OK;
}

static void count_jobs(MpiCrew *own, size_t own_jobs) {
    uint64_t n_jobs = own_jobs;
    MPI_Gather(&n_jobs, 1, MPI_UINT64_T, own->jobs, 1, MPI_UINT64_T, 0, own->party.everyone);
    for (int rank = 0; rank < own->party.size; rank++)
        own->mates[rank] = (Mate){.n_jobs = (size_t)own->jobs[rank]};
}

/* Everything after the order is done by all together: see begin in helper.c. */
static tacos_status begin(tacos_crew *crew, Stages *stages, const char *data_dir, unsigned n_jobs,
                          size_t *own_jobs, tacos_error *err) {
    MpiCrew *own = whole(crew);
    Briefing briefing;
    tacos_error said = {0};
    assert(!own->at_work);
    TRY(brief(&briefing, stages, data_dir, n_jobs, err));
    order_all(own, ORDER_BEGIN);
    MPI_Bcast(&briefing, sizeof briefing, MPI_BYTE, 0, own->party.everyone);
    size_t jobs = party_jobs(&own->party, n_jobs);
    tacos_status status = node_data_read(&own->data, &own->party, &briefing, &said);
    if ((status = party_agree(&own->party, status, &said)) != TACOS_OK)
        return failure(err, status, "%s", said.text);
    node_data_share(&own->data, &own->party, &briefing, stages);
    count_jobs(own, jobs);
    own->at_work = true;
    *own_jobs = jobs;
    return TACOS_OK;
}

static void drop(MpiCrew *own, Tag tag) {
    Outcome outcome;
    uint64_t ignored;
    if (tag != REPORT_OUTCOME)
        return;
    outcome_unpack(own->report, &outcome, &ignored);
    outcome_free(&outcome);
}

static void end(tacos_crew *crew) {
    MpiCrew *own = whole(crew);
    Tag tag;
    Mate *from;
    if (!own->at_work)
        return;
    order_all(own, ORDER_STOP);
    for (int at_work = own->party.size - 1; at_work > 0;) {
        if (!receive(own, &tag, &from))
            party_nap();
        else if (tag == REPORT_STOPPED)
            at_work--;
        else
            drop(own, tag);
    }
    for (int rank = 0; rank < own->party.size; rank++) {
        own->mates[rank].load = 0;
        saved_free(&own->mates[rank].model);
    }
    own->at_work = false;
}

/* ---- the whole life ---- */

static void crew_free(MpiCrew *own) {
    if (own) {
        free(own->mates);
        free(own->jobs);
    }
    free(own);
}

static tacos_status crew_new(MpiCrew **out, const Party *party, tacos_error *err) {
    MpiCrew *own = calloc(1, sizeof *own);
    Mate *mates = calloc((size_t)party->size, sizeof *mates);
    uint64_t *jobs = calloc((size_t)party->size, sizeof *jobs);
    if (!own || !mates || !jobs) {
        free(own);
        free(mates);
        free(jobs);
        return failure(err, TACOS_MEMORY, "no memory for a crew of %d processes", party->size);
    }
    own->crew = (tacos_crew){begin, give, take, load, samples, end};
    own->party = *party;
    own->mates = mates;
    own->jobs = jobs;
    node_data_init(&own->data);
    *out = own;
    return TACOS_OK;
}

/* A failure of one is a failure of all, which then leave; only the first process tells. */
tacos_status crew_begin(tacos_crew **out, int *served, const PartyOptions *options,
                        tacos_error *err) {
    Party party;
    MpiCrew *crew = NULL;
    Helper *helper = NULL;
    tacos_error said = {0};
    *out = NULL;
    *served = 0;
    TRY(party_join(&party, options, err));
    tacos_status status = party_check(&party, options, &said);
    if (status == TACOS_OK)
        status =
            party.rank == 0 ? crew_new(&crew, &party, &said) : helper_new(&helper, &party, &said);
    status = party_agree(&party, status, &said);
    if (status == TACOS_OK && helper)
        helper_serve(helper);
    *served = party.rank != 0;
    helper_free(helper);
    if (status == TACOS_OK && crew && party.size > 1) {
        *out = &crew->crew;
        return TACOS_OK;
    }
    crew_free(crew);
    party_leave(&party);
    return *served || status == TACOS_OK ? TACOS_OK : failure(err, status, "%s", said.text);
}

void crew_end(tacos_crew *crew) {
    if (!crew)
        return;
    MpiCrew *own = whole(crew);
    Party party = own->party;
    end(crew);
    order_all(own, ORDER_LEAVE);
    node_data_free(&own->data);
    crew_free(own);
    party_leave(&party);
}
