/* api.c - tacos_mpi.h. */
#include "tacos_mpi.h"

#include "mpi/crew.h"

tacos_status tacos_mpi_begin(tacos_crew **out, int *served, tacos_error *err) {
    const PartyOptions options = {.version = TACOS_VERSION_STRING};
    return crew_begin(out, served, &options, err);
}

void tacos_mpi_end(tacos_crew *crew) {
    crew_end(crew);
}
