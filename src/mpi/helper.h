/* helper.h - a process that works for the first one. */
#ifndef SRC_MPI_HELPER_H
#define SRC_MPI_HELPER_H

#include "mpi/node_data.h"

typedef struct Helper Helper;

tacos_status helper_new(Helper **out, const Party *party, tacos_error *err);
void helper_free(Helper *helper);

/* Do what the first process orders, until it says to leave. */
void helper_serve(Helper *helper);

#endif
