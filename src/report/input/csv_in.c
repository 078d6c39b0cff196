/* csv_in.c - lines and commas. */
#include "report/input/csv_in.h"

#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 27 };

/* Cut off the line at *next; NULL at the end of the text. */
static char *cut_line(CsvFile *file) {
    char *line = file->next;
    if (!*line)
        return NULL;
    size_t n = strcspn(line, "\n");
    file->next = line + n + (line[n] == '\n');
    line[n] = '\0';
    file->line++;
    return line;
}

static size_t count_columns(const char *line) {
    size_t n = 1;
    for (; *line; line++)
        n += *line == ',';
    return n;
}

tacos_status csv_in_open(CsvFile *out, const char *path, const char *head, tacos_error *err) {
    *out = (CsvFile){.path = path, .n_columns = count_columns(head)};
    TRY(input_read_text(path, BYTES_MAX, &out->text, err));
    out->next = out->text;
    const char *line = cut_line(out);
    if (line && strcmp(line, head) == 0)
        return TACOS_OK;
    csv_in_close(out);
    return failure(err, TACOS_FORMAT, "%s does not begin with '%s'", path, head);
}

void csv_in_close(CsvFile *file) {
    free(file->text);
    file->text = NULL;
}

tacos_status csv_in_next(CsvFile *file, const char *cells[CSV_COLUMNS_MAX], bool *more,
                         tacos_error *err) {
    char *line = cut_line(file);
    *more = line != NULL;
    if (!line)
        return TACOS_OK;
    size_t n = count_columns(line);
    if (n != file->n_columns || n > CSV_COLUMNS_MAX || strpbrk(line, "\"\r"))
        return failure(err, TACOS_FORMAT, "%s: line %zu is not %zu cells", file->path, file->line,
                       file->n_columns);
    for (size_t c = 0; c < n; c++) {
        cells[c] = line;
        line += strcspn(line, ",");
        *line++ = '\0';
    }
    return TACOS_OK;
}

static tacos_status bad_cell(const CsvFile *file, const char *cell, const char *wanted,
                             tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%s: line %zu: '%.40s' is not %s", file->path, file->line,
                   cell, wanted);
}

tacos_status csv_in_real(const CsvFile *file, const char *cell, bool may_be_empty, double *out,
                         tacos_error *err) {
    char *end;
    *out = NAN;
    if (!*cell && may_be_empty)
        return TACOS_OK;
    double value = strtod(cell, &end);
    if (!*cell || *end || !(fabs(value) <= 1e9))
        return bad_cell(file, cell, "a number", err);
    *out = value;
    return TACOS_OK;
}

tacos_status csv_in_whole(const CsvFile *file, const char *cell, size_t max, size_t *out,
                          tacos_error *err) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(cell, &end, 10);
    if (*cell < '0' || *cell > '9' || *end || errno || value > max)
        return bad_cell(file, cell, "a whole number in its range", err);
    *out = value;
    return TACOS_OK;
}

tacos_status csv_in_text(const CsvFile *file, const char *cell, char *out, size_t size,
                         tacos_error *err) {
    if (strlen(cell) >= size)
        return bad_cell(file, cell, "short enough", err);
    strcpy(out, cell);
    return TACOS_OK;
}
