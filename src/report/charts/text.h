/* text.h - a text that grows: what pages, figures and tables are written into.
 *
 * A text that has run out of memory keeps what it has, ignores the rest and says so at the end
 * (`failed`), so that those who write need not ask after every word. */
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

/* As it is: for our own words alone. */
void text_add(Text *text, const char *words);
void text_add_bytes(Text *text, const void *bytes, size_t n);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Words of others, as they may stand in HTML and XML, in a text or in an attribute's quotes. What
 * is not UTF-8, or no character that XML allows, becomes the replacement character. */
void text_escape(Text *text, const char *words);

/* The same between two pieces of our own: text_wrap(out, "<td>", words, "</td>"). */
void text_wrap(Text *text, const char *before, const char *words, const char *after);

/* A number with at most so many digits behind the point, without zeros at the end; a dash if it is
 * not finite. */
void text_number(Text *text, double value, int digits);

/* As part of a URI: all but letters, digits and -._~ as %XX. */
void text_uri(Text *text, const char *words);

void text_base64(Text *text, const void *bytes, size_t n);

/* An empty text's bytes are "". */
static inline const char *text_bytes(const Text *text) {
    return text->bytes ? text->bytes : "";
}

/* TACOS_MEMORY if something was lost. */
tacos_status text_check(const Text *text, tacos_error *err);

/* ---- a table as comma-separated values, cell by cell; commas are added as needed ---- */

/* A cell of words, in quotes where it needs them. */
void csv_word(Text *csv, const char *words);

/* A cell with a number of ten digits, empty if it is not finite; with a whole number. */
void csv_real(Text *csv, double value);
void csv_whole(Text *csv, size_t value);

/* The end of a row. */
void csv_end(Text *csv);

/* A row of words, ended by NULL: the head of a table. */
void csv_head(Text *csv, const char *const *words);

#endif
