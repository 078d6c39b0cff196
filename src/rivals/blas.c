/* blas.c - load OpenBLAS, and share it among threads. */
#include "rivals/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The one lock of the library: what it guards is one for the whole program, too. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool find_all(Blas *blas) {
    bool all = true;
    /* POSIX lets a symbol's address be a function; ISO C has no cast for it, so it is copied. */
#define FIND(name, symbol, result, arguments)                                                      \
    do {                                                                                           \
        void *found = dlsym(blas->library, symbol);                                                \
        memcpy(&blas->name, &found, sizeof found);                                                 \
        all = all && found;                                                                        \
    } while (0);
    BLAS_MAP(FIND)
#undef FIND
    return all;
}

tacos_status blas_open(Blas *out, tacos_error *err) {
    enum { POSIX_THREADS = 1 };
    static const char name[] = "libopenblas.so.0";
    /* Once there it stays: it may have threads, and the next rival wants it again. */
    Blas blas = {.library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    if (!blas.library)
        return failure(err, TACOS_MISSING,
                       "rival methods need OpenBLAS, but there is no %s; on Debian it is in "
                       "libopenblas0-pthread",
                       name);
    if (!find_all(&blas)) {
        blas_close(&blas);
        return failure(err, TACOS_VERSION,
                       "the installed OpenBLAS lacks functions that rivals need");
    }
    blas.turns = blas.parallel() != POSIX_THREADS;
    *out = blas;
    return TACOS_OK;
}

void blas_close(Blas *blas) {
    if (blas->library)
        (void)dlclose(blas->library);
    blas->library = NULL;
}

void blas_enter(const Blas *blas) {
    if (blas->turns)
        (void)pthread_mutex_lock(&turn);
    /* Runs are what is done side by side; and with one thread the order of sums is known. */
    if (blas->threads() != 1)
        blas->set_threads(1);
}

void blas_leave(const Blas *blas) {
    if (blas->turns)
        (void)pthread_mutex_unlock(&turn);
}
