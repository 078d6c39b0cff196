/* plot.h - one figure of a folder, by name. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/figures/figures.h"

/* Draw it for print; the figure is to be freed whether it fails or not. */
tacos_status plot_draw(Figure *figure, const char *name, const char *dir, tacos_error *err);

/* What a folder holds: 1 a run, 2 parts of the paper, 0 neither. */
typedef enum FolderKind { FOLDER_NEITHER, FOLDER_RUN, FOLDER_PARTS } FolderKind;
FolderKind folder_kind(const char *dir);

/* The sentence for one that holds neither. */
tacos_status folder_fail(const char *dir, tacos_error *err);

#endif
