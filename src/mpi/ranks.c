/* ranks.c - operations that all processes perform together, whatever their role. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "mpi/ranks.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- joining ---- */

/* The processes that share memory; for tests, split into groups as if on several hosts. */
static MPI_Comm split_nodes(MPI_Comm everyone, int rank, int ranks_a_node) {
    MPI_Comm shared, node;
    int shared_rank;
    MPI_Comm_split_type(everyone, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
    if (ranks_a_node == 0)
        return shared;
    MPI_Comm_rank(shared, &shared_rank);
    MPI_Comm_split(shared, shared_rank / ranks_a_node, shared_rank, &node);
    MPI_Comm_free(&shared);
    return node;
}

tacos_status ranks_join(Ranks *out, const RanksOptions *options, tacos_error *err) {
    int begun, ended, level;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun || ended)
        return failure(err, TACOS_INVALID, "MPI can be initialized only once in a process");
    /* The threads of Workers make the runs; only the caller's thread calls MPI. */
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED) {
        MPI_Finalize();
        return failure(err, TACOS_INVALID, "this MPI does not allow a process to have threads");
    }
    *out = (Ranks){.everyone = MPI_COMM_NULL};
    MPI_Comm_dup(MPI_COMM_WORLD, &out->everyone);
    MPI_Comm_rank(out->everyone, &out->rank);
    MPI_Comm_size(out->everyone, &out->size);
    out->node = split_nodes(out->everyone, out->rank, options->ranks_a_node);
    MPI_Comm_rank(out->node, &out->node_rank);
    MPI_Comm_size(out->node, &out->node_size);
    (void)gethostname(out->host, sizeof out->host - 1);
    return TACOS_OK;
}

void ranks_leave(Ranks *ranks) {
    MPI_Comm_free(&ranks->node);
    MPI_Comm_free(&ranks->everyone);
    MPI_Finalize();
}

/* ---- the same build ---- */

/* Assignments and outcomes are sent as bytes, so all builds must agree on their meaning. This
 * struct itself must never change. */
typedef struct Identity {
    char version[32];
    char host[64];
    char engine[128]; /* the digest of the defaults: what is computed */
    uint64_t layout;  /* of the structs that are sent */
} Identity;

static uint64_t mix(uint64_t hash, const void *bytes, size_t n) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

static uint64_t mix_table(uint64_t hash, KeyTable table) {
    for (size_t k = 0; k < table.n; k++) {
        const Key *key = &table.keys[k];
        hash = mix(hash, key->name, strlen(key->name) + 1);
        hash = mix(hash, &key->type, sizeof key->type);
        hash = mix(hash, &key->offset, sizeof key->offset);
    }
    return hash;
}

static Identity identify(const Ranks *ranks, const char *version) {
    const size_t sizes[] = {sizeof(Assignment), sizeof(Outcome), sizeof(tacos_metrics),
                            DATASETS_MAX};
    Identity identity;
    Experiment defaults;
    memset(&identity, 0, sizeof identity);
    memset(&defaults, 0, sizeof defaults);
    experiment_defaults(&defaults);
    experiment_digest(&defaults, identity.engine);
    (void)snprintf(identity.version, sizeof identity.version, "%s", version);
    (void)snprintf(identity.host, sizeof identity.host, "%s", ranks->host);
    identity.layout = mix(UINT64_C(0xcbf29ce484222325), sizes, sizeof sizes);
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        identity.layout = mix_table(identity.layout, *experiment_tables[t]);
    return identity;
}

tacos_status ranks_check(const Ranks *ranks, const RanksOptions *options, tacos_error *err) {
    Identity own = identify(ranks, options->version), first = own;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, ranks->everyone);
    if (strcmp(first.version, own.version) != 0)
        return failure(err, TACOS_INVALID,
                       "this is tacos %s, and %s runs tacos %s: all processes must run the same",
                       own.version, first.host, first.version);
    if (strcmp(first.engine, own.engine) != 0 || first.layout != own.layout)
        return failure(err, TACOS_INVALID,
                       "this is another build of tacos %s than on %s: all processes must run the "
                       "same",
                       own.version, first.host);
    return TACOS_OK;
}

/* ---- agreeing ---- */

tacos_status ranks_agree(const Ranks *ranks, tacos_status status, tacos_error *err) {
    int failed = status == TACOS_OK ? INT_MAX : ranks->rank, first;
    tacos_error said;
    memset(&said, 0, sizeof said);
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, ranks->everyone);
    if (first == INT_MAX)
        return TACOS_OK;
    /* Name the host, except for the process that the user started. */
    if (ranks->rank == first && ranks->rank != 0)
        status_explain(&said, status, "%s: %.440s", ranks->host, err->text);
    else if (ranks->rank == first)
        status_explain(&said, status, "%s", err->text);
    MPI_Bcast(&said, sizeof said, MPI_BYTE, first, ranks->everyone);
    *err = said;
    return said.status;
}

/* ---- sharing a node ---- */

enum { CPU_SETS = 8 }; /* as many CPUs as Linux supports */

size_t ranks_jobs(const Ranks *ranks, unsigned wanted) {
    cpu_set_t own[CPU_SETS], all[CPU_SETS];
    memset(own, 0, sizeof own);
    if (sched_getaffinity(0, sizeof own, own) != 0)
        memset(own, 0, sizeof own);
    MPI_Allreduce(own, all, sizeof own, MPI_BYTE, MPI_BOR, ranks->node);
    size_t n = (size_t)CPU_COUNT_S(sizeof all, all) / (size_t)ranks->node_size;
    n = wanted > 0 ? wanted : n;
    return n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : n;
}

/* ---- waiting ---- */

bool ranks_probe(const Ranks *ranks, int source, MPI_Message *message, MPI_Status *status) {
    enum { TRIES = 2 }; /* Open MPI looks for messages before it makes progress on new ones */
    int found = 0;
    for (int i = 0; i < TRIES && !found; i++)
        MPI_Improbe(source, MPI_ANY_TAG, ranks->everyone, &found, message, status);
    return found;
}

void ranks_nap(void) {
    struct timespec moment = {.tv_sec = 0, .tv_nsec = 1000000};
    (void)nanosleep(&moment, NULL);
}
