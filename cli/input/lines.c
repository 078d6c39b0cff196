/* lines.c - cuts a stream into lines, in a buffer of fixed size. */
#include "input/samples.h"

#include "base/utf8.h"
#include "system/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_AHEAD = 1 << 16 };

int lines_open(Lines *lines, int file, size_t longest) {
    *lines = (Lines){.file = file, .size = longest + READ_AHEAD};
    lines->room = malloc(lines->size + 1);
    return lines->room ? 0 : -1;
}

void lines_close(Lines *lines) {
    free(lines->room);
}

/* Read more bytes into the buffer: LINE_READ if any arrived. */
static LineKind read_more(Lines *lines) {
    if (lines->from > 0) {
        memmove(lines->room, lines->room + lines->from, lines->to - lines->from);
        lines->to -= lines->from;
        lines->from = 0;
    }
    for (;;) {
        if (interrupt_signal())
            return LINE_STOPPED;
        (void)fflush(stdout); /* whoever waits for answers gets them before more is read */
        ssize_t n = read(lines->file, lines->room + lines->to, lines->size - lines->to);
        if (n > 0) {
            lines->to += (size_t)n;
            return LINE_READ;
        }
        if (n == 0) {
            lines->ended = 1;
            return LINE_END;
        }
        if (errno != EINTR)
            return LINE_FAILED;
    }
}

static LineKind give(Lines *lines, char *end, size_t next, char **out) {
    *out = lines->room + lines->from;
    if (end > *out && end[-1] == '\r')
        end--;
    *end = '\0';
    lines->from = next;
    lines->number++;
    if (lines->number == 1 && bom_is_utf16(*out))
        return LINE_UTF16;
    if (strlen(*out) != (size_t)(end - *out))
        return LINE_ZERO;
    if (lines->number == 1)
        *out += bom_length(*out);
    return LINE_READ;
}

/* Skip the rest of a line that is too long. */
static LineKind pass_over(Lines *lines) {
    lines->number++;
    for (;;) {
        lines->from = lines->to;
        LineKind kind = read_more(lines);
        char *end = kind == LINE_READ ? memchr(lines->room, '\n', lines->to) : NULL;
        if (end)
            lines->from = (size_t)(end - lines->room) + 1;
        if (end || kind == LINE_END)
            return LINE_TOO_LONG;
        if (kind != LINE_READ)
            return kind;
    }
}

LineKind lines_next(Lines *lines, char **out) {
    size_t seen = lines->from; /* no end of line before this */
    *out = NULL;
    for (;;) {
        char *end = memchr(lines->room + seen, '\n', lines->to - seen);
        if (end)
            return give(lines, end, (size_t)(end - lines->room) + 1, out);
        if (lines->ended)
            return lines->from == lines->to ? LINE_END
                                            : give(lines, lines->room + lines->to, lines->to, out);
        if (lines->to - lines->from >= lines->size)
            return pass_over(lines);
        size_t kept = lines->to - lines->from;
        LineKind kind = read_more(lines);
        if (kind != LINE_READ && kind != LINE_END)
            return kind;
        seen = kept;
    }
}

/* Where the first line that is not blank begins, or NULL if all is blank so far. */
static const char *first_ink(const Lines *lines) {
    const char *text = lines->room + lines->from;
    size_t n = lines->to - lines->from, at = n >= 3 ? bom_length(text) : 0;
    for (; at < n; at++)
        if (!strchr(" \t\r\n", text[at]))
            return text + at;
    return NULL;
}

const char *lines_first(Lines *lines, size_t *n) {
    for (;;) {
        const char *first = first_ink(lines), *end = lines->room + lines->to;
        const char *stop = first ? memchr(first, '\n', (size_t)(end - first)) : NULL;
        *n = first ? (size_t)((stop ? stop : end) - first) : 0;
        if (stop || lines->ended || lines->to - lines->from >= lines->size)
            return first;
        LineKind kind = read_more(lines);
        if (kind != LINE_READ && kind != LINE_END)
            return NULL;
    }
}

LineKind lines_bytes(Lines *lines, void *bytes, size_t n, size_t *got) {
    *got = 0;
    if (lines->from == lines->to && !lines->ended) {
        LineKind kind = read_more(lines);
        if (kind != LINE_READ)
            return kind;
    }
    size_t left = lines->to - lines->from;
    *got = left < n ? left : n;
    memcpy(bytes, lines->room + lines->from, *got);
    lines->from += *got;
    return *got > 0 ? LINE_READ : LINE_END;
}
