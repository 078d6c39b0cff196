/* api.c - implements tacos_report.h: checks arguments, sets the locale, writes files. */
#include "tacos_report.h"

#include "base/decimal.h"
#include "base/files.h"
#include "report/pages/page.h"

#include <stdlib.h>

static tacos_status write_file(const Text *text, const char *path, tacos_error *err) {
    TRY(text_check(text, err));
    return tacos_file_write(path, text_bytes(text), text->n, err);
}

tacos_status tacos_report_write(const char *const *dirs, size_t n_dirs, const char *out_path,
                                tacos_error *err) {
    Text page = {0};
    if (n_dirs < 1 || n_dirs > TACOS_REPORT_DIRS_MAX)
        return failure(err, TACOS_INVALID, "a report is made from 1 to %d folders, not %zu",
                       TACOS_REPORT_DIRS_MAX, n_dirs);
    CLocale locale = c_locale_begin();
    tacos_status status = page_write(&page, dirs, n_dirs, err);
    if (status == TACOS_OK)
        status = write_file(&page, out_path, err);
    c_locale_end(&locale);
    text_free(&page);
    return status;
}

int tacos_figure(size_t i, tacos_figure_info *out) {
    const FigureKind *kind = figure_kinds;
    for (; kind->name && i > 0; i--)
        kind++;
    if (!kind->name)
        return 0;
    *out = (tacos_figure_info){kind->name, kind->about_run, kind->about_parts};
    return 1;
}

/* ---- one figure ---- */

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

static tacos_status wrong_folder(const char *figure, const char *dir, bool is_run,
                                 tacos_error *err) {
    return failure(err, TACOS_INVALID,
                   "%s is a folder of `tacos %s`; figure '%s' is made from one of `tacos %s`", dir,
                   is_run ? "run" : "reproduce", figure, is_run ? "reproduce" : "run");
}

static tacos_status draw_run(Figure *figure, const FigureKind *kind, const char *dir,
                             tacos_error *err) {
    RunFolder runs;
    if (!kind->of_run)
        return wrong_folder(kind->name, dir, true, err);
    TRY(runs_open(&runs, dir, err));
    tacos_status status = kind->of_run(figure, &sizes_print, &runs, err);
    runs_free(&runs);
    return status;
}

static tacos_status draw_parts(Figure *figure, const FigureKind *kind, const char *dir,
                               tacos_error *err) {
    Parts parts;
    if (!kind->of_parts)
        return wrong_folder(kind->name, dir, false, err);
    TRY(parts_open(&parts, dir, err));
    tacos_status status = kind->of_parts(figure, &sizes_print, &parts, err);
    parts_free(&parts);
    return status;
}

static tacos_status draw_figure(Figure *figure, const char *name, const char *dir,
                                tacos_error *err) {
    const FigureKind *kind = figure_kind(name);
    *figure = (Figure){0};
    if (!kind)
        return fail_unknown(name, err);
    switch (folder_kind(dir)) {
    case FOLDER_RUN:
        return draw_run(figure, kind, dir, err);
    case FOLDER_PARTS:
        return draw_parts(figure, kind, dir, err);
    case FOLDER_NEITHER:
        break;
    }
    return folder_fail(dir, err);
}

static tacos_status draw(Text *out, const char *name, const char *dir, int csv, tacos_error *err) {
    Figure figure;
    CLocale locale = c_locale_begin();
    tacos_status status = draw_figure(&figure, name, dir, err);
    if (status == TACOS_OK && csv)
        text_add(out, text_bytes(&figure.csv));
    else if (status == TACOS_OK)
        figure_write_svg(&figure, out);
    c_locale_end(&locale);
    figure_free(&figure);
    return status == TACOS_OK ? text_check(out, err) : status;
}

tacos_status tacos_figure_draw(const char *figure, const char *dir, int csv, char **out,
                               tacos_error *err) {
    Text text = {0};
    tacos_status status = draw(&text, figure, dir, csv, err);
    *out = text.bytes;
    if (status == TACOS_OK)
        return TACOS_OK;
    text_free(&text);
    *out = NULL;
    return status;
}

void tacos_figure_free(char *text) {
    free(text);
}

tacos_status tacos_figure_write(const char *figure, const char *dir, int csv, const char *out_path,
                                tacos_error *err) {
    Text text = {0};
    tacos_status status = draw(&text, figure, dir, csv, err);
    if (status == TACOS_OK)
        status = write_file(&text, out_path, err);
    text_free(&text);
    return status;
}
