/* allocator.h - the allocator behind a tacos_allocator that is NULL. */
#ifndef BASE_ALLOCATOR_H
#define BASE_ALLOCATOR_H

#include "tacos.h"

#include <stdlib.h>

#if defined(__NEWLIB__) || defined(_NEWLIB_VERSION) /* whose aligned_alloc needs a system */
#include <malloc.h>
#define aligned_alloc memalign
#endif

static inline void *arena_default_alloc(void *user, size_t n_bytes, size_t alignment) {
    (void)user;
    /* aligned_alloc requires a multiple of the alignment. */
    size_t rounded = (n_bytes + alignment - 1) & ~(alignment - 1);
    return rounded < n_bytes ? NULL : aligned_alloc(alignment, rounded);
}

static inline void arena_default_free(void *user, void *memory, size_t n_bytes) {
    (void)user;
    (void)n_bytes;
    free(memory);
}

/* The caller's allocator, or the default one if that is NULL. */
static inline tacos_allocator arena_allocator(const tacos_allocator *given) {
    return given ? *given : (tacos_allocator){arena_default_alloc, arena_default_free, NULL};
}

#endif
