/* heap.h - an allocator that counts, and that can be empty. */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include "tacos_lab.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Heap {
    size_t calls, live_bytes, asked_bytes;
    bool empty;
} Heap;

static inline void *heap_alloc(void *user, size_t n_bytes, size_t alignment) {
    Heap *heap = user;
    heap->calls++;
    heap->asked_bytes = n_bytes;
    if (heap->empty)
        return NULL;
    heap->live_bytes += n_bytes;
    return aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment);
}

static inline void heap_free(void *user, void *memory, size_t n_bytes) {
    ((Heap *)user)->live_bytes -= n_bytes;
    free(memory);
}

static inline tacos_allocator heap_allocator(Heap *heap) {
    return (tacos_allocator){heap_alloc, heap_free, heap};
}

/* Sanitizers end the program where malloc would give NULL, unless told not to. */
#define SANITIZER_OPTIONS(function)                                                                \
    const char *function(void);                                                                    \
    const char *function(void) {                                                                   \
        return "allocator_may_return_null=1";                                                      \
    }
SANITIZER_OPTIONS(__asan_default_options)
SANITIZER_OPTIONS(__tsan_default_options)

/* Some systems promise any amount of memory, and end the program that believes them. */
static inline bool memory_is_honest(void) {
    FILE *setting = fopen("/proc/sys/vm/overcommit_memory", "r");
    int overcommit = setting ? getc(setting) : '0';
    if (setting)
        (void)fclose(setting);
    return overcommit != '1';
}

#endif
