/* crew.h - the crew of processes that MPI started, seen from the first of them. */
#ifndef SRC_MPI_CREW_H
#define SRC_MPI_CREW_H

#include "plan/crew.h"
#include "mpi/party.h"

/* See tacos_mpi.h. */
tacos_status crew_begin(tacos_crew **out, int *served, const PartyOptions *options,
                        tacos_error *err);
void crew_end(tacos_crew *crew);

#endif
