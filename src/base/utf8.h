/* utf8.h - where one character of a text ends, for those who write texts that others will parse. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

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

#endif
