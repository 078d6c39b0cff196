/* ranks.h - the processes that were started together: their numbers, and how they agree. */
#ifndef SRC_MPI_RANKS_H
#define SRC_MPI_RANKS_H

#include "plan/workers.h"

#include <mpi.h>

typedef struct Ranks {
    MPI_Comm everyone, node; /* node: the processes that share memory with this one */
    int rank, size;
    int node_rank, node_size;
    char host[HOST_SIZE];
} Ranks;

/* Tests set these to simulate several nodes or builds on one machine. */
typedef struct RanksOptions {
    const char *version; /* of the program */
    int ranks_a_node;    /* 0: as they are */
} RanksOptions;

/* Initialise MPI. A failure here is a failure of every process. */
tacos_status ranks_join(Ranks *out, const RanksOptions *options, tacos_error *err);

/* Finalise MPI, if it is running. */
void ranks_leave(Ranks *ranks);

/* Does this process run the same build as the first? All must call it together. */
tacos_status ranks_check(const Ranks *ranks, const RanksOptions *options, tacos_error *err);

/* All processes pass a status and get that of the first one that failed: its sentence, prefixed
 * with its host, is then in every *err, which must not be NULL. */
tacos_status ranks_agree(const Ranks *ranks, tacos_status status, tacos_error *err);

/* The number of threads of each process of a node: an equal share of the CPUs that all of them
 * together may use, unless the user set it. All processes of a node must call it together. */
size_t ranks_jobs(const Ranks *ranks, unsigned wanted);

/* A message from this rank, or from any (MPI_ANY_SOURCE), if one has arrived. */
bool ranks_probe(const Ranks *ranks, int source, MPI_Message *message, MPI_Status *status);

/* Sleep for a moment: waiting in MPI would keep a core busy. */
void ranks_nap(void);

#endif
