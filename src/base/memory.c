/* memory.c - the default allocator. */
#include "base/memory.h"

#include <stdlib.h>

static void *plain_alloc(void *user, size_t n_bytes, size_t alignment) {
    (void)user;
    /* aligned_alloc wants a multiple of the alignment. */
    size_t rounded = (n_bytes + alignment - 1) & ~(alignment - 1);
    return rounded < n_bytes ? NULL : aligned_alloc(alignment, rounded);
}

static void plain_free(void *user, void *memory, size_t n_bytes) {
    (void)user;
    (void)n_bytes;
    free(memory);
}

tacos_allocator memory_allocator(const tacos_allocator *given) {
    return given ? *given : (tacos_allocator){plain_alloc, plain_free, NULL};
}
