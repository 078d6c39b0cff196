/* records.c - finds where records end, in a buffer that grows to the longest of them. */
#include "data/formats/records.h"

#include "base/array.h"
#include "base/utf8.h"

enum { READ_BYTES = 1 << 16 };

Records records_of(ByteSource source) {
    return (Records){.source = source, .line = 1};
}

void records_free(Records *records) {
    free(records->bytes);
    *records = (Records){0};
}

void records_mark(Records *records) {
    records->mark = records->at;
    records->mark_line = records->line;
}

void records_rewind(Records *records) {
    records->at = records->mark;
    records->line = records->mark_line;
    records->mark_line = 0;
}

size_t records_kept(const Records *records) {
    return records->mark_line ? records->n - records->mark : 0;
}

static tacos_status fail_at(const Records *records, size_t line, const char *what,
                            tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%.300s:%zu: %s", records->source.name, line, what);
}

/* ---- bytes ---- */

/* Read more behind what is there; what was taken goes, unless it is kept. */
static tacos_status fill(Records *records, tacos_error *err) {
    size_t got = 0, drop = records->mark_line ? records->mark : records->at;
    if (drop > 0) {
        memmove(records->bytes, records->bytes + drop, records->n - drop);
        records->n -= drop;
        records->at -= drop;
        records->mark = 0;
    }
    if (records->n - records->at > RECORD_BYTES_MAX)
        return fail_at(records, records->line, "the line is too long", err);
    if (!array_grow(&records->bytes, &records->room, records->n + READ_BYTES, 1))
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", records->source.name);
    TRY(records->source.read(&records->source, (uint8_t *)records->bytes + records->n,
                             records->room - records->n, &got, err));
    records->n += got;
    records->ended = got == 0;
    return TACOS_OK;
}

/* At the beginning of the text. */
static tacos_status skip_mark(Records *records, tacos_error *err) {
    char first[4] = "";
    while (records->n < 3 && !records->ended)
        TRY(fill(records, err));
    if (records->n > 0)
        memcpy(first, records->bytes, records->n < 3 ? records->n : 3);
    if (bom_is_utf16(first))
        return failure(err, TACOS_FORMAT, "%.300s is UTF-16 text; expected UTF-8",
                       records->source.name);
    records->at = records->mark = bom_length(first); /* not a second time after a rewind */
    return TACOS_OK;
}

/* ---- the end of a record ---- */

typedef enum Where { FIELD_START, BARE, QUOTED, QUOTE_IN_QUOTED } Where;

static bool is_separator(char c, char separator) {
    return separator ? c == separator : c == ',' || c == ';' || c == '\t';
}

/* Where one is after a byte that does not end the record. */
static Where step(Where where, char c, char separator) {
    if (where == QUOTED)
        return c == '"' ? QUOTE_IN_QUOTED : QUOTED;
    if (c == '"' && where == QUOTE_IN_QUOTED)
        return QUOTED;
    if (is_separator(c, separator))
        return FIELD_START;
    if (where != FIELD_START)
        return BARE;
    return c == '"' ? QUOTED : c == ' ' || c == '\t' ? FIELD_START : BARE;
}

typedef struct Scan {
    Where where;
    size_t n;       /* bytes of the record so far */
    size_t n_lines; /* line ends among them */
} Scan;

/* Go on to the end of the record (true) or of what was read. */
static bool scan(const Records *records, char separator, Scan *scan) {
    const char *text = records->bytes + records->at;
    size_t n = records->n - records->at;
    for (; scan->n < n; scan->n++) {
        char c = text[scan->n];
        if (c == '\n' && scan->where != QUOTED)
            return true;
        scan->n_lines += c == '\n';
        scan->where = step(scan->where, c, separator);
    }
    return false;
}

tacos_status records_next(Records *records, char separator, Record *out, bool *more,
                          tacos_error *err) {
    Scan so_far = {.where = FIELD_START};
    if (records->line == 1 && records->n == 0)
        TRY(skip_mark(records, err));
    while (!scan(records, separator, &so_far) && !records->ended)
        TRY(fill(records, err));
    if (so_far.where == QUOTED)
        return fail_at(records, records->line, "a quote is opened and never closed", err);
    size_t n_left = records->n - records->at;
    *more = n_left > 0;
    *out = (Record){records->bytes ? records->bytes + records->at : "", so_far.n, records->line};
    records->at += so_far.n + (so_far.n < n_left);
    records->line += so_far.n_lines + 1;
    if (memchr(out->text, '\0', out->n))
        return fail_at(records, out->line, "this is not text: it holds a zero byte", err);
    if (out->n > 0 && out->text[out->n - 1] == '\r')
        out->n--;
    return TACOS_OK;
}
