/* api.c - tacos_report.h: check what callers give, set the locale, write the file. */
#include "tacos_report.h"

#include "base/c_locale.h"
#include "base/output.h"
#include "report/pages/page.h"
#include "report/pages/plot.h"

#include <stdlib.h>

/* A text as a file. */
static tacos_status write_file(const Text *text, const char *path, tacos_error *err) {
    TRY(text_check(text, err));
    return output_write(path, text_bytes(text), text->n, err);
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
    size_t n = 0;
    while (figure_kinds[n].name)
        n++;
    if (i >= n)
        return 0;
    const FigureKind *kind = &figure_kinds[i];
    *out = (tacos_figure_info){kind->name, kind->about_run, kind->about_parts};
    return 1;
}

static tacos_status draw(Text *out, const char *name, const char *dir, int csv, tacos_error *err) {
    Figure figure;
    CLocale locale = c_locale_begin();
    tacos_status status = plot_draw(&figure, name, dir, err);
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
