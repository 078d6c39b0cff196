/* scarce.h - a program whose memory runs out when it is told to: malloc and its kin, in place of
 * the C library's, for everything in the process, SQLite and stdio too. Include it in one file.
 *
 * The real ones are the next in the linker's order, which under a sanitizer are the sanitizer's. It
 * asks for memory before it is ready itself, so what is called then must not be checked
 * (UNCHECKED). */
#ifndef TESTS_SCARCE_H
#define TESTS_SCARCE_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define UNCHECKED                                                                                  \
    __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))

/* The n-th allocation from now on fails, and with `all` every later one; 0: none does. */
typedef struct Scarce {
    atomic_size_t fail_at, count;
    atomic_bool all;
    atomic_long live;      /* blocks given and not taken back, since the program began */
    atomic_size_t largest; /* bytes asked for at once; set it to 0 to begin */
} Scarce;

static Scarce scarce;

static inline void scarce_begin(size_t fail_at, bool all) {
    atomic_store(&scarce.count, 0);
    atomic_store(&scarce.all, all);
    atomic_store(&scarce.fail_at, fail_at);
}

/* Plenty again; says whether it had run out. */
static inline bool scarce_end(void) {
    size_t fail_at = atomic_exchange(&scarce.fail_at, 0);
    return fail_at > 0 && atomic_load(&scarce.count) >= fail_at;
}

/* The address sanitizer does not stand that libc has no memory for what it asks of it in a new
 * thread. */
UNCHECKED static bool scarce_spares(const void *caller) {
#ifdef __SANITIZE_ADDRESS__
    Dl_info from;
    return dladdr(caller, &from) && strstr(from.dli_fname, "/libc.so");
#else
    (void)caller;
    return false;
#endif
}

UNCHECKED static bool scarce_refuses(const void *caller) {
    size_t fail_at = atomic_load(&scarce.fail_at);
    if (fail_at == 0 || scarce_spares(caller))
        return false;
    size_t turn = atomic_fetch_add(&scarce.count, 1) + 1;
    bool refuses = turn == fail_at || (turn > fail_at && atomic_load(&scarce.all));
    if (refuses)
        errno = ENOMEM;
    return refuses;
}

#define REFUSED scarce_refuses(__builtin_return_address(0))

/* ---- the real ones ---- */

typedef struct Real {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void (*free)(void *);
} Real;

/* ISO C has no conversion from dlsym's pointer to one to a function. */
UNCHECKED static void scarce_find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

UNCHECKED static const Real *scarce_real(void) {
    static Real real;
    if (!real.free) {
        scarce_find(&real.malloc, "malloc");
        scarce_find(&real.calloc, "calloc");
        scarce_find(&real.realloc, "realloc");
        scarce_find(&real.aligned_alloc, "aligned_alloc");
        scarce_find(&real.free, "free");
    }
    return &real;
}

UNCHECKED static void *scarce_given(void *memory) {
    if (memory)
        atomic_fetch_add(&scarce.live, 1);
    return memory;
}

/* ---- in their place ---- */

/* A product that overflows is not asked for in tests. */
UNCHECKED static void scarce_note(size_t n) {
    if (n > atomic_load(&scarce.largest))
        atomic_store(&scarce.largest, n);
}

UNCHECKED void *malloc(size_t n) {
    scarce_note(n);
    return REFUSED ? NULL : scarce_given(scarce_real()->malloc(n));
}

UNCHECKED void *calloc(size_t n, size_t size) {
    scarce_note(n * size);
    return REFUSED ? NULL : scarce_given(scarce_real()->calloc(n, size));
}

UNCHECKED void *realloc(void *memory, size_t n) {
    scarce_note(n);
    if (REFUSED)
        return NULL;
    void *moved = scarce_real()->realloc(memory, n);
    return memory ? moved : scarce_given(moved);
}

UNCHECKED void *aligned_alloc(size_t alignment, size_t n) {
    scarce_note(n);
    return REFUSED ? NULL : scarce_given(scarce_real()->aligned_alloc(alignment, n));
}

UNCHECKED void free(void *memory) {
    if (memory)
        atomic_fetch_sub(&scarce.live, 1);
    scarce_real()->free(memory);
}

#endif
