/* csv_in.h - tables that `tacos reproduce` wrote: comma-separated words without quotes. */
#ifndef REPORT_CSV_IN_H
#define REPORT_CSV_IN_H

#include "base/status.h"

#include <stdbool.h>

enum { CSV_COLUMNS_MAX = 16 };

typedef struct CsvFile {
    const char *path;
    char *text;  /* cut into words as it is read */
    char *next;  /* where the next line begins */
    size_t line; /* the number of the last one read */
    size_t n_columns;
} CsvFile;

/* Open a file whose first line must be `head`. */
tacos_status csv_in_open(CsvFile *out, const char *path, const char *head, tacos_error *err);
void csv_in_close(CsvFile *file);

/* The next line's cells; *more is false at the end. */
tacos_status csv_in_next(CsvFile *file, const char *cells[CSV_COLUMNS_MAX], bool *more,
                         tacos_error *err);

/* A cell that is a number; an empty one is NaN where `may_be_empty`. And a whole number up to max.
 */
tacos_status csv_in_real(const CsvFile *file, const char *cell, bool may_be_empty, double *out,
                         tacos_error *err);
tacos_status csv_in_whole(const CsvFile *file, const char *cell, size_t max, size_t *out,
                          tacos_error *err);

/* A text that fits. */
tacos_status csv_in_text(const CsvFile *file, const char *cell, char *out, size_t size,
                         tacos_error *err);

#endif
