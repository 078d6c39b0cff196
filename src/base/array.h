/* array.h - arrays that grow by doubling. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for n items of item_size bytes; `array` is the address of a pointer to items allocated
 * with malloc (or of NULL), *room the number of items it can hold. On failure both are unchanged.
 *
 *     if (!array_grow(&list->rows, &list->room, list->n + 1, sizeof *list->rows))
 *         return failure(err, TACOS_MEMORY, "no memory for the rows"); */
static inline bool array_grow(void *array, size_t *room, size_t n, size_t item_size) {
    void *items;
    size_t doubled = *room <= SIZE_MAX / 2 ? 2 * *room : SIZE_MAX;
    size_t wanted = n > doubled ? n : doubled;
    if (n <= *room)
        return true;
    if (wanted > SIZE_MAX / item_size)
        wanted = n;
    if (wanted > SIZE_MAX / item_size)
        return false;
    memcpy(&items, array, sizeof items);
    items = realloc(items, wanted * item_size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *room = wanted;
    return true;
}

#endif
