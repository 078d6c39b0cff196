/* page_sweep.c - the page of a sweep: the best configurations in its store, and which keys matter.
 */
#include "report/pages/html.h"
#include "report/pages/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ROWS_SHOWN: the best; KEYS_MAX: columns of keys. */
enum { ROWS_SHOWN = 20, KEYS_MAX = 8 };

typedef struct Sweep {
    const char *store;
    const tacos_survey *survey;
    const tacos_progress *progress; /* NULL: it has ended */
    size_t n_rows, n_keys;
} Sweep;

static void add_progress(Text *out, const tacos_progress *progress) {
    double part = progress->total > 0 ? (double)progress->done / (double)progress->total : 0;
    text_format(out, "<strong>In progress: %.0f%%</strong>, %zu of %zu runs", 100 * part,
                progress->runs_done, progress->runs_total);
    if (progress->runs_failed > 0)
        text_format(out, ", %zu failed", progress->runs_failed);
    text_add(out, ". ");
}

static void add_best(Text *out, const Sweep *sweep) {
    const tacos_survey_row *best = tacos_survey_row_get(sweep->survey, 0);
    if (!best || best->n_runs == 0) {
        text_add(out, "No run is complete yet.");
        return;
    }
    text_format(out, "%s%zu configuration%s, of which the best keeps %.0f%% over all %zu tasks",
                sweep->progress ? "" : "<strong>", sweep->n_rows, sweep->n_rows == 1 ? "" : "s",
                best->MA.mean, best->n_tasks);
    text_add(out, sweep->progress ? "" : "</strong>");
    double chance = tacos_survey_chance(sweep->survey, 0);
    if (chance > 0)
        text_format(out, " (chance: %.3g%%)", chance);
    text_add(out, ": ");
    for (size_t k = 0; k < sweep->n_keys; k++) {
        text_add(out, k > 0 ? ", " : "");
        text_escape(out, tacos_survey_key(sweep->survey, k));
        const char *value = tacos_survey_value(sweep->survey, 0, k);
        text_wrap(out, " = ", value ? value : "?", "");
    }
    text_add(out, sweep->n_keys > 0 ? "." : "it has no key in which configurations differ.");
}

static void add_title(Page *page, const Sweep *sweep) {
    const char *slash = strrchr(sweep->store, '/'), *name = slash ? slash + 1 : sweep->store;
    const tacos_progress *progress = sweep->progress;
    Text *out = &page->head;
    text_format(&page->title, "%s \xc2\xb7 sweep", name);
    text_wrap(out, "<header><p class=\"eyebrow\">tacos sweep</p><h1>", name, "</h1>");
    text_add(out, "<p class=\"lead\" id=\"verdict\">");
    if (progress)
        add_progress(out, progress);
    add_best(out, sweep);
    text_add(out, "</p>\n");
    if (progress && progress->total > 0)
        text_format(out, "<p><progress max=\"1\" value=\"%.4f\"></progress></p>\n",
                    (double)progress->done / (double)progress->total);
    text_add(out, "</header>\n");
}

/* Is it above all others by more than their deviations? Rows come by mean. */
static bool is_best(const Sweep *sweep, size_t i) {
    const tacos_survey_row *mine = tacos_survey_row_get(sweep->survey, i);
    for (size_t k = 0; k < sweep->n_rows; k++) {
        const tacos_survey_row *other = tacos_survey_row_get(sweep->survey, k);
        if (k != i && other->n_runs > 0 && !tacos_summary_above(&mine->MA, &other->MA))
            return false;
    }
    return sweep->n_rows > 1;
}

static void add_row(Text *out, const Sweep *sweep, size_t i) {
    const tacos_survey_row *row = tacos_survey_row_get(sweep->survey, i);
    html_row_begin(out, NULL);
    html_row_head(out, row->experiment);
    for (size_t k = 0; k < sweep->n_keys; k++) {
        const char *value = tacos_survey_value(sweep->survey, i, k);
        html_cell_code(out, value ? value : "\xe2\x80\x93");
    }
    html_cell_number(out, (double)row->n_runs, 0);
    html_cell_summary(out, row->MA, 1, is_best(sweep, i));
    html_cell_summary(out, row->A, 1, false);
    html_cell_summary(out, row->BWT, 1, false);
    html_cell_number(out, row->memory_overhead, 2);
    html_cell_number(out, row->seconds, 1);
    html_row_end(out);
}

static void add_rows(Page *page, const Sweep *sweep) {
    const char *heads[KEYS_MAX + 8] = {"experiment"};
    static const char *const numbers[] = {NUMBERS "seeds", NUMBERS "MA, %", NUMBERS "A, %",
                                          NUMBERS "BWT",   NUMBERS "MO",    NUMBERS "seconds"};
    size_t n = 1;
    for (size_t k = 0; k < sweep->n_keys; k++)
        heads[n++] = tacos_survey_key(sweep->survey, k);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        heads[n++] = numbers[k];
    html_table_begin(&page->grid, "wide dense",
                     "The best configurations, by MA; one is marked if it is above all others by "
                     "more than the sum of the deviations",
                     heads);
    for (size_t i = 0; i < sweep->n_rows && i < ROWS_SHOWN; i++)
        add_row(&page->grid, sweep, i);
    html_table_end(&page->grid);
}

static void add_keys(Page *page, const Sweep *sweep) {
    static const char *const heads[] = {"key", NUMBERS "share of the variance of MA, %", NULL};
    const char *key;
    html_table_begin(&page->grid, "", "What the keys explain", heads);
    for (size_t k = 0; (key = tacos_survey_key(sweep->survey, k)); k++) {
        html_row_begin(&page->grid, NULL);
        html_row_head(&page->grid, key);
        html_cell_number(&page->grid, 100 * tacos_survey_share(sweep->survey, k), 0);
        html_row_end(&page->grid);
    }
    html_table_end(&page->grid);
}

void page_of_sweep(Page *page, const char *store, const tacos_survey *survey,
                   const tacos_progress *progress) {
    Sweep sweep = {.store = store, .survey = survey, .progress = progress};
    while (tacos_survey_row_get(survey, sweep.n_rows))
        sweep.n_rows++;
    while (sweep.n_keys < KEYS_MAX && tacos_survey_key(survey, sweep.n_keys))
        sweep.n_keys++;
    add_title(page, &sweep);
    if (sweep.n_rows > 0)
        add_rows(page, &sweep);
    page_section(page, "best", "Configurations", NULL);
    if (sweep.n_rows > 1 && sweep.n_keys > 0)
        add_keys(page, &sweep);
    page_section(page, "keys", "Keys", NULL);
}
