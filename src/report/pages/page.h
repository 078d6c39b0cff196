/* page.h - one HTML file: its frame and its sections. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/figures/figures.h"
#include "report/pages/folders.h"
#include "tacos_report.h"

/* The page of a sweep; `progress`: NULL once it has ended. */
tacos_status page_write_sweep(Text *out, const char *store, const tacos_progress *progress,
                              unsigned reload_seconds, tacos_error *err);

/* The whole page of one folder, or of several. */
tacos_status page_write(Text *out, const tacos_report_options *options, tacos_error *err);

enum { PAGE_SECTIONS_MAX = 24 };

/* A page while it is being written. */
typedef struct Page {
    Text title, head, body; /* title: not escaped; head: above the sections */
    Text grid;              /* figures and tables of the current section */
    Text left_out;          /* figures left out, and why */
    size_t n_sections;
    struct {
        char id[24], name[48];
    } sections[PAGE_SECTIONS_MAX];
    size_t n_figures;
    unsigned reload_seconds; /* 0: it does not reload itself */
    bool last_is_narrow;     /* the last figure takes one column of two */
} Page;

/* End a section: it holds what is in the grid and lists what is left out; nothing is written if the
 * grid is empty. `name` is its heading and its link in the navigation; `about` may be NULL. */
void page_section(Page *page, const char *id, const char *name, const char *about);

/* Put a figure into the grid and free it. `status` is what drawing it returned: if it is
 * TACOS_MISSING, the section says that the figure is left out, and why; other errors are returned.
 */
tacos_status page_take_figure(Page *page, Figure *figure, tacos_status status,
                              const tacos_error *why, tacos_error *err);

/* Put a figure that is drawn into the grid. */
void page_add_figure(Page *page, const Figure *figure);

/* The pages (baseline: may be NULL): page_run.c, page_running.c, page_sweep.c, page_compare.c,
 * page_stream.c, page_parts.c. */
tacos_status page_of_run(Page *page, const RunFolder *runs, const RunFolder *baseline,
                         tacos_error *err);
tacos_status page_of_running(Page *page, const RunFolder *runs, tacos_error *err);
void page_of_sweep(Page *page, const char *store, const tacos_survey *survey,
                   const tacos_progress *progress);
tacos_status page_of_runs(Page *page, const RunFolder *runs, size_t n, tacos_error *err);
tacos_status page_of_stream(Page *page, const StreamFolder *stream, tacos_error *err);
tacos_status page_of_parts(Page *page, const Parts *parts, tacos_error *err);

#endif
