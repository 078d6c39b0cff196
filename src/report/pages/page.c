/* page.c - writes the frame of a page, its sections and figures. */
#include "report/pages/page.h"

#include "report/pages/verdict.h"

#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

/* Which numbers the drawing shows: the mean, or one seed's. */
static void add_choices(Text *out, const Figure *figure, const char *id) {
    if (figure->choices.n == 0)
        return;
    text_format(out,
                "<p class=\"pick js-only\"><label>shown <select data-for=\"%s\"><option "
                "value=\"\">mean over seeds</option></select></label></p>\n"
                "<script type=\"application/json\" data-for=\"%s\">",
                id, id);
    text_add(out, text_bytes(&figure->choices)); /* only numbers */
    text_add(out, "</script>\n");
}

static void add_downloads(Text *out, const Figure *figure, const char *id) {
    text_format(out,
                "<p class=\"save\"><button type=\"button\" class=\"js-only\" data-table=\"%s\" "
                "aria-expanded=\"false\">Table</button><button type=\"button\" class=\"js-only\" "
                "data-svg=\"%s\">SVG</button><a download=\"%s.csv\" "
                "href=\"data:text/csv;charset=utf-8,",
                id, id, figure->name);
    text_uri(out, text_bytes(&figure->csv));
    text_add(out, "\">CSV</a></p>\n");
}

void page_add_figure(Page *page, const Figure *figure) {
    char id[96];
    Text *out = &page->grid;
    bool wide = figure->width > figure->sizes.column;
    page->last_is_narrow = !wide;
    (void)snprintf(id, sizeof id, "figure-%zu", ++page->n_figures);
    text_format(out, "<figure class=\"card%s\" data-name=\"%s\">\n<figcaption><h3>",
                wide ? " wide" : "", figure->name);
    text_escape(out, figure->title);
    text_wrap(out, "</h3><p>", text_bytes(&figure->about), "</p></figcaption>\n");
    add_choices(out, figure, id);
    text_add(out, "<div class=\"plot\">\n");
    figure_write_inline(figure, id, out);
    text_add(out, "</div>\n");
    figure_write_keys(figure, out);
    add_downloads(out, figure, id);
    text_add(out, "</figure>\n");
}

static void leave_out(Page *page, const Figure *figure, const char *why) {
    text_wrap(&page->left_out, "<p class=\"left-out\"><b>", figure->title, "</b> not shown: ");
    text_escape(&page->left_out, why);
    text_add(&page->left_out, ".</p>\n");
}

tacos_status page_take_figure(Page *page, Figure *figure, tacos_status status,
                              const tacos_error *why, tacos_error *err) {
    if (status == TACOS_OK)
        page_add_figure(page, figure);
    else if (status == TACOS_MISSING)
        leave_out(page, figure, why->text);
    figure_free(figure);
    if (status == TACOS_OK || status == TACOS_MISSING)
        return TACOS_OK;
    return failure(err, status, "%s", why->text);
}

/* ---- sections ---- */

void page_section(Page *page, const char *id, const char *name, const char *about) {
    Text *out = &page->body;
    if (page->grid.n == 0 || page->n_sections == PAGE_SECTIONS_MAX) {
        text_free(&page->left_out);
        return;
    }
    (void)snprintf(page->sections[page->n_sections].id, sizeof page->sections[0].id, "%s", id);
    (void)snprintf(page->sections[page->n_sections].name, sizeof page->sections[0].name, "%s",
                   name);
    page->n_sections++;
    text_format(out, "<section id=\"%s\" aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">", id, id, id);
    text_escape(out, name);
    text_add(out, "</h2>");
    if (about) {
        text_wrap(out, "<p class=\"about\">", about, "</p>");
    }
    text_add(out, "\n<div class=\"grid\">\n");
    text_add(out, text_bytes(&page->grid));
    text_add(out, "</div>\n");
    text_add(out, text_bytes(&page->left_out));
    text_add(out, "</section>\n");
    out->failed |= page->grid.failed || page->left_out.failed;
    text_free(&page->grid);
    text_free(&page->left_out);
}

/* ---- the frame ---- */

/* Nothing is fetched, and no script runs but the one below, whatever a result file contains.
 */
static void add_policy(Text *out) {
    SHA256_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_Init(&context);
    SHA256_Update(&context, (const uint8_t *)asset_page_js, strlen(asset_page_js));
    SHA256_Final(digest, &context);
    text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "img-src data:; style-src 'unsafe-inline'; script-src 'sha256-");
    text_base64(out, digest, sizeof digest);
    text_add(out, "'; base-uri 'none'; form-action 'none'\">\n");
}

/* Cells on dark ground, where success is bright. Paper has none. */
static void add_dark_ramp(Text *out) {
    static const char *const grounds[] = {"@media screen and (prefers-color-scheme: dark) {\n",
                                          ":root:not([data-theme=\"light\"])", "@media screen {\n",
                                          ":root[data-theme=\"dark\"]"};
    for (size_t g = 0; g < 4; g += 2) {
        const char *root = grounds[g + 1];
        text_add(out, grounds[g]);
        for (int k = 0; k <= 100; k++) {
            Rgb shade = ramp_amount_dark(k / 100.0);
            text_format(out, "%s .q%d{fill:#%02x%02x%02x}\n", root, k, shade.r, shade.g, shade.b);
        }
        text_format(out, "%s .chart .qb{fill:#000}\n%s .chart .qd{fill:#fff}\n}\n", root, root);
    }
}

