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
    tacos_report_options options = {.dirs = dirs, .n_dirs = n_dirs};
    return tacos_report_write_with(&options, out_path, err);
}

tacos_status tacos_report_write_with(const tacos_report_options *options, const char *out_path,
                                     tacos_error *err) {
    Text page = {0};
    if (options->n_dirs < 1 || options->n_dirs > TACOS_REPORT_DIRS_MAX)
        return failure(err, TACOS_INVALID, "a report is made from 1 to %d folders, not %zu",
                       TACOS_REPORT_DIRS_MAX, options->n_dirs);
    if (options->baseline && options->n_dirs > 1)
        return failure(err, TACOS_INVALID, "a baseline is for one folder; several are compared");
    CLocale locale = c_locale_begin();
    tacos_status status = page_write(&page, options, err);
    if (status == TACOS_OK)
        status = write_file(&page, out_path, err);
    c_locale_end(&locale);
    text_free(&page);
    return status;
}

tacos_status tacos_report_write_sweep(const char *store, const tacos_progress *progress,
                                      unsigned reload_seconds, const char *out_path,
                                      tacos_error *err) {
    Text page = {0};
    CLocale locale = c_locale_begin();
    tacos_status status = page_write_sweep(&page, store, progress, reload_seconds, err);
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
    *out = (tacos_figure_info){kind->name, kind->about_run, kind->about_runs, kind->about_parts};
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

static tacos_status draw_table(Figure *figure, const FigureKind *kind, const char *path,
                               tacos_error *err) {
    Parts parts;
    if (!figure_is_of_numbers(kind))
        return failure(err, TACOS_INVALID,
                       "%s is a table; figure '%s' is made from a folder. From a table of `tacos "
                       "reproduce`, columns.csv, is made 'memory'",
                       path, kind->name);
    TRY(parts_open_table(&parts, path, kind->part, err));
    tacos_status status = kind->of_parts(figure, &sizes_print, &parts, err);
    parts_free(&parts);
    return status;
}

static tacos_status draw_several(Figure *figure, const FigureKind *kind, const char *const *dirs,
                                 size_t n, tacos_error *err) {
    RunFolder *runs;
    if (!kind->of_runs)
        return failure(err, TACOS_INVALID,
                       "figure '%s' is of one folder; of several are accuracy, matrix, means and "
                       "transfer",
                       kind->name);
    TRY(folders_open(&runs, dirs, n, err));
    tacos_status status = kind->of_runs(figure, &sizes_print, runs, n, err);
    folders_free(runs, n);
    return status;
}

static tacos_status draw_one(Figure *figure, const FigureKind *kind, const char *dir,
                             tacos_error *err) {
    switch (folder_kind(dir)) {
    case FOLDER_RUN:
        return draw_run(figure, kind, dir, err);
    case FOLDER_PARTS:
        return draw_parts(figure, kind, dir, err);
    case FOLDER_RUNNING:
        return failure(
            err, TACOS_INVALID,
            "%s is the folder of a run in progress, of which `tacos report` makes a page", dir);
    case FOLDER_STREAM:
        return failure(
            err, TACOS_INVALID,
            "%s is the folder of a stream, whose figures are on its page: `tacos report`", dir);
    case FOLDER_NEITHER:
        break;
    }
    return parts_table_is_named(dir) ? draw_table(figure, kind, dir, err) : folder_fail(dir, err);
}

static tacos_status draw_figure(Figure *figure, const char *name, const char *const *dirs, size_t n,
                                tacos_error *err) {
    const FigureKind *kind = figure_kind(name);
    *figure = (Figure){0};
    if (!kind)
        return fail_unknown(name, err);
    if (n < 1 || n > TACOS_REPORT_DIRS_MAX)
        return failure(err, TACOS_INVALID, "a figure is made from 1 to %d folders, not %zu",
                       TACOS_REPORT_DIRS_MAX, n);
    return n > 1 ? draw_several(figure, kind, dirs, n, err) : draw_one(figure, kind, *dirs, err);
}

static tacos_status draw(Text *out, const char *name, const char *const *dirs, size_t n, int csv,
                         tacos_error *err) {
    Figure figure;
    CLocale locale = c_locale_begin();
    tacos_status status = draw_figure(&figure, name, dirs, n, err);
    if (status == TACOS_OK && csv)
        text_add(out, text_bytes(&figure.csv));
    else if (status == TACOS_OK)
        figure_write_svg(&figure, out);
    c_locale_end(&locale);
    figure_free(&figure);
    return status == TACOS_OK ? text_check(out, err) : status;
}

tacos_status tacos_figure_draw_several(const char *figure, const char *const *dirs, size_t n_dirs,
                                       int csv, char **out, tacos_error *err) {
    Text text = {0};
    tacos_status status = draw(&text, figure, dirs, n_dirs, csv, err);
    *out = text.bytes;
    if (status == TACOS_OK)
        return TACOS_OK;
    text_free(&text);
    *out = NULL;
    return status;
}

tacos_status tacos_figure_draw(const char *figure, const char *dir, int csv, char **out,
                               tacos_error *err) {
    return tacos_figure_draw_several(figure, &dir, 1, csv, out, err);
}

void tacos_figure_free(char *text) {
    free(text);
}

tacos_status tacos_figure_write_several(const char *figure, const char *const *dirs, size_t n_dirs,
                                        int csv, const char *out_path, tacos_error *err) {
    Text text = {0};
    tacos_status status = draw(&text, figure, dirs, n_dirs, csv, err);
    if (status == TACOS_OK)
        status = write_file(&text, out_path, err);
    text_free(&text);
    return status;
}

tacos_status tacos_figure_write(const char *figure, const char *dir, int csv, const char *out_path,
                                tacos_error *err) {
    return tacos_figure_write_several(figure, &dir, 1, csv, out_path, err);
}
