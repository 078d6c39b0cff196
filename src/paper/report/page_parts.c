/* page_parts.c - the report on a folder of `tacos reproduce`: figure and numbers of each part. */
#include "report/pages/html.h"
#include "report/pages/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the number of cells. */
static size_t count_verdicts(const Part *part, size_t n[3]) {
    static const char *const verdicts[] = {"match", "above", "below"};
    const tacos_cell *cell;
    size_t n_cells = 0;
    for (; (cell = part_number(part, n_cells)); n_cells++)
        for (size_t v = 0; v < 3; v++)
            n[v] += strcmp(cell->verdict, verdicts[v]) == 0;
    return n_cells;
}

static void add_title(Page *page, const Parts *parts) {
    text_format(&page->title, "the paper, reproduced");
    text_add(&page->head, "<header><p class=\"eyebrow\">tacos report</p><h1>The paper's tables and "
                          "figures, reproduced</h1>");
    if (parts->quick)
        text_add(&page->head, "<p class=\"warning\">Made with --quick, on few samples: a first "
                              "impression, not for publication.</p>");
    text_add(&page->head, "<dl class=\"facts\">");
    html_fact(&page->head, "folder", parts->folder);
    text_add(&page->head, "</dl></header>\n");
}

static void add_overview(Page *page, const Parts *parts) {
    static const char *const heads[] = {
        "part",          "what it is", NUMBERS "numbers", NUMBERS "match", NUMBERS "above",
        NUMBERS "below", NULL};
    Text *out = &page->grid;
    html_table_begin(out, "wide", "How many of the paper's numbers are met", heads);
    for (size_t i = 0; i < parts->n; i++) {
        const Part *part = &parts->parts[i];
        size_t n[3] = {0}, n_cells = count_verdicts(part, n);
        html_row_begin(out, NULL);
        html_row_head(out, part->of.name);
        html_cell(out, part->of.about);
        html_cell_number(out, (double)n_cells, 0);
        for (size_t v = 0; v < 3; v++)
            html_cell_number(out, (double)n[v], 0);
        html_row_end(out);
    }
    html_table_end(out);
}

/* Similarities and weight changes are small numbers. */
static int digits_of(const char *metric) {
    return strcmp(metric, "similarity") == 0 || strncmp(metric, "change", 6) == 0 ? 4 : 2;
}

static void add_verdict(Text *out, const char *verdict) {
    if (!verdict[0]) {
        text_add(out, "<td></td>");
        return;
    }
    text_add(out, "<td><span class=\"verdict ");
    text_escape(out, verdict); /* an unknown class simply has no style */
    text_wrap(out, "\">", verdict, "</span></td>");
}

/* "change_in_task, layer 0"; with the task if it has no column. */
static void name_metric(char *out, size_t size, const tacos_cell *cell, bool with_task) {
    const char *part = strcmp(cell->metric, "similarity") == 0   ? ", output "
                       : strncmp(cell->metric, "change", 6) == 0 ? ", layer "
                                                                 : NULL;
    int n = snprintf(out, size, "%s", cell->metric);
    if (part && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, "%s%zu", part, cell->part);
    if (with_task && cell->after_task > 0 && n > 0 && (size_t)n < size)
        (void)snprintf(out + n, size - (size_t)n, ", task %zu", cell->after_task);
}

static void add_cell(Text *out, const tacos_cell *cell, bool wide) {
    int digits = digits_of(cell->metric);
    size_t n_paper = isnan(cell->paper) ? 0 : isnan(cell->paper_sd) ? 1 : 2;
    char name[96];
    name_metric(name, sizeof name, cell, !wide);
    html_row_begin(out, NULL);
    html_row_head(out, cell->section);
    html_cell(out, name);
    if (wide)
        html_cell_number(out, cell->after_task ? (double)cell->after_task : NAN, 0);
    html_cell_summary(out, cell_summary(cell), digits, false);
    html_cell_summary(out, (tacos_summary){n_paper, cell->paper, cell->paper_sd}, digits, false);
    add_verdict(out, cell->verdict);
    html_row_end(out);
}

/* Beside a narrow figure the table has one column fewer. */
static void add_cells(Page *page, const Part *part, bool wide) {
    static const char *const heads[] = {
        "configuration", "metric", NUMBERS "after task", NUMBERS "here", NUMBERS "paper",
        "verdict",       NULL};
    static const char *const fewer[] = {"configuration", "metric",  NUMBERS "here",
                                        NUMBERS "paper", "verdict", NULL};
    html_table_begin(&page->grid, wide ? "wide long" : "long", "Every number",
                     wide ? heads : fewer);
    const tacos_cell *cell;
    for (size_t i = 0; (cell = part_number(part, i)); i++)
        add_cell(&page->grid, cell, wide);
    html_table_end(&page->grid);
}

static tacos_status add_figure(Page *page, DrawParts *draw, const Parts *parts, tacos_error *err) {
    Figure figure = {0};
    tacos_error why = {0};
    tacos_status status = draw(&figure, &sizes_page, parts, &why);
    return page_take_figure(page, &figure, status, &why, err);
}

static tacos_status add_part(Page *page, const Parts *parts, const Part *part, tacos_error *err) {
    page->last_is_narrow = false;
    for (const FigureKind *kind = figure_kinds; kind->name; kind++)
        if (kind->part && strcmp(kind->part, part->of.name) == 0)
            TRY(add_figure(page, kind->of_parts, parts, err));
    add_cells(page, part, !page->last_is_narrow);
    page_section(page, part->of.name, part->of.name, part->of.about);
    return TACOS_OK;
}

tacos_status page_of_parts(Page *page, const Parts *parts, tacos_error *err) {
    add_title(page, parts);
    if (parts->n > 0)
        add_overview(page, parts);
    page_section(page, "summary", "Summary",
                 "A number matches if it is within twice either deviation or 2 points of the "
                 "paper's (0.02 for similarities).");
    TRY(add_figure(page, draw_paper_function, parts, err));
    page_section(page, "function", "function", "figure 2: plasticity as a function of the weight");
    for (size_t i = 0; i < parts->n; i++)
        TRY(add_part(page, parts, &parts->parts[i], err));
    html_metrics(&page->grid);
    page_section(page, "words", "Metrics", NULL);
    return TACOS_OK;
}
