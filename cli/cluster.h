/* cluster.h - the other processes that mpirun or srun started, if any.
 *
 * tacos itself is not linked with MPI: under a launcher it executes tacos-mpi, the same program
 * with MPI, from its own folder. So only users of MPI have to load it. */
#ifndef CLI_CLUSTER_H
#define CLI_CLUSTER_H

#include "tacos_lab.h"

/* ---- a command that spreads its runs ---- */

/* Before it. False if this process is done, with *code to exit with: it has helped the first one,
 * or something is wrong. */
int cluster_join(char **argv, int *code);

/* Make the runs on a GPU; device.h. False as above. */
int cluster_use_device(int *code);

/* The members, or the device; NULL for none. */
tacos_cluster *cluster_get(void);

/* ---- a command whose processes exchange messages ---- */

/* Before it; likewise. All processes but the first call `member`, and are done when it returns. */
int cluster_meet(char **argv, int (*member)(void), int *code);

/* How many processes there are; 1 without a launcher. The first is 0. */
size_t cluster_size(void);

/* As in tacos_mpi.h, if there are several. An empty message tells a member to leave; the first
 * process need not send it. */
tacos_status cluster_send(size_t to, const void *bytes, size_t n, tacos_error *err);
tacos_status cluster_receive(size_t from, const void **bytes, size_t *n, tacos_error *err);

/* ---- after either ---- */

void cluster_leave(void);

#endif
