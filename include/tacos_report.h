/* tacos_report.h - results as a page to read, and as figures to print.
 *
 * Everything is made from what `tacos run` (docs/results.md) or `tacos reproduce` left in a folder,
 * and from nothing else: no clock, no network, no data sets. The same files give the same bytes.
 * The rules of tacos.h hold. */
#ifndef TACOS_REPORT_H
#define TACOS_REPORT_H

#include "tacos_lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many folders one page may compare. */
#define TACOS_REPORT_DIRS_MAX 32

/* Write one HTML file that needs nothing beside it: of a run, of several runs side by side, or of a
 * folder of `tacos reproduce`, which stands alone. */
tacos_status tacos_report_write(const char *const *dirs, size_t n_dirs, const char *out_path,
                                tacos_error *err);

typedef struct tacos_figure_info {
    const char *name;
    const char *of_run;          /* what it shows of a folder of `tacos run`; NULL: nothing */
    const char *of_reproduction; /* the same of one of `tacos reproduce` */
} tacos_figure_info;

/* The i-th figure that can be asked for; 0 past the end, else 1. */
int tacos_figure(size_t i, tacos_figure_info *out);

/* Draw a figure for print: an SVG document, or where `csv` is not 0 the numbers in it. *out is a
 * terminated text; end it with tacos_figure_free. */
tacos_status tacos_figure_draw(const char *figure, const char *dir, int csv, char **out,
                               tacos_error *err);
void tacos_figure_free(char *text);

/* Draw a figure into a file, which appears whole or not at all. */
tacos_status tacos_figure_write(const char *figure, const char *dir, int csv, const char *out_path,
                                tacos_error *err);

#ifdef __cplusplus
}
#endif
#endif
