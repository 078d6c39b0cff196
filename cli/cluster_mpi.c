/* cluster_mpi.c - cluster.h for tacos-mpi, the program with MPI. */
#include "cli.h"
#include "cluster.h"
#include "tacos_mpi.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static tacos_cluster *cluster;
static int joined;

/* The first process decides when to stop; its members leave when it says so. */
static void leave_signals_to_the_first(void) {
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        const char *rank = getenv(ranks[i]);
        if (rank && strcmp(rank, "0") != 0) {
            (void)signal(SIGINT, SIG_IGN);
            (void)signal(SIGTERM, SIG_IGN);
            (void)signal(SIGHUP, SIG_IGN);
            return;
        }
    }
}

int cluster_join(char **argv, int *code) {
    tacos_error err = {0};
    int served = 0;
    (void)argv;
    leave_signals_to_the_first();
    if (tacos_mpi_begin(&cluster, &served, &err) != TACOS_OK) {
        *code = cli_fail(&err);
        return 0;
    }
    joined = !served;
    *code = EXIT_OK;
    return !served;
}

tacos_cluster *cluster_get(void) {
    return cluster;
}

void cluster_leave(void) {
    if (joined)
        tacos_mpi_end(cluster);
    joined = 0;
    cluster = NULL;
}
