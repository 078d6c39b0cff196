/* cluster.h - the two sides of a cluster: the coordinator, which is the first process, and the
 * members, which are all others. */
#ifndef SRC_MPI_CLUSTER_H
#define SRC_MPI_CLUSTER_H

#include "plan/cluster.h"
#include "mpi/node_data.h"
#include "tacos_lab.h"

/* tacos_mpi_begin, with options. */
tacos_status cluster_begin(tacos_cluster **out, int *served, const RanksOptions *options,
                           tacos_error *err);

typedef struct Member Member;

tacos_status member_new(Member **out, const Ranks *ranks, tacos_error *err);
void member_free(Member *member);

/* Follow the coordinator's orders until it says to leave. */
void member_serve(Member *member);

#endif
