/* fields.c - cuts records at their separators, and reads numbers without regard to the locale. */
#include "base/exact.h"

#include "data/formats/fields.h"

#include "base/array.h"
#include "base/decimal.h"

#include <math.h>
#include <strings.h>

/* ---- cutting ---- */

void fields_free(Fields *fields) {
    free(fields->at);
    *fields = (Fields){0};
}

static bool is_blank(char c, char separator) {
    return (c == ' ' || c == '\t') && c != separator;
}

/* A field without quotes, up to the separator or the end, which is returned. */
static char *cut_bare(char *from, char separator) {
    char *end = from;
    while (*end && *end != separator)
        end++;
    for (char *last = end; last > from && is_blank(last[-1], separator); last--)
        last[-1] = '\0';
    return end;
}

/* The text between quotes moves to `to`; returns what is behind the closing one. */
static char *cut_quoted(char *to, char separator) {
    char *from = to + 1;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        *to++ = *from;
    }
    from += *from == '"';
    while (is_blank(*from, separator))
        from++;
    *to = '\0';
    return from;
}

FieldsError fields_cut(Fields *fields, char *text, char separator) {
    for (fields->n = 0;;) {
        while (is_blank(*text, separator))
            text++;
        if (fields->n >= FIELDS_MAX)
            return FIELDS_TOO_MANY;
        if (!array_grow(&fields->at, &fields->room, fields->n + 1, sizeof *fields->at))
            return FIELDS_NO_MEMORY;
        fields->at[fields->n++] = text;
        bool quoted = *text == '"';
        text = quoted ? cut_quoted(text, separator) : cut_bare(text, separator);
        if (!*text)
            return FIELDS_OK;
        if (*text != separator)
            return FIELDS_BEHIND_QUOTE;
        *text++ = '\0';
    }
}

char fields_separator(const char *text, size_t n) {
    bool quoted = false, semicolon = false;
    for (size_t i = 0; i < n; i++) {
        quoted ^= text[i] == '"';
        if (text[i] == '\t' && !quoted)
            return '\t';
        semicolon |= text[i] == ';' && !quoted;
    }
    return semicolon ? ';' : ',';
}

/* ---- numbers ---- */

enum { DIGITS_MAX = 19, NUMBER_LENGTH_MAX = 400, EXPONENT_MAX = 9999 };

typedef struct Decimal {
    bool negative, exact; /* exact: `digits` are all of them */
    uint64_t digits;      /* times 10^exponent */
    int exponent;
} Decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Digits with perhaps a point among them. */
static const char *take_digits(const char *at, bool comma, Decimal *out) {
    bool behind = false, any = false;
    int n = 0;
    for (;; at++) {
        if (!behind && (*at == '.' || (comma && *at == ','))) {
            behind = true;
        } else if (is_digit(*at)) {
            any = true;
            n += n > 0 || *at != '0';
            out->exact = n <= DIGITS_MAX;
            out->digits = out->exact ? 10 * out->digits + (uint64_t)(*at - '0') : out->digits;
            out->exponent -= behind;
        } else {
            return any ? at : NULL;
        }
    }
}

/* Behind an e. */
static const char *take_exponent(const char *at, Decimal *out) {
    bool negative = *at == '-';
    int value = 0;
    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++)
        value = value < EXPONENT_MAX ? 10 * value + (*at - '0') : value;
    out->exponent += negative ? -value : value;
    return at;
}

static bool take_decimal(const char *at, bool comma, Decimal *out) {
    *out = (Decimal){.negative = *at == '-', .exact = true};
    at += *at == '-' || *at == '+';
    at = take_digits(at, comma, out);
    if (at && (*at == 'e' || *at == 'E'))
        at = take_exponent(at + 1, out);
    return at && !*at;
}

/* A product or a quotient of two numbers that doubles hold exactly is rounded once, so it is right
 * (Clinger 1990). Most numbers in files are such. */
static bool is_simple(const Decimal *decimal) {
    return decimal->exact && decimal->digits <= (uint64_t)1 << 53 && decimal->exponent >= -22 &&
           decimal->exponent <= 22;
}

static double simple_value(const Decimal *decimal) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double digits = (double)decimal->digits;
    double value = decimal->exponent < 0 ? digits / tens[-decimal->exponent]
                                         : digits * tens[decimal->exponent];
    return decimal->negative ? -value : value;
}

static double other_value(const char *text) {
    char copy[NUMBER_LENGTH_MAX + 1];
    CLocale locale = c_locale_begin();
    (void)snprintf(copy, sizeof copy, "%s", text);
    char *comma = strchr(copy, ',');
    if (comma)
        *comma = '.';
    double value = strtod(copy, NULL);
    c_locale_end(&locale);
    return value;
}

static bool is_missing(const char *text) {
    static const char *const words[] = {"", "?", "na", "n/a", "nan", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

FieldKind field_read(const char *text, bool comma, double *number) {
    Decimal decimal;
    *number = NAN;
    if (!take_decimal(text, comma, &decimal))
        return is_missing(text) ? FIELD_MISSING : FIELD_TEXT;
    if (is_simple(&decimal)) {
        *number = simple_value(&decimal);
        return FIELD_NUMBER;
    }
    double value = strlen(text) < NUMBER_LENGTH_MAX ? other_value(text) : INFINITY;
    if (isinf(value))
        return FIELD_TEXT;
    *number = value;
    return FIELD_NUMBER;
}
