/* page_run.c - the report of one run. */
#include "report/pages/html.h"
#include "report/pages/page.h"
#include "report/pages/verdict.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- title ---- */

/* "2: cat vs dog, fish vs bird", where classes have names. */
static void add_tasks(Page *page, const RunFolder *runs) {
    Text fact = {0};
    text_format(&fact, "%zu", runs->n_tasks);
    for (size_t t = 0; runs->tasks_named && t < runs->n_tasks; t++)
        text_format(&fact, "%s%s", t == 0 ? ": " : ", ", runs->tasks[t]);
    html_fact(&page->head, "tasks", text_bytes(&fact));
    text_free(&fact);
}

static void add_title(Page *page, const RunFolder *runs, const RunFolder *baseline) {
    const char *model = runs_config(runs, "model");
    char seeds[512];
    text_format(&page->title, "%s \xc2\xb7 %s", runs->name, model ? model : "");
    text_wrap(&page->head, "<header><p class=\"eyebrow\">tacos report</p><h1>", runs->name,
              "</h1>");
    verdict_of_run(&page->head, runs, baseline);
    if (!runs->complete)
        text_format(&page->head,
                    "<p class=\"warning\">This run was interrupted: %zu of %zu seeds are "
                    "complete.</p>",
                    runs->n_runs, runs->n_wanted);
    if (runs_are_silent(runs))
        text_format(&page->head,
                    "<p class=\"warning\">A silent network: no output spiked on %.1f%% of the test "
                    "samples, so its accuracy, backward transfer and forgetting say little about "
                    "what it learned.</p>",
                    runs_silent_percent(runs));
    else if (runs_are_chance(runs))
        text_format(&page->head,
                    "<p class=\"warning\">In the end it is right no more often than by chance, "
                    "%.1f%%.</p>",
                    tacos_experiment_chance(runs->experiment));
    text_add(&page->head, "<dl class=\"facts\">");
    html_fact(&page->head, "model", model ? model : "unknown");
    if (runs_config(runs, "hidden"))
        html_fact(&page->head, "hidden layers", runs_config(runs, "hidden"));
    html_fact(&page->head, "data", runs->dataset);
    add_tasks(page, runs);
    runs_seeds(runs, seeds, sizeof seeds);
    html_fact(&page->head, runs->n_runs == 1 ? "seed" : "seeds", seeds);
    html_fact(&page->head, "folder", runs->folder);
    if (baseline)
        html_fact(&page->head, "baseline", baseline->folder);
    html_fact(&page->head, "made by", runs->version);
    text_add(&page->head, "</dl>");
    html_chips(&page->head, runs, 1);
    text_add(&page->head, "</header>\n");
}

/* ---- headline numbers ---- */

typedef struct Card {
    const char *metric, *label, *about;
    bool whole; /* of the run, not after a task */
} Card;

static const Card cards[] = {
    {"MA", "Mean accuracy", "MA, % over all tasks, after the last", false},
    {"A", "Last task", "A, % right after learning it", false},
    {"BWT", "Backward transfer", "BWT, points of change on earlier tasks", false},
    {"FWT_gem", "Forward transfer", "FWT as in GEM, points of gain before learning a task", false},
    {"forgetting", "Forgetting", "points below the best accuracy on each task", false},
    {"MO", "Memory", "MO, times the plain network", true},
};

static tacos_paper_number paper_of(const RunFolder *runs, const Card *card) {
    tacos_paper_number paper = runs_paper(runs, card->metric, card->whole ? 0 : runs->n_tasks, 0);
    if (isnan(paper.value) && card->whole && runs->known) {
        double overhead = tacos_experiment_paper(runs->experiment).memory_overhead;
        paper.value = overhead >= 0 ? overhead : NAN;
    }
    return paper;
}

static void add_card(Text *out, const RunFolder *runs, const Card *card) {
    tacos_paper_number paper = paper_of(runs, card);
    tacos_summary here = runs_metric(runs, card->metric, runs->n_tasks, 0);
    text_format(out, "<div class=\"card number\"><h3>%s</h3><p class=\"value\">", card->label);
    html_summary(out, here, card->whole ? 2 : 1);
    text_format(out, "</p><p class=\"what\">%s</p>", card->about);
    if (isfinite(paper.value)) {
        text_format(out, "<p class=\"paper-value\">paper %.2f", paper.value);
        if (isfinite(paper.sd))
            text_format(out, " \xc2\xb1 %.2f", paper.sd);
        text_add(out, "</p>");
    }
    text_add(out, "</div>\n");
}

