/* decimal.c - switches the calling thread to the C locale and back. */
#include "base/posix.h"

#include "base/decimal.h"

#include <locale.h>

CLocale c_locale_begin(void) {
    CLocale locale = {.own = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (locale.own)
        locale.before = uselocale(locale.own);
    return locale;
}

void c_locale_end(CLocale *locale) {
    if (!locale->own)
        return;
    (void)uselocale(locale->before);
    freelocale(locale->own);
    locale->own = NULL;
}
