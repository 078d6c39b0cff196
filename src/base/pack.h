/* pack.h - whole numbers to bytes and back; the same code writes and reads.
 *
 * Everything is little-endian, on every machine. Sections end with a CRC-32 of their bytes. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include "tacos.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Pack {
    bool writing;
    /* Writes or reads n bytes; false on failure. NULL: only checksums are computed. */
    bool (*move)(void *user, void *bytes, size_t n);
    void *user;
    bool failed;     /* later moves do nothing */
    bool no_memory;  /* for what is read: set by whoever reads */
    uint32_t crc;    /* of the section so far */
    uint32_t digest; /* of the checksums of all sections so far */
} Pack;

void pack_bytes(Pack *pack, void *bytes, size_t n);

/* A number of n bytes: returns `value` when writing, the number read when reading. */
uint64_t pack_whole(Pack *pack, uint64_t value, size_t n);

/* End the section with its checksum; false if something failed or it does not match. */
bool pack_checksum(Pack *pack);

#ifndef COLUMNS_SMALL
/* Of n times eight bytes, for crc_add. */
uint32_t crc_eights(uint32_t crc, const unsigned char *at, size_t n);
#endif

/* CRC-32 as zip and PNG have it, without a library. Start with 0, then pass the result of the last
 * call. */
static inline uint32_t crc_add(uint32_t crc, const void *bytes, size_t n) {
    /* What four bits at the end do to the rest. */
    static const uint32_t nibble[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *at = (const unsigned char *)bytes;
    size_t k = 0;
    crc = ~crc;
#ifndef COLUMNS_SMALL
    if (n >= 8) {
        crc = crc_eights(crc, at, n / 8);
        k = n / 8 * 8;
    }
#endif
    for (; k < n; k++) {
        crc ^= at[k];
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

#endif
