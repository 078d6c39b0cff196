/* blas.c - who may call OpenBLAS when. */
#include "rivals/blas.h"

#include <pthread.h>
#include <stdbool.h>

/* The one lock of the library: what it guards is one for the whole program, too. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool takes_turns(void) {
    return openblas_get_parallel() != OPENBLAS_THREAD;
}

void blas_enter(void) {
    if (takes_turns())
        (void)pthread_mutex_lock(&turn);
    /* Runs are what is done side by side; and with one thread the order of sums is known. */
    if (openblas_get_num_threads() != 1)
        openblas_set_num_threads(1);
}

void blas_leave(void) {
    if (takes_turns())
        (void)pthread_mutex_unlock(&turn);
}
