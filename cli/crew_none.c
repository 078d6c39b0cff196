/* crew_none.c - the program without MPI. */
#include "cli.h"
#include "crew.h"

#include <string.h>
#include <unistd.h>

int crew_join(char **argv, int *code) {
    static const char ending[] = "-mpi";
    char path[4096];
    if (crew_launched() < 2)
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

tacos_crew *crew_get(void) {
    return NULL;
}

void crew_leave(void) {}
