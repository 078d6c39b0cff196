/* folders.h - what folders hold, and those of `tacos run` opened together. */
#ifndef REPORT_FOLDERS_H
#define REPORT_FOLDERS_H

#include "report/input/runs.h"

/* FOLDER_RUNNING: a run in progress, whatever else is there. */
typedef enum FolderKind {
    FOLDER_NEITHER,
    FOLDER_RUN,
    FOLDER_RUNNING,
    FOLDER_STREAM,
    FOLDER_PARTS
} FolderKind;
FolderKind folder_kind(const char *dir);

/* The error for a folder that holds none of them. */
tacos_status folder_fail(const char *dir, tacos_error *err);

/* Open folders of `tacos run`, each labelled by as much of the end of its name as distinguishes it.
 * `dirs` must outlive them. */
tacos_status folders_open(RunFolder **out, const char *const *dirs, size_t n, tacos_error *err);
void folders_free(RunFolder *runs, size_t n);

#endif
