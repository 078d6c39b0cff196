/* crew_launched.c - what launchers leave in the environment. */
#include "crew.h"

#include <stdlib.h>

unsigned long crew_launched(void) {
    /* Open MPI's mpirun; PMI-2 (srun, MPICH). */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size)
            return strtoul(size, NULL, 10);
    }
    /* srun --mpi=pmix tells our rank, and Slurm how many there are. */
    const char *tasks = getenv("SLURM_NTASKS");
    return getenv("PMIX_RANK") && tasks ? strtoul(tasks, NULL, 10) : 1;
}
