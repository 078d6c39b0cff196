/* count.h - counts in one byte, for as long as a stream lasts.
 *
 * A code has an exponent e and a mantissa m of four bits each and stands for (16 + m) 2^e - 16:
 * every number up to 16, then every second one, every fourth ... up to a million, where it stays. A
 * count above 16 grows at random, in one of 2^e cases, so that its mean is the number of events
 * (Morris 1978). */
#ifndef COLUMNS_COUNT_H
#define COLUMNS_COUNT_H

#include "base/draws.h"

enum { COUNT_BITS = 4, COUNT_ONE = 1 << COUNT_BITS, COUNT_MOST = 255 };

static inline uint32_t count_value(uint8_t code) {
    return ((uint32_t)(COUNT_ONE + (code & (COUNT_ONE - 1))) << (code >> COUNT_BITS)) - COUNT_ONE;
}

/* One more event. */
static inline void count_add(uint8_t *code, uint32_t *draws) {
    int e = *code >> COUNT_BITS;
    if (*code < COUNT_MOST && (e == 0 || draw_next(draws) >> (32 - e) == 0))
        (*code)++;
}

/* The code nearest to a number, the lower one of two. */
static inline uint8_t count_code(uint64_t value) {
    uint8_t code = 0;
    while (code < COUNT_MOST && count_value((uint8_t)(code + 1)) <= value)
        code++;
    if (code < COUNT_MOST && count_value((uint8_t)(code + 1)) - value < value - count_value(code))
        code++;
    return code;
}

#endif
