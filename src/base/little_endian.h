/* little_endian.h - integers as bytes, lowest first. Header-only, so that clients of the library
 * may use it too. */
#ifndef BASE_LITTLE_ENDIAN_H
#define BASE_LITTLE_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

/* A number of n bytes, at most 8. */
static inline void little_endian_put(unsigned char *bytes, uint64_t value, size_t n) {
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(value >> (8 * k));
}

static inline uint64_t little_endian_get(const unsigned char *bytes, size_t n) {
    uint64_t value = 0;
    for (size_t k = 0; k < n; k++)
        value |= (uint64_t)bytes[k] << (8 * k);
    return value;
}

#endif
