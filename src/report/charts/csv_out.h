/* csv_out.h - a table as comma-separated values, cell by cell; the commas come by themselves. */
#ifndef REPORT_CSV_OUT_H
#define REPORT_CSV_OUT_H

#include "report/charts/text.h"

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
