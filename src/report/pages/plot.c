/* plot.c - which folder, which figure. */
#include "report/pages/plot.h"

#include "base/output.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

FolderKind folder_kind(const char *dir) {
    char path[OUTPUT_PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/results.json", dir);
    if (n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0)
        return FOLDER_RUN;
    return parts_are_in(dir) ? FOLDER_PARTS : FOLDER_NEITHER;
}

tacos_status folder_fail(const char *dir, tacos_error *err) {
    struct stat info;
    if (stat(dir, &info) != 0)
        return failure_errno(err, "cannot read %s", dir);
    if (!S_ISDIR(info.st_mode))
        return failure(err, TACOS_INVALID, "%s is not a folder", dir);
    return failure(err, TACOS_MISSING,
                   "%s holds neither the results.json of `tacos run` nor tables of `tacos "
                   "reproduce`",
                   dir);
}

static tacos_status fail_unknown(const char *name, tacos_error *err) {
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX + 1] = {NULL};
    for (size_t i = 0; i < NAMES_MAX && figure_kinds[i].name; i++)
        names[i] = figure_kinds[i].name;
    const char *near = tacos_nearest(name, names);
    if (near)
        return failure(err, TACOS_UNKNOWN, "no figure '%.60s'; the nearest is '%s'", name, near);
    return failure(err, TACOS_UNKNOWN, "no figure '%.60s'", name);
}

static tacos_status draw_of_run(Figure *figure, const FigureKind *kind, const char *dir,
                                tacos_error *err) {
    RunFolder runs;
    if (!kind->of_run)
        return failure(err, TACOS_INVALID,
                       "%s is a folder of `tacos run`; figure '%s' is made from one of `tacos "
                       "reproduce`",
                       dir, kind->name);
    TRY(runs_open(&runs, dir, err));
    tacos_status status = kind->of_run(figure, &look_print, &runs, err);
    runs_free(&runs);
    return status;
}

static tacos_status draw_of_parts(Figure *figure, const FigureKind *kind, const char *dir,
                                  tacos_error *err) {
    Parts parts;
    if (!kind->of_parts)
        return failure(
            err, TACOS_INVALID,
            "%s is a folder of `tacos reproduce`; figure '%s' is made from one of `tacos "
            "run`",
            dir, kind->name);
    TRY(parts_open(&parts, dir, err));
    tacos_status status = kind->of_parts(figure, &look_print, &parts, err);
    parts_free(&parts);
    return status;
}

tacos_status plot_draw(Figure *figure, const char *name, const char *dir, tacos_error *err) {
    const FigureKind *kind = figure_kind(name);
    *figure = (Figure){0};
    if (!kind)
        return fail_unknown(name, err);
    switch (folder_kind(dir)) {
    case FOLDER_RUN:
        return draw_of_run(figure, kind, dir, err);
    case FOLDER_PARTS:
        return draw_of_parts(figure, kind, dir, err);
    case FOLDER_NEITHER:
        break;
    }
    return folder_fail(dir, err);
}
