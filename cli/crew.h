/* crew.h - the other processes that mpirun or srun started, if any.
 *
 * tacos itself knows nothing of MPI: under a launcher it becomes the program tacos-mpi beside it,
 * which is the same with MPI. So nobody else has to load it. */
#ifndef CLI_CREW_H
#define CLI_CREW_H

#include "tacos.h"

/* Before a command that spreads its runs. False if this process is done, with *code to exit with:
 * it has helped the first one, or something is wrong. */
int crew_join(char **argv, int *code);

/* The helpers; NULL for none. */
tacos_crew *crew_get(void);
void crew_leave(void);

/* How many processes a launcher says there are, ourselves included; 1 without one. */
unsigned long crew_launched(void);

#endif
