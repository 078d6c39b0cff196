/* arena.h - one block of memory, sized up front and carved in order.
 *
 * The code that carves runs twice: first with no base, to measure the size; then over the block. So
 * the layout is written once, and nothing is allocated after it. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#ifndef ARENA_ALIGN
#define ARENA_ALIGN 64 /* a cache line, and the widest vector */
#endif

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

#ifndef COLUMNS_SMALL
static inline void *arena_take(Arena *arena, size_t n, size_t item_bytes) {
    return arena_take_rows(arena, 1, n, item_bytes);
}
#endif

/* For a pointer to the items, which C++ wants to be cast. */
#define ARENA_TAKE_ROWS(arena, pointer, n_rows, n)                                                 \
    ((pointer) = (__typeof__(pointer))arena_take_rows(arena, n_rows, n, sizeof *(pointer)))
#define ARENA_TAKE(arena, pointer, n) ARENA_TAKE_ROWS(arena, pointer, 1, n)

#endif
