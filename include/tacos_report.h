/* tacos_report.h - reports (HTML pages) and figures of results.
 *
 * Everything is made from the files that `tacos run` (docs/results.md) or `tacos reproduce` wrote
 * into a folder, or from the evaluation of a stream, and from nothing else: no clock, no network,
 * no data sets. The same files give the same bytes. The rules of tacos.h apply. */
#ifndef TACOS_REPORT_H
#define TACOS_REPORT_H

#include "tacos_lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many folders one page may compare. */
#define TACOS_REPORT_DIRS_MAX 32

/* Write one self-contained HTML file about a run, about several runs compared, about a single
 * folder of `tacos reproduce`, or about a stream (a folder with stream.json; docs/streams.md). */
tacos_status tacos_report_write(const char *const *dirs, size_t n_dirs, const char *out_path,
                                tacos_error *err);

typedef struct tacos_report_options {
    const char *const *dirs; /* [n_dirs] */
    size_t n_dirs;
    /* A folder of `tacos run` with another model on the same stream, with which the verdict on a
     * single run compares it; or NULL. */
    const char *baseline;
    /* The page loads itself again after so many seconds, as one that is rewritten meanwhile; 0: it
     * does not. */
    unsigned reload_seconds;
} tacos_report_options;

/* The same with options. */
tacos_status tacos_report_write_with(const tacos_report_options *options, const char *out_path,
                                     tacos_error *err);

/* Write the page of a sweep from its store, also while it is being written: the best configurations
 * and which keys matter. `progress` says how far it is; NULL: it has ended. reload_seconds: as
 * above. */
tacos_status tacos_report_write_sweep(const char *store, const tacos_progress *progress,
                                      unsigned reload_seconds, const char *out_path,
                                      tacos_error *err);

typedef struct tacos_figure_info {
    const char *name;
    const char *of_run;          /* what it shows of a folder of `tacos run`; NULL: nothing */
    const char *of_runs;         /* the same of several of them */
    const char *of_reproduction; /* the same of one of `tacos reproduce` */
} tacos_figure_info;

/* The i-th figure; returns 0 past the end, else 1. */
int tacos_figure(size_t i, tacos_figure_info *out);

/* Draw a figure for print: as an SVG document, or, if `csv` is not 0, its numbers as CSV. `dir` is
 * a folder; for the figure `memory` also columns.csv of `tacos reproduce`, wherever that is. *out
 * is a string to be freed with tacos_figure_free. */
tacos_status tacos_figure_draw(const char *figure, const char *dir, int csv, char **out,
                               tacos_error *err);

/* The same of 1 to TACOS_REPORT_DIRS_MAX folders; several are of `tacos run`, in one picture. */
tacos_status tacos_figure_draw_several(const char *figure, const char *const *dirs, size_t n_dirs,
                                       int csv, char **out, tacos_error *err);
void tacos_figure_free(char *text);

/* Draw a figure into a file, which is written atomically. */
tacos_status tacos_figure_write(const char *figure, const char *dir, int csv, const char *out_path,
                                tacos_error *err);
tacos_status tacos_figure_write_several(const char *figure, const char *const *dirs, size_t n_dirs,
                                        int csv, const char *out_path, tacos_error *err);

#ifdef __cplusplus
}
#endif
#endif
