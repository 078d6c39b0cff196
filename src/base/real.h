/* real.h - numbers in sentences and files: with as many digits as it takes to tell them from
 * others.
 */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdio.h>
#include <stdlib.h>

enum { REAL_TEXT_SIZE = 32 };

/* The shortest digits that read back as the same double; gives buf. */
static inline const char *real_text(double value, char buf[REAL_TEXT_SIZE]) {
    int n = 6;
    do
        (void)snprintf(buf, REAL_TEXT_SIZE, "%.*g", n, value);
    while (n++ < 17 && strtod(buf, NULL) != value);
    return buf;
}

/* For %s, until the end of the block. */
#define REAL(value) real_text((value), (char[REAL_TEXT_SIZE]){0})

#endif
