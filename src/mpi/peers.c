/* peers.c - messages between processes. A copy is kept until it has been received, so sending never
 * waits, and two processes may send each other something at the same time. */
#include "mpi/ranks.h"
#include "tacos_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_TAG = 1 };

/* A message on its way. */
typedef struct Parcel {
    struct Parcel *next;
    MPI_Request sending;
    unsigned char bytes[];
} Parcel;

struct tacos_peers {
    Ranks ranks;
    Parcel *parcels;
    unsigned char *room; /* [size] the last message received */
    size_t size;
};

/* ---- joining ---- */

tacos_status tacos_peers_join(tacos_peers **out, size_t *rank, size_t *n, tacos_error *err) {
    const RanksOptions options = {.version = TACOS_VERSION_STRING};
    Ranks ranks;
    tacos_error said = {0};
    *out = NULL;
    TRY(ranks_join(&ranks, &options, err));
    *rank = (size_t)ranks.rank;
    *n = (size_t)ranks.size;
    tacos_peers *peers = calloc(1, sizeof *peers);
    tacos_status status = ranks_check(&ranks, &options, &said);
    if (status == TACOS_OK && !peers)
        status = failure(&said, TACOS_MEMORY, "no memory for a process of %d", ranks.size);
    status = ranks_agree(&ranks, status, &said);
    if (peers && status == TACOS_OK && ranks.size > 1) {
        peers->ranks = ranks;
        *out = peers;
        return TACOS_OK;
    }
    free(peers);
    ranks_leave(&ranks);
    return *rank > 0 || status == TACOS_OK ? TACOS_OK : failure(err, status, "%s", said.text);
}

/* ---- sending ---- */

static void forget_received(tacos_peers *peers) {
    for (Parcel **at = &peers->parcels; *at;) {
        Parcel *parcel = *at;
        int sent;
        MPI_Test(&parcel->sending, &sent, MPI_STATUS_IGNORE);
        if (!sent) {
            at = &parcel->next;
            continue;
        }
        *at = parcel->next;
        free(parcel);
    }
}

tacos_status tacos_peers_send(tacos_peers *peers, size_t to, const void *bytes, size_t n,
                              tacos_error *err) {
    forget_received(peers);
    if (n > INT_MAX)
        return failure(err, TACOS_RANGE, "%zu bytes are too many for a message; at most %d", n,
                       INT_MAX);
    Parcel *parcel = malloc(sizeof *parcel + n);
    if (!parcel)
        return failure(err, TACOS_MEMORY, "no memory for a message of %zu bytes", n);
    if (n > 0)
        memcpy(parcel->bytes, bytes, n);
    /* Sent when it is received, not before. */
    MPI_Issend(parcel->bytes, (int)n, MPI_BYTE, (int)to, MESSAGE_TAG, peers->ranks.everyone,
               &parcel->sending);
    parcel->next = peers->parcels;
    peers->parcels = parcel;
    return TACOS_OK;
}

/* ---- receiving ---- */

/* The next message into the room; `from` may be MPI_ANY_SOURCE. False if none has arrived, or if
 * there is no memory for it: then *n is not 0. */
static bool receive(tacos_peers *peers, int from, size_t *n) {
    MPI_Message message;
    MPI_Status status;
    int count = 0;
    *n = 0;
    if (!ranks_probe(&peers->ranks, from, &message, &status))
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *n = (size_t)count;
    if (*n > peers->size) {
        unsigned char *more = realloc(peers->room, *n);
        if (!more)
            return false;
        peers->room = more;
        peers->size = *n;
    }
    MPI_Mrecv(peers->room, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return true;
}

tacos_status tacos_peers_receive(tacos_peers *peers, size_t from, const void **bytes, size_t *n,
                                 tacos_error *err) {
    while (!receive(peers, (int)from, n)) {
        if (*n > 0)
            return failure(err, TACOS_MEMORY, "no memory for a message of %zu bytes", *n);
        ranks_nap(); /* waiting in MPI would keep a core busy */
    }
    *bytes = peers->room;
    return TACOS_OK;
}

/* ---- leaving ---- */

/* No process waits for one that no longer listens: each receives until all leave. */
void tacos_peers_leave(tacos_peers *peers) {
    MPI_Request all_leave;
    size_t n;
    int left = 0;
    if (!peers)
        return;
    for (forget_received(peers); peers->parcels; forget_received(peers))
        if (!receive(peers, MPI_ANY_SOURCE, &n))
            ranks_nap();
    MPI_Ibarrier(peers->ranks.everyone, &all_leave);
    for (MPI_Test(&all_leave, &left, MPI_STATUS_IGNORE); !left;
         MPI_Test(&all_leave, &left, MPI_STATUS_IGNORE))
        if (!receive(peers, MPI_ANY_SOURCE, &n))
            ranks_nap();
    ranks_leave(&peers->ranks);
    free(peers->room);
    free(peers);
}
