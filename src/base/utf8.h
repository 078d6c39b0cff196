/* utf8.h - UTF-8 text: its characters, its byte order mark, and untrusted text made safe to show:
 * no control sequences, one line. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The length in bytes of the UTF-8 character at text, 0 if it is none. A terminated text is never
 * read beyond its end. */
static inline size_t utf8_length(const unsigned char *text) {
    size_t n = text[0] < 0x80   ? 1
               : text[0] < 0xc2 ? 0
               : text[0] < 0xe0 ? 2
               : text[0] < 0xf0 ? 3
                                : 4;
    if (text[0] > 0xf4)
        return 0;
    for (size_t k = 1; k < n; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    /* Too long a form, half of a surrogate pair, beyond the last code point. */
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

/* ---- byte order mark ---- */

/* The length of the byte order mark of a terminated text: 3 or 0. */
static inline size_t bom_length(const char *text) {
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Whether it begins with the byte order mark of UTF-16 or UTF-32, of either order. */
static inline bool bom_is_utf16(const char *text) {
    return strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0;
}

/* Skip it at the beginning of a file. */
static inline void bom_skip(FILE *file) {
    char mark[4] = "";
    if (fread(mark, 1, 3, file) != 3 || bom_length(mark) == 0)
        rewind(file);
}

/* ---- text made safe to show ---- */

/* The code point of the UTF-8 character at text, which has n bytes (utf8_length). */
static inline unsigned long plain_code_point(const unsigned char *text, size_t n) {
    unsigned long code = n == 1 ? text[0] : text[0] & (0x7fu >> n);
    for (size_t k = 1; k < n; k++)
        code = code << 6 | (text[k] & 0x3fu);
    return code;
}

/* Control characters (C0, DEL, C1), line and paragraph separators, changes of text direction, and
 * the byte order mark, which is invisible. */
static inline bool plain_is_control(unsigned long code) {
    static const struct {
        unsigned long from, to;
    } ranges[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].from && code <= ranges[i].to)
            return true;
    return false;
}

/* The character at *text, which moves past it, made safe to show: itself, or \uNNNN for a control
 * character, or \xNN for a byte that is not UTF-8. Returns the length of out. */
enum { PLAIN_CHARACTER_SIZE = 8 };
static inline size_t plain_character(const char **text, char out[PLAIN_CHARACTER_SIZE]) {
    const unsigned char *at = (const unsigned char *)*text;
    size_t n = utf8_length(at);
    unsigned long code = plain_code_point(at, n);
    *text += n > 0 ? n : 1;
    if (n == 0)
        return (size_t)snprintf(out, PLAIN_CHARACTER_SIZE, "\\x%02x", at[0]);
    if (plain_is_control(code))
        return (size_t)snprintf(out, PLAIN_CHARACTER_SIZE, "\\u%04x", (unsigned)(code & 0xffff));
    memcpy(out, at, n);
    return n;
}

/* As much of the text as fits into buf[size], terminated; returns the length of the whole. */
static inline size_t plain_text(const char *text, char *buf, size_t size) {
    char character[PLAIN_CHARACTER_SIZE];
    size_t whole = 0, used = 0;
    while (*text) {
        size_t n = plain_character(&text, character);
        if (whole == used && used + n < size) {
            memcpy(buf + used, character, n);
            used += n;
        }
        whole += n;
    }
    if (size > 0)
        buf[used] = '\0';
    return whole;
}

#endif
