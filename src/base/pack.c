/* pack.c - whole numbers to little-endian bytes and back. */
#include "base/pack.h"

#include "base/little_endian.h"

#include <string.h>

void pack_bytes(Pack *pack, void *bytes, size_t n) {
    if (pack->move && !pack->failed)
        pack->failed = !pack->move(pack->user, bytes, n);
    if (pack->failed && !pack->writing)
        memset(bytes, 0, n);
    pack->crc = crc_add(pack->crc, bytes, n);
}

uint64_t pack_whole(Pack *pack, uint64_t value, size_t n) {
    unsigned char bytes[8] = {0};
    little_endian_put(bytes, value, n);
    pack_bytes(pack, bytes, n);
    return little_endian_get(bytes, n);
}

bool pack_checksum(Pack *pack) {
    uint32_t mine = pack->crc;
    uint32_t theirs = (uint32_t)pack_whole(pack, mine, sizeof mine);
    pack->digest = (pack->digest << 1 | pack->digest >> 31) ^ mine;
    pack->crc = 0;
    return !pack->failed && mine == theirs;
}
