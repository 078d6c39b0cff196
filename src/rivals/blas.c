/* blas.c - loads OpenBLAS and serialises its callers where it is not thread-safe. */
#include "rivals/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The library's only lock: OpenBLAS is shared by the whole process, so this is too. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool find_all(Blas *blas) {
    bool all = true;
    /* POSIX lets dlsym return a function's address; ISO C has no cast for it, so copy the bytes. */
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
    /* Never unloaded: it may have started threads, and the next rival needs it again. */
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
    /* Runs are the unit of parallelism; and one thread keeps the order of sums fixed. */
    if (blas->threads() != 1)
        blas->set_threads(1);
}

void blas_leave(const Blas *blas) {
    if (blas->turns)
        (void)pthread_mutex_unlock(&turn);
}
