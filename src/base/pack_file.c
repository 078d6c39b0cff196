/* pack_file.c - files, and numbers that are not whole, as bytes. */
#include "base/pack_file.h"

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

static bool to_caller(void *user, void *bytes, size_t n) {
    const PackCalls *calls = user;
    return calls->write(calls->user, bytes, n) == 0;
}

static bool from_caller(void *user, void *bytes, size_t n) {
    const PackCalls *calls = user;
    return calls->read(calls->user, bytes, n) == 0;
}

Pack pack_write_calls(PackCalls *calls) {
    return (Pack){.writing = true, .move = to_caller, .user = calls};
}

Pack pack_read_calls(PackCalls *calls) {
    return (Pack){.move = from_caller, .user = calls};
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
