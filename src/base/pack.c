/* pack.c - numbers to little-endian bytes and back. */
#include "base/pack.h"

#include "base/little_endian.h"

#include <string.h>

static bool to_file(void *user, void *bytes, size_t n) {
    return fwrite(bytes, 1, n, user) == n;
}

static bool from_file(void *user, void *bytes, size_t n) {
    return fread(bytes, 1, n, user) == n;
}

Pack pack_write_file(FILE *file) {
    return (Pack){.writing = true, .move = to_file, .user = file};
}

Pack pack_read_file(FILE *file) {
    return (Pack){.move = from_file, .user = file};
}

void pack_bytes(Pack *pack, void *bytes, size_t n) {
    if (pack->move && !pack->failed)
        pack->failed = !pack->move(pack->user, bytes, n);
    if (pack->failed && !pack->writing)
        memset(bytes, 0, n);
    pack->crc = crc_add(pack->crc, bytes, n);
}

/* ---- numbers as bytes: of a file, and of this machine's memory ---- */

static uint64_t get_native(const void *at, size_t size) {
    uint32_t four = 0;
    uint16_t two = 0;
    if (size == sizeof two) {
        memcpy(&two, at, sizeof two);
        return two;
    }
    memcpy(&four, at, sizeof four);
    return four;
}

static void put_native(void *at, uint64_t value, size_t size) {
    uint32_t four = (uint32_t)value;
    uint16_t two = (uint16_t)value;
    memcpy(at, size == sizeof two ? (void *)&two : (void *)&four, size);
}

uint64_t pack_whole(Pack *pack, uint64_t value, size_t n) {
    unsigned char bytes[8] = {0};
    little_endian_put(bytes, value, n);
    pack_bytes(pack, bytes, n);
    return little_endian_get(bytes, n);
}

double pack_real(Pack *pack, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = pack_whole(pack, bits, sizeof bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* Many values of 2 or 4 bytes, in chunks. `at` are the bytes of the first in memory. */
static void pack_run(Pack *pack, void *at, size_t n, size_t size) {
    enum { CHUNK = 1024 };
    unsigned char bytes[CHUNK], *values = at;
    size_t a_chunk = CHUNK / size;
    for (size_t from = 0; from < n; from += a_chunk) {
        size_t here = n - from < a_chunk ? n - from : a_chunk;
        unsigned char *first = values + from * size;
        for (size_t i = 0; i < here && pack->writing; i++)
            little_endian_put(bytes + i * size, get_native(first + i * size, size), size);
        pack_bytes(pack, bytes, here * size);
        for (size_t i = 0; i < here && !pack->writing; i++)
            put_native(first + i * size, little_endian_get(bytes + i * size, size), size);
    }
}

void pack_floats(Pack *pack, float *values, size_t n_rows, size_t n, size_t stride) {
    for (size_t k = 0; k < n_rows; k++)
        pack_run(pack, values + k * stride, n, sizeof *values);
}

void pack_u16s(Pack *pack, uint16_t *values, size_t n_rows, size_t n, size_t stride) {
    for (size_t k = 0; k < n_rows; k++)
        pack_run(pack, values + k * stride, n, sizeof *values);
}

void pack_reals(Pack *pack, double *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] = pack_real(pack, values[i]);
}

bool pack_checksum(Pack *pack) {
    uint32_t mine = pack->crc;
    uint32_t theirs = (uint32_t)pack_whole(pack, mine, sizeof mine);
    pack->digest = (pack->digest << 1 | pack->digest >> 31) ^ mine;
    pack->crc = 0;
    return !pack->failed && mine == theirs;
}
