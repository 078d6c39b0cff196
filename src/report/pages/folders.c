/* folders.c - what folders hold, and those of `tacos run` opened together. */
#include "report/pages/folders.h"

#include "base/files.h"
#include "report/figures/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FolderKind folder_kind(const char *dir) {
    char path[OUTPUT_PATH_MAX];
    if (runs_are_running(dir))
        return FOLDER_RUNNING;
    if (path_join(path, dir, "results.json", "", NULL) == TACOS_OK && access(path, F_OK) == 0)
        return FOLDER_RUN;
    if (stream_folder_exists(dir))
        return FOLDER_STREAM;
    return parts_are_in(dir) ? FOLDER_PARTS : FOLDER_NEITHER;
}

tacos_status folder_fail(const char *dir, tacos_error *err) {
    struct stat info;
    if (stat(dir, &info) != 0)
        return failure_errno(err, "cannot read %s", dir);
    if (!S_ISDIR(info.st_mode))
        return failure(err, TACOS_INVALID, "%s is not a folder", dir);
    return failure(err, TACOS_MISSING,
                   "%s holds neither the results.json of `tacos run`, the stream.json of a stream, "
                   "nor a PART.json of `tacos reproduce`",
                   dir);
}

/* Folders are labelled by the shortest ends of their names that distinguish them. */
static const char *last_words(const char *folder, size_t n_slashes) {
    size_t end = folder ? strlen(folder) : 0;
    while (end > 0 && folder[end - 1] == '/')
        end--;
    while (end > 0 && (folder[end - 1] != '/' || n_slashes-- > 0))
        end--;
    return folder + end;
}

static bool is_one_alone(const RunFolder *runs, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(runs[i].label, runs[k].label) == 0)
                return false;
    return true;
}

static void label_folders(RunFolder *runs, size_t n) {
    for (size_t depth = 0; depth < 8; depth++) {
        for (size_t i = 0; i < n; i++)
            (void)snprintf(runs[i].label, sizeof runs[i].label, "%s",
                           last_words(runs[i].folder, depth));
        if (is_one_alone(runs, n))
            return;
    }
}

static tacos_status fail_several(const char *dir, FolderKind kind, tacos_error *err) {
    if (kind == FOLDER_NEITHER)
        return folder_fail(dir, err);
    return failure(err, TACOS_INVALID, "%s is %s: it cannot be compared with other folders", dir,
                   kind == FOLDER_RUNNING  ? "the folder of a run in progress"
                   : kind == FOLDER_STREAM ? "the folder of a stream"
                                           : "a folder of `tacos reproduce`");
}

tacos_status folders_open(RunFolder **out, const char *const *dirs, size_t n, tacos_error *err) {
    RunFolder *runs = calloc(n, sizeof *runs);
    tacos_status status = runs ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory for a page");
    size_t n_open = 0;
    *out = NULL;
    for (; n_open < n && status == TACOS_OK; n_open += status == TACOS_OK) {
        FolderKind kind = folder_kind(dirs[n_open]);
        status = kind == FOLDER_RUN ? runs_open(&runs[n_open], dirs[n_open], err)
                                    : fail_several(dirs[n_open], kind, err);
    }
    if (status != TACOS_OK) {
        folders_free(runs, n_open);
        return status;
    }
    label_folders(runs, n);
    *out = runs;
    return TACOS_OK;
}

void folders_free(RunFolder *runs, size_t n) {
    for (size_t i = 0; i < n; i++)
        runs_free(&runs[i]);
    free(runs);
}
