/* cluster_mpi.c - cluster.h for tacos-mpi, the program with MPI. */
#include "cli.h"
#include "cluster.h"
#include "tacos_mpi.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static tacos_cluster *cluster;
static int joined;
static tacos_peers *peers;
static size_t n_peers = 1;

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

int cluster_use_device(int *code) {
    cli_error("--device cuda is for one process, not for those of mpirun or srun");
    *code = EXIT_FAILED;
    return 0;
}

tacos_cluster *cluster_get(void) {
    return cluster;
}

int cluster_meet(char **argv, int (*member)(void), int *code) {
    tacos_error err = {0};
    size_t rank = 0;
    (void)argv;
    leave_signals_to_the_first();
    *code = EXIT_OK;
    if (tacos_peers_join(&peers, &rank, &n_peers, &err) != TACOS_OK) {
        *code = cli_fail(&err);
        return 0;
    }
    if (rank == 0)
        return 1;
    if (peers)
        *code = member();
    if (*code == EXIT_OK) /* else MPI ends all processes, since this one does not leave it */
        tacos_peers_leave(peers);
    return 0;
}

size_t cluster_size(void) {
    return n_peers;
}

tacos_status cluster_send(size_t to, const void *bytes, size_t n, tacos_error *err) {
    return tacos_peers_send(peers, to, bytes, n, err);
}

tacos_status cluster_receive(size_t from, const void **bytes, size_t *n, tacos_error *err) {
    return tacos_peers_receive(peers, from, bytes, n, err);
}

void cluster_leave(void) {
    if (joined)
        tacos_mpi_end(cluster);
    joined = 0;
    cluster = NULL;
    int told = 1;
    for (size_t to = 1; peers && to < n_peers; to++)
        told = told && tacos_peers_send(peers, to, NULL, 0, NULL) == TACOS_OK;
    if (told) /* else MPI ends all processes */
        tacos_peers_leave(peers);
    peers = NULL;
    n_peers = 1;
}
