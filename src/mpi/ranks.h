/* ranks.h - the processes that were started together: who they are, and how they agree. */
#ifndef SRC_MPI_RANKS_H
#define SRC_MPI_RANKS_H

#include "plan/workers.h"

#include <mpi.h>

typedef struct Ranks {
    MPI_Comm everyone, node; /* node: those that share this one's memory */
    int rank, size;
    int node_rank, node_size;
    char host[HOST_SIZE];
} Ranks;

/* Tests set these to have several nodes or builds on one machine. */
typedef struct RanksOptions {
    const char *version; /* of the program */
    int ranks_a_node;    /* 0: as it is */
} RanksOptions;

/* Begin MPI. A failure here is every process's. */
tacos_status ranks_join(Ranks *out, const RanksOptions *options, tacos_error *err);

/* End MPI, if it was begun and has not ended. */
void ranks_leave(Ranks *ranks);

/* Does this process run the same build as the first? All must ask together. */
tacos_status ranks_check(const Ranks *ranks, const RanksOptions *options, tacos_error *err);

/* All come with a status, and leave with the first process's that failed: its sentence, after the
 * name of its host, is then in everybody's *err, which must not be NULL. */
tacos_status ranks_agree(const Ranks *ranks, tacos_status status, tacos_error *err);

/* How many threads each process of a node gets: a fair share of what the system lets all of them
 * together run on, unless the user says. All of a node must ask together. */
size_t ranks_jobs(const Ranks *ranks, unsigned wanted);

/* A message from that rank, or from any (MPI_ANY_SOURCE), if there is one now. */
bool ranks_probe(const Ranks *ranks, int source, MPI_Message *message, MPI_Status *status);

/* Sleep for a moment: waiting in MPI would keep a core busy. */
void ranks_nap(void);

#endif
