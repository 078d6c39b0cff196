/* crc.h - CRC-32 as zip and PNG have it, here so that a learner alone needs no library. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Begin with 0; go on with what the last call returned. */
static inline uint32_t crc_add(uint32_t crc, const void *bytes, size_t n) {
    /* What four bits at the end do to the rest. */
    static const uint32_t nibble[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *at = bytes;
    crc = ~crc;
    for (size_t k = 0; k < n; k++) {
        crc ^= at[k];
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

#endif
