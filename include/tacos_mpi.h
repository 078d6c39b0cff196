/* tacos_mpi.h - processes on one host or many: a cluster, which makes runs for the first of them,
 * or peers, which exchange messages.
 *
 * Start the program with mpirun or srun, and begin with:
 *
 *   tacos_cluster *cluster;
 *   int served;
 *   if (tacos_mpi_begin(&cluster, &served, &err) != TACOS_OK)
 *       ... report err and exit
 *   if (served)
 *       return 0;
 *   ... pass cluster to tacos_experiment_run or tacos_plan_run, any number of times
 *   tacos_mpi_end(cluster);
 *
 * The rules of tacos.h hold, except that a process that dies takes all others with it, as MPI does.
 */
#ifndef TACOS_MPI_H
#define TACOS_MPI_H

#include "tacos_lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Join the processes that were started together; once in the life of a process. In the first
 * process *out is the cluster of all others, or NULL if there are none. Every other process works
 * for the first inside this call, until the first calls tacos_mpi_end, and then returns TACOS_OK
 * with *served = 1. If they cannot work together, the first process returns the error, and the
 * others return as if they had served. */
tacos_status tacos_mpi_begin(tacos_cluster **out, int *served, tacos_error *err);

/* Dismiss the cluster (which may be NULL) and finalize MPI in this process. */
void tacos_mpi_end(tacos_cluster *cluster);

/* ---- peers ---- */

/* All processes that were started together, each of which goes its own way. */
typedef struct tacos_peers tacos_peers;

/* Join them; instead of tacos_mpi_begin, and once in the life of a process, too. *out is NULL if
 * this process is alone. If they cannot work together, the first process returns the error, and the
 * others return TACOS_OK with NULL. */
tacos_status tacos_peers_join(tacos_peers **out, size_t *rank, size_t *n, tacos_error *err);

/* Wait until all processes do this, and finalize MPI in this process. Messages that nobody has
 * received are dropped. */
void tacos_peers_leave(tacos_peers *peers);

/* Send a copy of n bytes (0 to 2^31 - 1) to another process, without waiting for it to receive
 * them. Messages between two processes arrive in the order they were sent. */
tacos_status tacos_peers_send(tacos_peers *peers, size_t to, const void *bytes, size_t n,
                              tacos_error *err);

/* Wait for the next message from a process. The bytes are the peers', until the next call. After a
 * failure the processes can no longer work together. */
tacos_status tacos_peers_receive(tacos_peers *peers, size_t from, const void **bytes, size_t *n,
                                 tacos_error *err);

#ifdef __cplusplus
}
#endif
#endif
