/* bom.h - the mark that some programs write before a text, which is no part of it. The library has
 * the same in src/base/bom.h. */
#ifndef CLI_BOM_H
#define CLI_BOM_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* How many bytes of a terminated text are UTF-8's mark: 3 or 0. */
static inline size_t bom_length(const char *text) {
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Whether it begins as UTF-16 and UTF-32 do where they are marked, in either order. */
static inline int bom_is_utf16(const char *text) {
    return strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0;
}

/* Go on past it in a file of which nothing was read yet; else stay at its beginning. */
static inline void bom_skip(FILE *file) {
    char mark[4] = "";
    if (fread(mark, 1, 3, file) != 3 || bom_length(mark) == 0)
        rewind(file);
}

#endif
