/* words.h - texts that were seen, numbered from 0 in the order in which they first came: labels,
 * and the categories of a column. */
#ifndef DATA_FORMATS_WORDS_H
#define DATA_FORMATS_WORDS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Words {
    char **text; /* [n] */
    size_t n, room;
    uint32_t *slots; /* [n_slots], a power of two: a number plus 1, or 0 for none */
    size_t n_slots;
} Words;

void words_free(Words *words);

/* The number of a text, WORDS_NONE if it was never added. */
#define WORDS_NONE SIZE_MAX
size_t words_find(const Words *words, const char *text);

/* The same, which is added if it is new. More than `most` texts are an error, which does not say
 * where: the caller knows the line. */
tacos_status words_add(Words *words, const char *text, size_t most, size_t *out, tacos_error *err);

#endif
