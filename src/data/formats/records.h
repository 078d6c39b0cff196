/* records.h - text as records, one after the other: lines, except that a field in double quotes may
 * hold line ends. Nothing is read before it is needed, so a record of a pipe is given as soon as it
 * is there. */
#ifndef DATA_FORMATS_RECORDS_H
#define DATA_FORMATS_RECORDS_H

#include "base/bytes.h"

#include <stdbool.h>

/* A record with more bytes is taken for a broken file. */
enum { RECORD_BYTES_MAX = 1 << 26 };

typedef struct Records {
    ByteSource source;
    char *bytes; /* [room], of which [at, n) are not yet taken */
    size_t room, at, n;
    size_t line;      /* of the next record, from 1 */
    size_t mark;      /* where records_mark was called */
    size_t mark_line; /* 0: no mark is set */
    bool ended;
} Records;

typedef struct Record {
    const char *text; /* [n], without its line end; valid until the next call */
    size_t n;         /* 0: a blank line */
    size_t line;      /* where it begins */
} Record;

Records records_of(ByteSource source);
void records_free(Records *records);

/* The next record; *more is false at the end. `separator` is what stands between fields, or 0: any
 * of comma, semicolon and tab. A byte order mark at the beginning is skipped. Zero bytes, UTF-16
 * and a quote that is never closed are errors. */
tacos_status records_next(Records *records, char separator, Record *out, bool *more,
                          tacos_error *err);

/* Keep all records from here on, then give them again. */
void records_mark(Records *records);
void records_rewind(Records *records);

/* How many bytes were read since the mark. */
size_t records_kept(const Records *records);

#endif
