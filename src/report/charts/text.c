/* text.c - growing texts: append, escape, encode, write CSV. */
#include "report/charts/text.h"

#include "base/array.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(Text *text) {
    free(text->bytes);
    *text = (Text){0};
}

/* Room for n more bytes and the end. */
static bool make_room(Text *text, size_t n) {
    if (text->failed)
        return false;
    size_t wanted = text->n <= SIZE_MAX - 256 - n ? text->n + n + 1 : 0;
    if (!wanted || !array_grow(&text->bytes, &text->room, wanted < 256 ? 256 : wanted, 1))
        text->failed = true;
    return !text->failed;
}

void text_add_bytes(Text *text, const void *bytes, size_t n) {
    if (!make_room(text, n))
        return;
    if (n > 0)
        memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->bytes[text->n] = '\0';
}

void text_add(Text *text, const char *words) {
    text_add_bytes(text, words, strlen(words));
}

void text_format(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || !make_room(text, (size_t)n))
        return;
    va_start(args, format);
    (void)vsnprintf(text->bytes + text->n, (size_t)n + 1, format, args);
    va_end(args);
    text->n += (size_t)n;
}

/* The entity for a character that is special in HTML or XML, or NULL. */
static const char *entity(char c) {
    static const char plain[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = c ? strchr(plain, c) : NULL;
    return at ? entities[at - plain] : NULL;
}

/* Of control characters XML allows only these, and it forbids U+FFFE and U+FFFF. */
static bool is_allowed(const unsigned char *at, size_t n) {
    if (n == 1)
        return (at[0] >= 0x20 && at[0] != 0x7f) || at[0] == '\n' || at[0] == '\t';
    if (n == 2 && at[0] == 0xc2)
        return at[1] >= 0xa0; /* the second set of control characters */
    return !(n == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe);
}

void text_escape(Text *text, const char *words) {
    const unsigned char *at = (const unsigned char *)words;
    while (*at) {
        size_t n = utf8_length(at);
        const char *instead = entity((char)*at);
        if (n == 0 || !is_allowed(at, n))
            text_add(text, "\xef\xbf\xbd");
        else if (instead)
            text_add(text, instead);
        else
            text_add_bytes(text, at, n);
        at += n > 0 ? n : 1;
    }
}

void text_wrap(Text *text, const char *before, const char *words, const char *after) {
    text_add(text, before);
    text_escape(text, words);
    text_add(text, after);
}

void text_number(Text *text, double value, int digits) {
    char number[400]; /* the largest double has 309 digits before the point */
    if (!isfinite(value)) {
        text_add(text, "\xe2\x80\x93");
        return;
    }
    int n = snprintf(number, sizeof number, "%.*f", digits, value);
    if (n < 0 || (size_t)n >= sizeof number)
        return;
    if (strchr(number, '.')) {
        while (number[n - 1] == '0')
            number[--n] = '\0';
        if (number[n - 1] == '.')
            number[--n] = '\0';
    }
    text_add(text, strcmp(number, "-0") == 0 ? "0" : number);
}

void text_uri(Text *text, const char *words) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    while (*words) {
        size_t n = strspn(words, plain);
        text_add_bytes(text, words, n);
        words += n;
        if (*words)
            text_format(text, "%%%02X", (unsigned char)*words++);
    }
}

void text_base64(Text *text, const void *bytes, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned word = (unsigned)at[i] << 16;
        char group[4];
        if (left > 1)
            word |= (unsigned)at[i + 1] << 8;
        if (left > 2)
            word |= at[i + 2];
        for (unsigned k = 0; k < 4; k++)
            group[k] = k <= left ? digits[word >> (18 - 6 * k) & 63] : '=';
        text_add_bytes(text, group, sizeof group);
    }
}

tacos_status text_check(const Text *text, tacos_error *err) {
    if (text->failed)
        return failure(err, TACOS_MEMORY, "no memory for the text");
    return TACOS_OK;
}

/* ---- CSV: cells as in RFC 4180, but lines end with \n ---- */

static void separate(Text *csv) {
    if (csv->n > 0 && csv->bytes[csv->n - 1] != '\n')
        text_add(csv, ",");
}

void csv_word(Text *csv, const char *words) {
    separate(csv);
    /* An empty cell at the start of a row is quoted, to distinguish it from no cell. */
    if (words[0] && !strpbrk(words, ",\"\r\n")) {
        text_add(csv, words);
        return;
    }
    text_add(csv, "\"");
    for (const char *at = words; *at; at++)
        text_add_bytes(csv, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    text_add(csv, "\"");
}

void csv_real(Text *csv, double value) {
    separate(csv);
    if (isfinite(value))
        text_format(csv, "%.10g", value);
}

void csv_whole(Text *csv, size_t value) {
    separate(csv);
    text_format(csv, "%zu", value);
}

void csv_end(Text *csv) {
    text_add(csv, "\n");
}

void csv_head(Text *csv, const char *const *words) {
    for (; *words; words++)
        csv_word(csv, *words);
    csv_end(csv);
}