static void add_head(Text *out, const Page *page) {
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_policy(out);
    if (page->reload_seconds > 0) /* the script does it otherwise, and can be told to stop */
        text_format(out, "<noscript><meta http-equiv=\"refresh\" content=\"%u\"></noscript>\n",
                    page->reload_seconds);
    text_wrap(out,
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
              text_bytes(&page->title), "</title>\n<style id=\"chart-style\">\n");
    text_add(out, asset_chart_css);
    text_add(out, "</style>\n<style>\n");
    text_add(out, asset_page_css);
    add_dark_ramp(out);
    text_add(out, "</style>\n</head>\n");
}

static void add_navigation(Text *out, const Page *page) {
    text_add(out, "<nav aria-label=\"Sections\"><ul>");
    for (size_t i = 0; i < page->n_sections; i++) {
        text_format(out, "<li><a href=\"#%s\">", page->sections[i].id);
        text_escape(out, page->sections[i].name);
        text_add(out, "</a></li>");
    }
    text_add(out, "</ul>");
    if (page->reload_seconds > 0)
        text_format(out,
                    "<button type=\"button\" id=\"live\" class=\"js-only\" data-seconds=\"%u\" "
                    "aria-pressed=\"false\">Pause</button>",
                    page->reload_seconds);
    text_add(out, "<button type=\"button\" id=\"theme\" class=\"js-only\">Dark</button></nav>\n");
}

static void assemble(Text *out, const Page *page) {
    add_head(out, page);
    text_add(out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n");
    add_navigation(out, page);
    text_add(out, text_bytes(&page->head));
    text_add(out, "<main id=\"main\" tabindex=\"-1\">\n");
    text_add(out, text_bytes(&page->body));
    text_add(out, "</main>\n<footer><p>Made by tacos " TACOS_VERSION_STRING
                  " from result files only.</p></footer>\n"
                  "<div id=\"tip\" aria-hidden=\"true\" hidden></div>\n"
                  "<div id=\"said\" class=\"hidden\" role=\"status\"></div>\n<script>");
    text_add(out, asset_page_js);
    text_add(out, "</script>\n</body>\n</html>\n");
    out->failed |=
        page->title.failed || page->head.failed || page->body.failed || page->grid.failed;
}

/* ---- which page ---- */

static tacos_status write_run(Page *page, const RunFolder *runs, const char *baseline,
                              tacos_error *err) {
    RunFolder other;
    if (!baseline)
        return page_of_run(page, runs, NULL, err);
    FolderKind kind = folder_kind(baseline);
    if (kind == FOLDER_NEITHER)
        return folder_fail(baseline, err);
    if (kind != FOLDER_RUN)
        return failure(err, TACOS_INVALID, "the baseline %s is no folder of `tacos run`", baseline);
    TRY(runs_open(&other, baseline, err));
    tacos_status status = verdict_check_baseline(runs, &other, err);
    if (status == TACOS_OK)
        status = page_of_run(page, runs, &other, err);
    runs_free(&other);
    return status;
}

static tacos_status write_runs(Page *page, const tacos_report_options *options, tacos_error *err) {
    RunFolder *runs;
    size_t n = options->n_dirs;
    TRY(folders_open(&runs, options->dirs, n, err));
    tacos_status status =
        n == 1 ? write_run(page, runs, options->baseline, err) : page_of_runs(page, runs, n, err);
    folders_free(runs, n);
    return status;
}

static tacos_status write_stream(Page *page, const char *dir, tacos_error *err) {
    StreamFolder stream;
    TRY(stream_folder_open(&stream, dir, err));
    tacos_status status = page_of_stream(page, &stream, err);
    stream_folder_free(&stream);
    return status;
}

static tacos_status write_parts(Page *page, const char *dir, tacos_error *err) {
    Parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return failure(err, TACOS_MEMORY, "no memory for a page");
    tacos_status status = parts_open(parts, dir, err);
    if (status == TACOS_OK) {
        status = page_of_parts(page, parts, err);
        parts_free(parts);
    }
    free(parts);
    return status;
}

static tacos_status write_running(Page *page, const char *dir, tacos_error *err) {
    RunFolder runs;
    TRY(runs_open_running(&runs, dir, err));
    tacos_status status = page_of_running(page, &runs, err);
    runs_free(&runs);
    return status;
}

/* Only a run has a baseline. */
static tacos_status write_kind(Page *page, const tacos_report_options *options, tacos_error *err) {
    const char *dir = options->dirs[0];
    FolderKind kind = options->n_dirs == 1 ? folder_kind(dir) : FOLDER_RUN;
    if (kind == FOLDER_RUN || kind == FOLDER_NEITHER)
        return write_runs(page, options, err);
    if (options->baseline)
        return failure(err, TACOS_INVALID,
                       "%s is no folder of a `tacos run` that has ended: it has no baseline", dir);
    if (kind == FOLDER_RUNNING)
        return write_running(page, dir, err);
    return kind == FOLDER_PARTS ? write_parts(page, dir, err) : write_stream(page, dir, err);
}

static tacos_status finish(Text *out, Page *page, tacos_status status, tacos_error *err) {
    if (status == TACOS_OK) {
        assemble(out, page);
        status = text_check(out, err);
    }
    text_free(&page->title);
    text_free(&page->head);
    text_free(&page->body);
    text_free(&page->grid);
    text_free(&page->left_out);
    return status;
}

tacos_status page_write_sweep(Text *out, const char *store, const tacos_progress *progress,
                              unsigned reload_seconds, tacos_error *err) {
    Page page = {.reload_seconds = reload_seconds};
    tacos_survey *survey;
    TRY(tacos_survey_open(&survey, store, err));
    page_of_sweep(&page, store, survey, progress);
    tacos_survey_free(survey);
    return finish(out, &page, TACOS_OK, err);
}

tacos_status page_write(Text *out, const tacos_report_options *options, tacos_error *err) {
    Page page = {.reload_seconds = options->reload_seconds};
    return finish(out, &page, write_kind(&page, options, err), err);
}
