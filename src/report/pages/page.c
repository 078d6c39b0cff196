/* page.c - writes the frame of a page, its sections and figures. */
#include "report/pages/page.h"

#include "base/files.h"

#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void page_section(Page *page, const char *id, const char *link, const char *name,
                  const char *about) {
    Text *out = &page->body;
    if (page->grid.n == 0 || page->n_sections == PAGE_SECTIONS_MAX) {
        text_free(&page->left_out);
        return;
    }
    (void)snprintf(page->sections[page->n_sections].id, sizeof page->sections[0].id, "%s", id);
    (void)snprintf(page->sections[page->n_sections].link, sizeof page->sections[0].link, "%s",
                   link);
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

static void add_head(Text *out, const Page *page) {
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_policy(out);
    text_wrap(out,
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
              text_bytes(&page->title), "</title>\n<style id=\"chart-style\">\n");
    text_add(out, asset_chart_css);
    text_add(out, "</style>\n<style>\n");
    text_add(out, asset_page_css);
    text_add(out, "</style>\n</head>\n");
}

static void add_navigation(Text *out, const Page *page) {
    text_add(out, "<nav aria-label=\"Sections\"><ul>");
    for (size_t i = 0; i < page->n_sections; i++) {
        text_format(out, "<li><a href=\"#%s\">", page->sections[i].id);
        text_escape(out, page->sections[i].link);
        text_add(out, "</a></li>");
    }
    text_add(out,
             "</ul><button type=\"button\" id=\"theme\" class=\"js-only\">Dark</button></nav>\n");
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

FolderKind folder_kind(const char *dir) {
    char path[OUTPUT_PATH_MAX];
    if (path_join(path, dir, "results.json", "", NULL) == TACOS_OK && access(path, F_OK) == 0)
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
                   "%s holds neither the results.json of `tacos run` nor a PART.json of `tacos "
                   "reproduce`",
                   dir);
}

/* Folders are labelled by the shortest ends of their names that distinguish them. */
static const char *last_words(const char *folder, size_t n_slashes) {
    size_t end = strlen(folder);
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

static tacos_status write_runs(Page *page, const char *const *dirs, size_t n, tacos_error *err) {
    RunFolder *runs = calloc(n, sizeof *runs);
    tacos_status status = runs ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory for a page");
    size_t n_open = 0;
    for (; n_open < n && status == TACOS_OK; n_open += status == TACOS_OK) {
        FolderKind kind = folder_kind(dirs[n_open]);
        if (kind == FOLDER_RUN)
            status = runs_open(&runs[n_open], dirs[n_open], err);
        else if (kind == FOLDER_PARTS)
            status = failure(
                err, TACOS_INVALID,
                "%s is a folder of `tacos reproduce`: it cannot be compared with other folders",
                dirs[n_open]);
        else
            status = folder_fail(dirs[n_open], err);
    }
    if (status == TACOS_OK) {
        label_folders(runs, n);
        status = n == 1 ? page_of_run(page, runs, err) : page_of_runs(page, runs, n, err);
    }
    for (size_t i = 0; i < n_open; i++)
        runs_free(&runs[i]);
    free(runs);
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

tacos_status page_write(Text *out, const char *const *dirs, size_t n_dirs, tacos_error *err) {
    Page page = {0};
    bool parts = n_dirs == 1 && folder_kind(dirs[0]) == FOLDER_PARTS;
    tacos_status status =
        parts ? write_parts(&page, dirs[0], err) : write_runs(&page, dirs, n_dirs, err);
    if (status == TACOS_OK) {
        assemble(out, &page);
        status = text_check(out, err);
    }
    text_free(&page.title);
    text_free(&page.head);
    text_free(&page.body);
    text_free(&page.grid);
    text_free(&page.left_out);
    return status;
}
