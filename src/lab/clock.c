/* clock.c - reads TACOS_TEST_CLOCK, the clock of tests. */
#include "lab/clock.h"

#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>

tacos_status clock_of_tests(double *seconds_per_sample, tacos_error *err) {
    const char *text = getenv("TACOS_TEST_CLOCK");
    *seconds_per_sample = 0;
    if (!text || !*text)
        return TACOS_OK;
    char *end;
    CLocale locale = c_locale_begin();
    double number = strtod(text, &end);
    c_locale_end(&locale);
    if (*end || !isfinite(number) || number <= 0)
        return failure(err, TACOS_INVALID,
                       "TACOS_TEST_CLOCK must be the seconds per sample, not '%.40s'", text);
    *seconds_per_sample = number;
    return TACOS_OK;
}
