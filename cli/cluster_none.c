/* cluster_none.c - cluster.h for tacos and tacos-cuda, the programs without MPI: hands over to
 * tacos-mpi. */
#include "cli.h"
#include "cluster.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **command_line;

/* How many processes a launcher says it started, in the environment; 1 without one. */
static unsigned long n_launched(void) {
    /* Open MPI's mpirun; PMI-2 (srun, MPICH). */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size)
            return strtoul(size, NULL, 10);
    }
    /* srun --mpi=pmix gives the rank, and Slurm the number of processes. */
    const char *tasks = getenv("SLURM_NTASKS");
    return getenv("PMIX_RANK") && tasks ? strtoul(tasks, NULL, 10) : 1;
}

int cluster_join(char **argv, int *code) {
    static const char ending[] = "-mpi";
    char path[4096];
    command_line = argv;
    if (n_launched() < 2)
        return 1;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof ending);
    if (n > 0) {
        strcpy(path + n, ending);
        (void)execv(path, argv);
    }
    cli_error("several processes were started, but there is no %s: this build has no MPI",
              n > 0 ? path : "tacos-mpi");
    *code = EXIT_FAILED;
    return 0;
}

int cluster_use_device(int *code) {
    return device_begin(command_line, code);
}

tacos_cluster *cluster_get(void) {
    return device_get();
}

int cluster_meet(char **argv, int (*member)(void), int *code) {
    (void)member;
    return cluster_join(argv, code);
}

size_t cluster_size(void) {
    return 1;
}

/* There is nobody to send anything to. */
static tacos_status alone(tacos_error *err) {
    *err = (tacos_error){TACOS_INVALID, "this build has no MPI"};
    return err->status;
}

tacos_status cluster_send(size_t to, const void *bytes, size_t n, tacos_error *err) {
    (void)to, (void)bytes, (void)n;
    return alone(err);
}

tacos_status cluster_receive(size_t from, const void **bytes, size_t *n, tacos_error *err) {
    (void)from, (void)bytes, (void)n;
    return alone(err);
}

void cluster_leave(void) {
    device_end();
}
