/* c_locale.h - numbers are read and written with a point, whatever the program's locale.
 *
 * Only the calling thread is affected, between begin and end. */
#ifndef BASE_C_LOCALE_H
#define BASE_C_LOCALE_H

#include <locale.h>

typedef struct CLocale {
    locale_t own, before; /* own is 0 if none could be made: then nothing is changed */
} CLocale;

CLocale c_locale_begin(void);
void c_locale_end(CLocale *locale);

#endif
