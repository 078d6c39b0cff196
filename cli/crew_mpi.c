/* crew_mpi.c - the program with MPI. */
#include "cli.h"
#include "crew.h"
#include "tacos_mpi.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static tacos_crew *crew;
static int joined;

/* The first process decides when to stop; its helpers leave when it says so. */
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

int crew_join(char **argv, int *code) {
    tacos_error err = {0};
    int served = 0;
    (void)argv;
    leave_signals_to_the_first();
    if (tacos_mpi_begin(&crew, &served, &err) != TACOS_OK) {
        *code = cli_fail(&err);
        return 0;
    }
    joined = !served;
    *code = EXIT_OK;
    return !served;
}

tacos_crew *crew_get(void) {
    return crew;
}

void crew_leave(void) {
    if (joined)
        tacos_mpi_end(crew);
    joined = 0;
    crew = NULL;
}
