/* lines.h - a stream cut into lines, in memory that does not grow: for input without end. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Lines {
    int file;        /* descriptor */
    uint64_t number; /* of the line that was read last, from 1 */
    char *room;      /* [size] */
    size_t size;
    size_t from, to; /* what was read ahead */
    int ended;
} Lines;

typedef enum LineKind {
    LINE_READ,
    LINE_TOO_LONG, /* it was passed over */
    LINE_ZERO,     /* it holds a zero byte: it is not text */
    LINE_UTF16,    /* the stream begins as UTF-16 does: no line of it can be read */
    LINE_END,
    LINE_STOPPED, /* a signal came (process.h) while waiting */
    LINE_FAILED,  /* errno tells why */
} LineKind;

/* Lines of up to `longest` bytes. 0, or -1 without memory. */
int lines_open(Lines *lines, int file, size_t longest);
void lines_close(Lines *lines);

/* The next line, terminated, without its end ("\n" or "\r\n"); the last one need not have one, and
 * the byte order mark that the first may have is left out. It is valid until the next call. */
LineKind lines_next(Lines *lines, char **out);

#endif
