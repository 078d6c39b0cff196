/* decimal.h - numbers as text: with a decimal point whatever the program's locale, and enough
 * digits to read the same number back. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdio.h>
#include <stdlib.h>

/* Only the calling thread is affected, between begin and end. */
typedef struct CLocale {
    void *own, *before; /* locale_t; own is NULL if none could be made: then nothing is changed */
} CLocale;

CLocale c_locale_begin(void);
void c_locale_end(CLocale *locale);

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
