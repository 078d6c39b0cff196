/* pack_file.h - files, and numbers that are not whole, as bytes; see pack.h. */
#ifndef BASE_PACK_FILE_H
#define BASE_PACK_FILE_H

#include "base/pack.h"
#include "tacos.h"

#include <stdio.h>

Pack pack_write_file(FILE *file);
Pack pack_read_file(FILE *file);

/* Through a caller's functions, one of which is enough; the struct must outlive the Pack. */
typedef struct PackCalls {
    tacos_write *write;
    tacos_read *read;
    void *user;
} PackCalls;

Pack pack_write_calls(PackCalls *calls);
Pack pack_read_calls(PackCalls *calls);

double pack_real(Pack *pack, double value);

/* Rows of n values, `stride` apart. */
void pack_floats(Pack *pack, float *values, size_t n_rows, size_t n, size_t stride);
void pack_u16s(Pack *pack, uint16_t *values, size_t n_rows, size_t n, size_t stride);
void pack_reals(Pack *pack, double *values, size_t n);

#endif