static void add_cards(Page *page, const RunFolder *runs) {
    text_add(&page->grid, "<div class=\"numbers wide\">\n");
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        add_card(&page->grid, runs, &cards[i]);
    text_add(&page->grid, "</div>\n");
}

/* ---- compared with the paper ---- */

/* "similarity, output 0" */
static void name_cell(char *out, size_t size, const tacos_paper_number *cell) {
    if (strcmp(cell->metric, "similarity") == 0)
        (void)snprintf(out, size, "similarity, output %zu", cell->part);
    else
        (void)snprintf(out, size, "%s", cell->metric);
}

/* Every number that the paper has for this configuration. */
static void add_paper(Page *page, const RunFolder *runs) {
    static const char *const heads[] = {"metric", NUMBERS "after task", NUMBERS "here",
                                        NUMBERS "paper", NULL};
    Text *out = &page->grid;
    char name[64];
    if (runs->n_paper == 0)
        return;
    html_table_begin(out, "long", "The paper's values for this configuration", heads);
    for (size_t i = 0; i < runs->n_paper; i++) {
        const tacos_paper_number *cell = &runs->paper[i];
        int digits = strcmp(cell->metric, "similarity") == 0 ? 4 : 2;
        tacos_summary here = runs_metric(runs, cell->metric, cell->after_task, cell->part);
        if (here.n == 0)
            continue;
        html_row_begin(out, NULL);
        name_cell(name, sizeof name, cell);
        html_row_head(out, name);
        html_cell_number(out, cell->after_task ? (double)cell->after_task : NAN, 0);
        html_cell_summary(out, here, digits, false);
        html_cell_summary(out, (tacos_summary){isnan(cell->sd) ? 1 : 2, cell->value, cell->sd},
                          digits, false);
        html_row_end(out);
    }
    html_table_end(out);
}

/* ---- counts ---- */

static void add_count(Text *out, const RunFolder *runs, const char *name, size_t field,
                      const char *unit) {
    double value[2] = {0};
    for (size_t i = 0; i < runs->n_runs; i++) {
        const tacos_learner_stats *stats = &runs->runs[i].stats;
        const tacos_counters *of[] = {&stats->learning, &stats->predicting};
        for (size_t p = 0; p < 2; p++)
            if (of[p]->samples > 0)
                value[p] += (double)*(const uint64_t *)((const char *)of[p] + field) /
                            (double)of[p]->samples / (double)runs->n_runs;
    }
    if (value[0] == 0 && value[1] == 0)
        return;
    html_row_begin(out, NULL);
    html_row_head(out, name);
    html_cell(out, unit);
    for (size_t p = 0; p < 2; p++)
        html_cell_number(out, value[p], value[p] < 1000 ? 1 : 0);
    html_row_end(out);
}

static void add_counts(Page *page, const RunFolder *runs) {
    static const char *const heads[] = {"per sample", "what", NUMBERS "learning",
                                        NUMBERS "predicting", NULL};
    static const struct {
        const char *name, *unit;
        size_t field;
    } rows[] = {
        {"input", "spikes", offsetof(tacos_counters, input_spikes)},
        {"hidden", "spikes", offsetof(tacos_counters, hidden_spikes)},
        {"output", "spikes", offsetof(tacos_counters, output_spikes)},
        {"error", "spikes", offsetof(tacos_counters, error_spikes)},
        {"synaptic events", "spikes times fan-out", offsetof(tacos_counters, synaptic_events)},
        {"error updates", "weights moved", offsetof(tacos_counters, error_updates)},
        {"decay updates", "weights pulled", offsetof(tacos_counters, decay_updates)},
        {"multiplications", "with a weight", offsetof(tacos_counters, macs)},
    };
    html_table_begin(&page->grid, "", "Counts, mean over samples and seeds", heads);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_count(&page->grid, runs, rows[i].name, rows[i].field, rows[i].unit);
    html_table_end(&page->grid);
}

