/* cluster.h - the other processes that mpirun or srun started, if any.
 *
 * tacos itself is not linked with MPI: under a launcher it executes tacos-mpi, the same program
 * with MPI, from its own folder. So only users of MPI have to load it. */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

#include "tacos_lab.h"

/* Before a command that spreads its runs. False if this process is done, with *code to exit with:
 * it has helped the first one, or something is wrong. */
int cluster_join(char **argv, int *code);

/* The members; NULL for none. */
tacos_cluster *cluster_get(void);
void cluster_leave(void);

#endif
