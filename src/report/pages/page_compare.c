/* page_compare.c - the report that compares several runs. */
#include "report/pages/html.h"
#include "report/pages/page.h"
#include "report/pages/verdict.h"
#include "tacos_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_warnings(Text *out, const RunFolder *runs, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (runs_are_silent(&runs[i])) {
            text_add(out, "<p class=\"warning\">");
            text_escape(out, runs[i].folder);
            text_format(out,
                        " is a silent network: no output spiked on %.1f%% of the test samples. Its "
                        "numbers say little, and none of them is marked as the best.</p>",
                        runs_silent_percent(&runs[i]));
        } else if (runs_are_chance(&runs[i])) {
            text_add(out, "<p class=\"warning\">");
            text_escape(out, runs[i].folder);
            text_format(out,
                        " is right no more often than by chance, %.1f%%. None of its numbers is "
                        "marked as the best.</p>",
                        tacos_experiment_chance(runs[i].experiment));
        }
}

static void add_title(Page *page, const RunFolder *runs, size_t n) {
    char words[64];
    text_format(&page->title, "%zu runs compared", n);
    text_add(&page->head, "<header><p class=\"eyebrow\">tacos report</p><h1>");
    text_format(&page->head, "%zu runs compared</h1>", n);
    verdict_of_runs(&page->head, runs, n);
    add_warnings(&page->head, runs, n);
    text_add(&page->head, "<dl class=\"facts\">");
    for (size_t i = 0; i < n; i++) {
        const char *model = runs_config(&runs[i], "model");
        Text fact = {0};
        (void)snprintf(words, sizeof words, "%zu seed%s", runs[i].n_runs,
                       runs[i].n_runs == 1 ? "" : "s");
        text_format(&fact, "%s, %s, %s%s", runs[i].name, model ? model : "unknown", words,
                    runs[i].complete ? "" : " (interrupted)");
        html_fact(&page->head, runs[i].folder, text_bytes(&fact));
        text_free(&fact);
    }
    text_add(&page->head, "</dl>");
    html_chips(&page->head, runs, n);
    text_add(&page->head, "</header>\n");
}

/* ---- the table ---- */

typedef struct Column {
    const char *metric, *head;
    int better; /* 1: the larger the better, -1: the smaller */
    bool exact; /* the same for every seed: no deviation needed */
    int digits;
} Column;

static const Column columns[] = {
    {"MA", NUMBERS "MA, %", 1, false, 1},
    {"A", NUMBERS "A, %", 1, false, 1},
    {"BWT", NUMBERS "BWT", 1, false, 1},
    {"FWT_gem", NUMBERS "FWT (GEM)", 1, false, 1},
    {"forgetting", NUMBERS "forgetting", -1, false, 1},
    {"MO", NUMBERS "MO", -1, true, 2},
    {"kops_learn", NUMBERS "learning, k ops", -1, false, 0},
    {"kops_predict", NUMBERS "predicting, k ops", -1, false, 0},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* Is `a` better than `b`, by more than chance? */
static bool is_better(const Column *column, tacos_summary a, tacos_summary b) {
    if (column->exact)
        return column->better * (a.mean - b.mean) > 0;
    return column->better > 0 ? tacos_summary_above(&a, &b) : tacos_summary_above(&b, &a);
}

/* Is it better than all others? Silent networks and those at chance do not count. */
static bool is_best(const RunFolder *runs, size_t n, size_t i, const Column *column) {
    tacos_summary mine = runs_metric(&runs[i], column->metric, runs[i].n_tasks, 0);
    if (!runs_compete(&runs[i]))
        return false;
    for (size_t k = 0; k < n; k++)
        if (k != i && runs_compete(&runs[k]) &&
            !is_better(column, mine, runs_metric(&runs[k], column->metric, runs[k].n_tasks, 0)))
            return false;
    return mine.n > 0;
}

static void add_table(Page *page, const RunFolder *runs, size_t n) {
    const char *heads[N_COLUMNS + 4] = {"folder", "experiment", "model"};
    Text *out = &page->grid;
    for (size_t c = 0; c < N_COLUMNS; c++)
        heads[3 + c] = columns[c].head;
    html_table_begin(
        out, "wide dense",
        "After the last task; a value is marked if it is better than all others by more than the "
        "sum of the two deviations. k ops: thousand operations per sample",
        heads);
    for (size_t i = 0; i < n; i++) {
        const char *model = runs_config(&runs[i], "model");
        html_row_begin(out, NULL);
        html_row_head(out, runs[i].folder);
        html_cell(out, runs[i].name);
        html_cell(out, model ? model : "unknown");
        for (size_t c = 0; c < N_COLUMNS; c++)
            html_cell_summary(out, runs_metric(&runs[i], columns[c].metric, runs[i].n_tasks, 0),
                              columns[c].digits, is_best(runs, n, i, &columns[c]));
        html_row_end(out);
    }
    html_table_end(out);
}

/* ---- what differs ---- */

/* The value of a key in every folder, NULL where it has none; true if they are not all the same. */
static bool differs(const RunFolder *runs, size_t n, const char *key) {
    const char *first = runs_config(&runs[0], key);
    for (size_t i = 1; i < n; i++) {
        const char *other = runs_config(&runs[i], key);
        if (!first != !other || (first && strcmp(first, other) != 0))
            return true;
    }
    return false;
}

static bool seen_before(const RunFolder *runs, size_t i, const char *key) {
    for (size_t k = 0; k < i; k++)
        if (runs_config(&runs[k], key))
            return true;
    return false;
}

static void add_row(Text *out, const RunFolder *runs, size_t n, const char *key) {
    html_row_begin(out, NULL);
    html_row_head(out, key);
    for (size_t i = 0; i < n; i++) {
        const char *value = runs_config(&runs[i], key);
        html_cell_code(out, value ? value : "\xe2\x80\x93");
    }
    html_row_end(out);
}

static void add_differences(Page *page, const RunFolder *runs, size_t n) {
    const char *heads[TACOS_REPORT_DIRS_MAX + 2] = {"key"};
    size_t n_rows = 0;
    Text *out = &page->grid;
    for (size_t i = 0; i < n; i++)
        heads[1 + i] = runs[i].label;
    html_table_begin(out, "wide", "Keys in which the configurations differ", heads);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < runs[i].n_config; k++) {
            const char *key = runs[i].config[k].key;
            if (seen_before(runs, i, key) || !differs(runs, n, key))
                continue;
            add_row(out, runs, n, key);
            n_rows++;
        }
    if (n_rows == 0) {
        html_row_begin(out, NULL);
        html_row_head(out, "none");
        for (size_t i = 0; i < n; i++)
            html_cell(out, "");
        html_row_end(out);
    }
    html_table_end(out);
}

