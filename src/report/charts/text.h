/* text.h - a growing text, into which pages, figures and tables are written.
 *
 * When memory runs out, a text keeps what it has, ignores the rest and sets `failed`, so that
 * writers need to check only once, at the end. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char *bytes; /* terminated; NULL while there is nothing */
    size_t n, room;
    bool failed;
} Text;

void text_free(Text *text);

/* Verbatim: for our own words only. */
void text_add(Text *text, const char *words);
void text_add_bytes(Text *text, const void *bytes, size_t n);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Untrusted words, escaped for HTML and XML, in text or in quoted attributes. Invalid UTF-8 and
 * characters that XML forbids become the replacement character. */
void text_escape(Text *text, const char *words);

/* The same between two pieces of our own: text_wrap(out, "<td>", words, "</td>"). */
void text_wrap(Text *text, const char *before, const char *words, const char *after);

/* A number with at most so many digits after the point and no trailing zeros; a dash if it is not
 * finite. */
void text_number(Text *text, double value, int digits);

/* Escaped for a URI: all but letters, digits and -._~ as %XX. */
void text_uri(Text *text, const char *words);

void text_base64(Text *text, const void *bytes, size_t n);

/* Never NULL. */
static inline const char *text_bytes(const Text *text) {
    return text->bytes ? text->bytes : "";
}

/* TACOS_MEMORY if the text is incomplete. */
tacos_status text_check(const Text *text, tacos_error *err);

/* ---- a table as comma-separated values, cell by cell; commas are added as needed ---- */

/* Words, quoted if necessary. */
void csv_word(Text *csv, const char *words);

/* A number with ten significant digits, empty if it is not finite; a whole number. */
void csv_real(Text *csv, double value);
void csv_whole(Text *csv, size_t value);

/* The end of a row. */
void csv_end(Text *csv);

/* A whole row of words, ended by NULL: the head of a table. */
void csv_head(Text *csv, const char *const *words);

#endif
