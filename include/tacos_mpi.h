/* tacos_mpi.h - a cluster: processes on one host or many that make runs for the first of them.
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

#ifdef __cplusplus
}
#endif
#endif
