/* old_learner.h - a learner's file as version 0.1.0 wrote it, which had more models and keys. */
#ifndef TESTS_OLD_LEARNER_H
#define TESTS_OLD_LEARNER_H

#include "base/pack.h"

#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void put_u32(char *at, uint32_t value) {
    for (size_t k = 0; k < 4; k++)
        at[k] = (char)(value >> (8 * k));
}

/* Write a file again, with another model and these lines as well. */
static inline void as_0_1_0(const char *path, const char *more, const char *model) {
    enum { LENGTH = 24, TEXT = 28 };
    size_t n, used = TEXT;
    char *was = read_bytes(path, &n), *is = calloc(1, n + 64 + strlen(more)), *line = was + TEXT;
    const unsigned char *length = (const unsigned char *)was + LENGTH;
    const char *end = line + (length[0] | length[1] << 8);
    memcpy(is, was, TEXT);
    used += (size_t)sprintf(is + used, "model = %s\n%s", model, more);
    line += strcspn(line, "\n") + 1; /* model, the first key */
    memcpy(is + used, line, (size_t)(end - line));
    used += (size_t)(end - line);
    put_u32(is + LENGTH, (uint32_t)(used - TEXT));
    put_u32(is + used, crc_add(0, is, used));
    used += 4;
    size_t rest = n - (size_t)(end + 4 - was);
    memcpy(is + used, end + 4, rest);
    write_bytes(path, is, used + rest);
    free(was);
    free(is);
}

#endif
