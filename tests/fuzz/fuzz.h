/* fuzz.h - what the fuzz targets share: bytes as files that never reach a disk, and inputs of
 * several parts. */
#ifndef FUZZ_H
#define FUZZ_H

#include "tacos_lab.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A promise of the reader that was broken. */
#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Something is said; the command line prints it, which makes it plain. */
static inline void check_said(const char *text, size_t size) {
    HOLDS(text[0] && memchr(text, '\0', size));
}

/* Something is said, in one line, that no terminal obeys. */
static inline void check_sentence(const char *text, size_t size) {
    check_said(text, size);
    HOLDS(tacos_text_plain(text, NULL, 0) == strlen(text));
}

/* Read every byte where a sanitizer sees it. */
static inline void touch(const void *bytes, size_t n) {
    const volatile uint8_t *at = bytes;
    for (size_t i = 0; i < n; i++)
        (void)at[i];
}

/* A file in memory, with a path. */
typedef struct FuzzFile {
    int fd;
    char path[40];
} FuzzFile;

static inline FuzzFile file_of(const void *bytes, size_t n) {
    FuzzFile file = {.fd = memfd_create("fuzz", MFD_CLOEXEC)};
    HOLDS(file.fd >= 0);
    HOLDS(write(file.fd, bytes, n) == (ssize_t)n);
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static inline void file_end(FuzzFile *file) {
    (void)close(file->fd);
}

/* Bytes as a terminated text; free it. */
static inline char *text_of(const uint8_t *bytes, size_t n) {
    char *text = malloc(n + 1);
    HOLDS(text);
    memcpy(text, bytes, n);
    text[n] = '\0';
    return text;
}

/* An input of two parts: the first two bytes say how long the first of them is. */
typedef struct TwoParts {
    const uint8_t *one, *two;
    size_t n_one, n_two;
} TwoParts;

static inline TwoParts parts_of(const uint8_t *bytes, size_t n) {
    size_t rest = n < 2 ? 0 : n - 2, wanted = n < 2 ? 0 : bytes[0] | (size_t)bytes[1] << 8;
    size_t n_one = wanted < rest ? wanted : rest;
    const uint8_t *start = n < 2 ? bytes : bytes + 2;
    return (TwoParts){start, start + n_one, n_one, rest - n_one};
}

#endif
