/* tacos_mpi.h - many processes, on one host or many, that work for the first of them.
 *
 * Start the program with mpirun or srun, and begin with:
 *
 *   tacos_crew *crew;
 *   int served;
 *   if (tacos_mpi_begin(&crew, &served, &err) != TACOS_OK)
 *       ... say why and exit
 *   if (served)
 *       return 0;
 *   ... give crew to tacos_experiment_run or tacos_plan_run, as often as you like
 *   tacos_mpi_end(crew);
 *
 * The rules of tacos.h hold, except that a process that is lost ends all others, as MPI does. */
#ifndef TACOS_MPI_H
#define TACOS_MPI_H

#include "tacos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Join the processes that were started together; once in the life of a process. In the first of
 * them *out is the crew of all others, or NULL if it is alone. Every other process works for it
 * inside this call, until the first calls tacos_mpi_end, and then returns TACOS_OK with *served
 * = 1. If they cannot work together the first process says why, and the others return as if they
 * had served. */
tacos_status tacos_mpi_begin(tacos_crew **out, int *served, tacos_error *err);

/* Send the crew home, NULL too, and end MPI in this process. */
void tacos_mpi_end(tacos_crew *crew);

#ifdef __cplusplus
}
#endif
#endif
