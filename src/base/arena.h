/* arena.h - one block of memory, sized up front and carved in order; and the default allocator.
 *
 * The code that carves runs twice: first with no base, to measure the size; then over the block. So
 * the layout is written once, and nothing is allocated after it. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "tacos.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARENA_ALIGN = 64 }; /* a cache line, and the widest vector */

typedef struct Arena {
    char *base; /* NULL while measuring */
    size_t used;
    int overflow; /* the sizes asked for do not fit in a size_t */
} Arena;

/* Room for [n_rows][n] items. */
static inline void *arena_take_rows(Arena *arena, size_t n_rows, size_t n, size_t item_bytes) {
    size_t bytes = 0;
    void *place = arena->base ? arena->base + arena->used : NULL;
    if (__builtin_mul_overflow(n_rows, n, &bytes) ||
        __builtin_mul_overflow(bytes, item_bytes, &bytes) ||
        __builtin_add_overflow(bytes, (size_t)ARENA_ALIGN - 1, &bytes) ||
        __builtin_add_overflow(arena->used, bytes & ~((size_t)ARENA_ALIGN - 1), &arena->used))
        arena->overflow = 1;
    return place;
}

static inline void *arena_take(Arena *arena, size_t n, size_t item_bytes) {
    return arena_take_rows(arena, 1, n, item_bytes);
}

/* ---- the allocator behind tacos_allocator ---- */

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
