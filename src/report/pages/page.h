/* page.h - one HTML file: its frame and its sections. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/figures/figures.h"

/* What a folder holds. */
typedef enum FolderKind { FOLDER_NEITHER, FOLDER_RUN, FOLDER_PARTS } FolderKind;
FolderKind folder_kind(const char *dir);

/* The error for a folder that holds neither. */
tacos_status folder_fail(const char *dir, tacos_error *err);

/* The whole page of one folder, or of several. */
tacos_status page_write(Text *out, const char *const *dirs, size_t n_dirs, tacos_error *err);

enum { PAGE_SECTIONS_MAX = 24 };

/* A page while it is being written. */
typedef struct Page {
    Text title, head, body; /* title: not escaped; head: above the sections */
    Text grid;              /* figures and tables of the current section */
    Text left_out;          /* figures left out, and why */
    size_t n_sections;
    struct {
        char id[24], link[32];
    } sections[PAGE_SECTIONS_MAX];
    size_t n_figures;
    bool last_is_narrow; /* the last figure takes one column of two */
} Page;

/* End a section: it holds what is in the grid and lists what is left out; nothing is written if the
 * grid is empty. `link` is its name in the navigation; `about` may be NULL. */
void page_section(Page *page, const char *id, const char *link, const char *name,
                  const char *about);

/* Put a figure into the grid and free it. `status` is what drawing it returned: if it is
 * TACOS_MISSING, the section says that the figure is left out, and why; other errors are returned.
 */
tacos_status page_take_figure(Page *page, Figure *figure, tacos_status status,
                              const tacos_error *why, tacos_error *err);

/* Put a figure that is drawn into the grid. */
void page_add_figure(Page *page, const Figure *figure);

/* The pages: page_run.c, page_compare.c, page_parts.c. */
tacos_status page_of_run(Page *page, const RunFolder *runs, tacos_error *err);
tacos_status page_of_runs(Page *page, const RunFolder *runs, size_t n, tacos_error *err);
tacos_status page_of_parts(Page *page, const Parts *parts, tacos_error *err);

#endif