/* ---- all ---- */

static tacos_status add_matrices(Page *page, const RunFolder *runs, size_t n, tacos_error *err) {
    for (size_t i = 0; i < n; i++) {
        Figure figure = {0};
        tacos_status status = draw_matrix(&figure, &sizes_page, &runs[i], err);
        if (status == TACOS_OK) {
            (void)snprintf(figure.title, sizeof figure.title, "%s", runs[i].label);
            (void)snprintf(figure.name, sizeof figure.name, "matrix-%zu", i + 1);
            page_add_figure(page, &figure);
        }
        figure_free(&figure);
        TRY(status);
    }
    return TACOS_OK;
}

static tacos_status add_curves(Page *page, const RunFolder *runs, size_t n, tacos_error *err) {
    for (size_t i = 0; i < COMPARE_CURVES; i++) {
        Figure figure = {0};
        tacos_error why = {0};
        tacos_status status =
            draw_compare_curve(&figure, &sizes_page, runs, n, &compare_curves[i], &why);
        TRY(page_take_figure(page, &figure, status, &why, err));
    }
    return TACOS_OK;
}

static tacos_status add_figure(Page *page, DrawRuns *draw, const RunFolder *runs, size_t n,
                               tacos_error *err) {
    Figure figure = {0};
    tacos_error why = {0};
    tacos_status status = draw(&figure, &sizes_page, runs, n, &why);
    return page_take_figure(page, &figure, status, &why, err);
}

tacos_status page_of_runs(Page *page, const RunFolder *runs, size_t n, tacos_error *err) {
    add_title(page, runs, n);
    add_table(page, runs, n);
    page_section(page, "summary", "Summary", NULL);
    TRY(add_curves(page, runs, n, err));
    page_section(page, "curves", "Task by task", NULL);
    TRY(add_figure(page, draw_compare_bars, runs, n, err));
    page_section(page, "bars", "After the last task", NULL);
    TRY(add_figure(page, draw_compare_tasks, runs, n, err));
    page_section(page, "tasks", "Tasks", NULL);
    TRY(add_matrices(page, runs, n, err));
    page_section(page, "matrices", "Matrices", NULL);
    add_differences(page, runs, n);
    html_commands(&page->grid, runs, n);
    page_section(page, "config", "Configurations", NULL);
    html_metrics(&page->grid);
    page_section(page, "words", "Metrics", NULL);
    return TACOS_OK;
}
