/* npy_file.h - NumPy arrays as NumPy writes them, in memory. */
#ifndef TESTS_NPY_FILE_H
#define TESTS_NPY_FILE_H

#include "check.h"

#include <stdio.h>

typedef struct Npy {
    char bytes[1024];
    size_t n;
} Npy;

/* Of version 1: its header, padded as NumPy does, and the elements. */
static inline Npy make_npy(const char *descr, const char *shape, const void *elements, size_t n) {
    Npy out = {"\x93NUMPY\x01", 0};
    char *file = out.bytes;
    int used = snprintf(file + 10, sizeof out.bytes - 10,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    size_t header = (size_t)used;
    while ((10 + header + 1) % 64 != 0)
        file[10 + header++] = ' ';
    file[10 + header++] = '\n';
    file[8] = (char)header;
    assert_true(10 + header + n <= sizeof out.bytes);
    memcpy(file + 10 + header, elements, n);
    out.n = 10 + header + n;
    return out;
}

#endif
