/* page_running.c - the page of a run in progress: how far it is, and the accuracies so far. */
#include "report/pages/html.h"
#include "report/pages/page.h"

#include <math.h>
#include <stdio.h>

/* "0:32", "1:02:32" */
static void name_time(char out[32], double seconds) {
    long s = lround(fmin(seconds, 1e9));
    if (s >= 3600)
        (void)snprintf(out, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        (void)snprintf(out, 32, "%ld:%02ld", s / 60, s % 60);
}

/* Tasks that the run that is farthest has learned. */
static size_t count_learned(const RunFolder *runs) {
    size_t most = 0;
    for (size_t i = 0; i < runs->n_runs; i++)
        for (size_t k = 1; k <= runs->n_tasks; k++)
            if (isfinite(run_accuracy(&runs->runs[i], k, 1)) && k > most)
                most = k;
    return most;
}

static void add_lead(Text *out, const RunFolder *runs) {
    double part = runs->samples_total > 0 ? runs->samples_done / runs->samples_total : 0;
    size_t learned = count_learned(runs);
    char elapsed[32], left[32];
    name_time(elapsed, runs->seconds);
    name_time(left, part > 0 ? runs->seconds * (1 - part) / part : 0);
    text_format(out,
                "<p class=\"lead\" id=\"verdict\"><strong>In progress: %.0f%%</strong>, %s elapsed",
                100 * fmin(part, 1), elapsed);
    if (part > 0)
        text_format(out, ", about %s left", left);
    text_add(out, ".");
    if (learned > 0) {
        text_format(out, " After %zu of %zu tasks: ", learned, runs->n_tasks);
        for (size_t t = 1; t <= learned && t <= 10; t++) {
            text_escape(out, runs->tasks[t - 1]);
            text_format(out, " %.0f%%%s", runs_accuracy(runs, learned, t).mean,
                        t == learned ? "."
                        : t == 10    ? " ..."
                                     : ", ");
        }
    }
    text_format(out, "</p>\n<p><progress max=\"1\" value=\"%.4f\">%.0f%%</progress></p>\n", part,
                100 * part);
}

static void add_title(Page *page, const RunFolder *runs) {
    const char *model = runs_config(runs, "model");
    char words[32];
    text_format(&page->title, "%s \xc2\xb7 in progress", runs->name);
    text_wrap(&page->head, "<header><p class=\"eyebrow\">tacos report</p><h1>", runs->name,
              "</h1>");
    add_lead(&page->head, runs);
    text_add(&page->head, "<dl class=\"facts\">");
    html_fact(&page->head, "model", model ? model : "unknown");
    html_fact(&page->head, "data", runs->dataset);
    (void)snprintf(words, sizeof words, "%zu", runs->n_wanted);
    html_fact(&page->head, "seeds", words);
    html_fact(&page->head, "folder", runs->folder);
    text_add(&page->head, "</dl>");
    html_chips(&page->head, runs, 1);
    text_add(&page->head, "</header>\n");
}

tacos_status page_of_running(Page *page, const RunFolder *runs, tacos_error *err) {
    static DrawRun *const draws[] = {draw_accuracy, draw_matrix};
    add_title(page, runs);
    for (size_t i = 0; runs->n_runs > 0 && i < sizeof draws / sizeof *draws; i++) {
        Figure figure = {0};
        tacos_error why = {0};
        tacos_status status = draws[i](&figure, &sizes_page, runs, &why);
        TRY(page_take_figure(page, &figure, status, &why, err));
    }
    page_section(page, "tasks", "Tasks", NULL);
    return TACOS_OK;
}
