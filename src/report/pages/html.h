/* html.h - tables, facts and commands of a page. Words are escaped here. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/input/runs.h"
#include "report/charts/text.h"
#include "tacos_lab.h"

/* A sortable table. `heads` ends with NULL; the heads of numeric columns begin with NUMBERS. */
#define NUMBERS "\t"
void html_table_begin(Text *out, const char *class, const char *caption, const char *const *heads);
void html_table_end(Text *out);

/* A row; class may be NULL. Then its cells. */
void html_row_begin(Text *out, const char *class);
void html_row_end(Text *out);
void html_row_head(Text *out, const char *words); /* the first cell, which names the row */
void html_cell(Text *out, const char *words);
void html_cell_code(Text *out, const char *words);

/* "82.95 ± 1.22", sorted by the mean; a dash if n is 0; `best` marks it. */
void html_cell_summary(Text *out, tacos_summary value, int digits, bool best);
void html_cell_number(Text *out, double value, int digits);
void html_summary(Text *out, tacos_summary value, int digits);

/* One pair of a list of facts. */
void html_fact(Text *out, const char *name, const char *words);

/* How to run them again, in one box: a command for each, and the experiment's file unless it is
 * built in. */
void html_commands(Text *out, const RunFolder *runs, size_t n);

/* Every key that is not at its default, with the value that all n folders share, as a list. */
void html_chips(Text *out, const RunFolder *runs, size_t n);

/* Every key with its value; those at their default are folded away. */
void html_config(Text *out, const RunFolder *runs);

/* Definitions of the metrics. */
void html_metrics(Text *out);

#endif