/* ---- each seed ---- */

static double per_sample_us(double seconds, uint64_t samples) {
    return samples ? 1e6 * seconds / (double)samples : NAN;
}

static void add_seeds(Page *page, const RunFolder *runs) {
    static const char *const heads[] = {"seed",
                                        NUMBERS "MA",
                                        NUMBERS "A",
                                        NUMBERS "BWT",
                                        NUMBERS "FWT (GEM)",
                                        NUMBERS "forgetting",
                                        NUMBERS "training, \xc2\xb5s per sample",
                                        NUMBERS "test, \xc2\xb5s per sample",
                                        "digest",
                                        NULL};
    Text *out = &page->grid;
    char words[32];
    html_table_begin(out, "wide", "Every seed after the last task", heads);
    for (size_t i = 0; i < runs->n_runs; i++) {
        const tacos_run *run = &runs->runs[i];
        const tacos_metrics *last = &run->after[run->n_tasks - 1];
        (void)snprintf(words, sizeof words, "%u", run->seed);
        html_row_begin(out, NULL);
        html_row_head(out, words);
        html_cell_number(out, last->MA, 1);
        html_cell_number(out, last->A, 1);
        html_cell_number(out, last->BWT, 1);
        html_cell_number(out, last->FWT_gem, 1);
        html_cell_number(out, last->forgetting, 1);
        html_cell_number(out, per_sample_us(run->train_seconds, run->stats.learning.samples), 0);
        html_cell_number(out, per_sample_us(run->test_seconds, run->stats.predicting.samples), 0);
        (void)snprintf(words, sizeof words, "%08x", run->model_digest);
        html_cell_code(out, words);
        html_row_end(out);
    }
    html_table_end(out);
}

/* ---- all ---- */

static tacos_status add_figures(Page *page, DrawRun *const *draws, size_t n, const RunFolder *runs,
                                tacos_error *err) {
    for (size_t i = 0; i < n; i++) {
        Figure figure = {0};
        tacos_error why = {0};
        tacos_status status = draws[i](&figure, &sizes_page, runs, &why);
        TRY(page_take_figure(page, &figure, status, &why, err));
    }
    return TACOS_OK;
}

#define FIGURES(...)                                                                               \
    add_figures(page, (DrawRun *const[]){__VA_ARGS__},                                             \
                sizeof((DrawRun *const[]){__VA_ARGS__}) / sizeof(DrawRun *), runs, err)

tacos_status page_of_run(Page *page, const RunFolder *runs, const RunFolder *baseline,
                         tacos_error *err) {
    const char *model = runs_config(runs, "model");
    add_title(page, runs, baseline);
    add_cards(page, runs);
    page_section(page, "summary", "Summary", NULL);
    TRY(FIGURES(draw_accuracy, draw_within, draw_matrix, draw_means, draw_transfer));
    page_section(page, "tasks", "Tasks", NULL);
    TRY(FIGURES(draw_classes, draw_confusion));
    page_section(page, "classes", "Classes", NULL);
    TRY(FIGURES(draw_beside));
    if (page->grid.n > 0)
        add_paper(page, runs);
    page_section(page, "paper", "The paper", NULL);
    TRY(FIGURES(draw_change, draw_similarity));
    page_section(page, "measures", "Inside", NULL);
    if (model && strcmp(model, "columns") == 0)
        TRY(FIGURES(draw_templates));
    else
        TRY(FIGURES(draw_weights, draw_states, draw_fields, draw_spikes));
    page_section(page, "network", "Network", "As saved by the run of the lowest seed.");
    TRY(FIGURES(draw_rates, draw_operations, draw_memory));
    add_counts(page, runs);
    page_section(page, "cost", "Cost", NULL);
    add_seeds(page, runs);
    page_section(page, "seeds", "Seeds", NULL);
    html_commands(&page->grid, runs, 1);
    html_config(&page->grid, runs);
    page_section(page, "config", "Configuration", "Symbols are the paper's.");
    html_metrics(&page->grid);
    page_section(page, "words", "Metrics", NULL);
    return TACOS_OK;
}
