/* memory.h - the default allocator behind tacos_allocator. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "tacos.h"

/* The caller's allocator, or one on aligned_alloc where that is NULL. */
tacos_allocator memory_allocator(const tacos_allocator *given);

#endif
