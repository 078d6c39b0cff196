/* page_stream.c - the report of a stream that was answered and learned sample by sample. */
#include "report/pages/html.h"
#include "report/pages/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 160 };

/* 45312 as 45,312. */
static const char *grouped(uint64_t value, char out[32]) {
    char digits[24];
    size_t n = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), at = 0;
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && (n - k) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[k];
    }
    out[at] = '\0';
    return out;
}

#define GROUPED(value) grouped(value, (char[32]){0})

/* A number, or a dash if it is not defined. */
static const char *shown(double value, const char *format, char out[32]) {
    (void)snprintf(out, 32, "\xe2\x80\x93");
    if (isfinite(value) && strcmp(format, "%.1f%%") == 0)
        (void)snprintf(out, 32, "%.1f%%", value);
    else if (isfinite(value))
        (void)snprintf(out, 32, "%.2f", value);
    return out;
}

#define PERCENT(value) shown(value, "%.1f%%", (char[32]){0})
#define KAPPA(value)   shown(value, "", (char[32]){0})

/* ---- title ---- */

static void add_headline(Text *out, const StreamFolder *stream) {
    const tacos_evaluation_span *all = &stream->overall;
    if (all->samples == 0) {
        text_add(out, "<p class=\"lead\">The stream had no labelled sample.</p>");
        return;
    }
    text_format(out,
                "<p class=\"lead\"><strong>%s right before learning</strong>, over %s sample%s; "
                "repeating the last label would have %s (kappa-temporal %s).</p>",
                PERCENT(all->accuracy), GROUPED(all->samples), all->samples == 1 ? "" : "s",
                PERCENT(all->repeat_last), KAPPA(all->kappa_temporal));
    if (all->accuracy < all->repeat_last)
        text_add(out, "<p class=\"warning\">Repeating the last label would have been right more "
                      "often.</p>");
    else if (all->accuracy < all->majority)
        text_add(out, "<p class=\"warning\">Always answering the most frequent label would have "
                      "been right more often.</p>");
}

static const char *name_of(const StreamFolder *stream) {
    return stream->stream ? stream->stream : stream->folder;
}

static void add_title(Page *page, const StreamFolder *stream) {
    Text *out = &page->head;
    text_format(&page->title, "%s \xc2\xb7 stream", name_of(stream));
    text_wrap(out, "<header><p class=\"eyebrow\">tacos report</p><h1>", name_of(stream), "</h1>");
    add_headline(out, stream);
    text_add(out, "<dl class=\"facts\">");
    if (stream->model)
        html_fact(out, "model", stream->model);
    html_fact(out, "samples", GROUPED(stream->overall.samples));
    html_fact(out, "labels", GROUPED(stream->n_labels));
    html_fact(out, "window", GROUPED(stream->window));
    if (stream->n_rows > 0 && stream->rows[stream->n_rows - 1].bytes > 0)
        html_fact(out, "memory, bytes", GROUPED(stream->rows[stream->n_rows - 1].bytes));
    html_fact(out, "folder", stream->folder);
    html_fact(out, "made by", stream->version);
    text_add(out, "</dl></header>\n");
}

/* ---- headline numbers ---- */

static void add_card(Text *out, const char *label, const char *value, const char *about) {
    text_wrap(out, "<div class=\"card number\"><h3>", label, "</h3><p class=\"value\">");
    text_escape(out, value);
    text_wrap(out, "</p><p class=\"what\">", about, "</p></div>\n");
}

static void add_cards(Page *page, const StreamFolder *stream) {
    const tacos_evaluation_span *all = &stream->overall, *recent = &stream->recent;
    const tacos_evaluation_drift *drift = &stream->drift;
    Text *out = &page->grid;
    char words[WORDS];
    double rejected =
        all->samples > 0 ? 100 * (double)all->rejected / (double)all->samples : (double)NAN;
    text_add(out, "<div class=\"numbers wide\">\n");
    (void)snprintf(words, sizeof words, "right before learning; %s over the last %s",
                   PERCENT(recent->accuracy), GROUPED(recent->samples));
    add_card(out, "Accuracy", PERCENT(all->accuracy), words);
    (void)snprintf(words, sizeof words, "repeating the last label; %s over the last %s",
                   PERCENT(recent->repeat_last), GROUPED(recent->samples));
    add_card(out, "To be beaten", PERCENT(all->repeat_last), words);
    (void)snprintf(words, sizeof words, "0: repeating the last label, 1: perfect; %s at the end",
                   KAPPA(recent->kappa_temporal));
    add_card(out, "Kappa-temporal", KAPPA(all->kappa_temporal), words);
    (void)snprintf(words, sizeof words, "Cohen's; 0: chance, 1: perfect; %s at the end",
                   KAPPA(recent->kappa));
    add_card(out, "Kappa", KAPPA(all->kappa), words);
    (void)snprintf(words, sizeof words, "answered \"unknown\"; of the answers, %s are right",
                   PERCENT(all->answered));
    add_card(out, "Rejected", PERCENT(rejected), words);
    (void)snprintf(words, sizeof words, "where the accuracy fell");
    if (drift->n > 0)
        (void)snprintf(words, sizeof words, "where the accuracy fell, the last at sample %s",
                       GROUPED(drift->at[drift->n - 1]));
    add_card(out, "Drift alarms", GROUPED(drift->alarms), words);
    text_add(out, "</div>\n");
}

/* ---- tables ---- */

static void add_count(Text *out, const char *name, uint64_t all, uint64_t recent) {
    html_row_begin(out, NULL);
    html_row_head(out, name);
    html_cell_number(out, (double)all, 0);
    html_cell_number(out, (double)recent, 0);
    html_row_end(out);
}

static void add_figure(Text *out, const char *name, double all, double recent, int digits) {
    html_row_begin(out, NULL);
    html_row_head(out, name);
    html_cell_number(out, all, digits);
    html_cell_number(out, recent, digits);
    html_row_end(out);
}

static void add_figures_table(Page *page, const StreamFolder *stream) {
    static const char *const heads[] = {"figure", NUMBERS "of all", NUMBERS "over the window",
                                        NULL};
    const tacos_evaluation_span *all = &stream->overall, *recent = &stream->recent;
    Text *out = &page->grid;
    html_table_begin(out, "", "Every figure", heads);
    add_count(out, "samples", all->samples, recent->samples);
    add_figure(out, "right, %", all->accuracy, recent->accuracy, 2);
    add_figure(out, "repeating the last label, %", all->repeat_last, recent->repeat_last, 2);
    add_figure(out, "the most frequent label, %", all->majority, recent->majority, 2);
    add_figure(out, "kappa", all->kappa, recent->kappa, 3);
    add_figure(out, "kappa-temporal", all->kappa_temporal, recent->kappa_temporal, 3);
    html_table_end(out);
}

static void add_rejected_table(Page *page, const StreamFolder *stream) {
    static const char *const heads[] = {"samples", NUMBERS "of all", NUMBERS "over the window",
                                        NULL};
    const tacos_evaluation_span *all = &stream->overall, *recent = &stream->recent;
    Text *out = &page->grid;
    html_table_begin(out, "", "What was not answered", heads);
    add_count(out, "rejected: answered \"unknown\"", all->rejected, recent->rejected);
    html_row_begin(out, NULL);
    html_row_head(out, "rejected, but would have been right");
    html_cell_number(out, (double)stream->rejected_right, 0);
    html_cell_number(out, NAN, 0);
    html_row_end(out);
    add_count(out, "without any answer", all->unanswered, recent->unanswered);
    add_count(out, "answered", all->samples - all->rejected - all->unanswered,
              recent->samples - recent->rejected - recent->unanswered);
    add_figure(out, "right, % of the answered", all->answered, recent->answered, 2);
    html_table_end(out);
}

static void add_labels(Page *page, const StreamFolder *stream) {
    static const char *const heads[] = {"label",
                                        NUMBERS "samples",
                                        NUMBERS "recall, %",
                                        NUMBERS "precision, %",
                                        NUMBERS "answered",
                                        "most often taken for",
                                        NULL};
    Text *out = &page->grid;
    char words[WORDS];
    if (stream->n_labels == 0)
        return;
    const char *class = stream->n_labels <= STREAM_NARROW ? "dense"
                        : stream->n_labels <= 16          ? "wide"
                                                          : "wide long";
    html_table_begin(out, class, "Every label", heads);
    for (size_t k = 0; k < stream->n_labels; k++) {
        const StreamLabel *label = &stream->labels[k];
        const StreamCell *wrong = label->taken_for;
        html_row_begin(out, NULL);
        html_row_head(out, label->name);
        html_cell_number(out, (double)label->of.samples, 0);
        html_cell_number(out, label->of.recall, 1);
        html_cell_number(out, label->of.precision, 1);
        html_cell_number(out, (double)label->of.answered, 0);
        (void)snprintf(words, sizeof words, "%.100s (%s)",
                       wrong ? stream_answer(stream, wrong->answer) : "",
                       GROUPED(wrong ? wrong->n : 0));
        html_cell(out, wrong ? words : "\xe2\x80\x93");
        html_row_end(out);
    }
    html_table_end(out);
}

static void add_words(Page *page) {
    Text *out = &page->grid;
    text_add(out, "<div class=\"card wide\"><dl class=\"words\">");
    html_fact(
        out, "right before learning",
        "each sample is answered first and learned then, so it tests what was learned before");
    html_fact(out, "repeating the last label",
              "what one has who answers the label of the sample before; much where labels come in "
              "runs");
    html_fact(out, "kappa-temporal",
              "(p - r) / (1 - r): p is right, r would be by repeating the last label");
    html_fact(out, "kappa", "(p - e) / (1 - e): e would be right by chance");
    html_fact(out, "recall", "percent of a label's samples that were right");
    html_fact(out, "precision", "percent of the times a label was the answer that were right");
    html_fact(out, "drift alarm",
              "ADWIN: of a window, a newer part has more wrong answers than an older one, by more "
              "than chance explains");
    text_add(out, "</dl></div>\n");
}

/* ---- all ---- */

static tacos_status add_drawing(Page *page, DrawStream *draw, const StreamFolder *stream,
                                tacos_error *err) {
    Figure figure = {0};
    tacos_error why = {0};
    tacos_status status = draw(&figure, &sizes_page, stream, &why);
    return page_take_figure(page, &figure, status, &why, err);
}

tacos_status page_of_stream(Page *page, const StreamFolder *stream, tacos_error *err) {
    add_title(page, stream);
    add_cards(page, stream);
    page_section(page, "summary", "Summary", NULL);
    TRY(add_drawing(page, draw_stream_accuracy, stream, err));
    TRY(add_drawing(page, draw_stream_kappa, stream, err));
    TRY(add_drawing(page, draw_stream_speed, stream, err));
    page_section(page, "time", "Over time", NULL);
    add_figures_table(page, stream);
    add_rejected_table(page, stream);
    page_section(page, "figures", "All figures", NULL);
    add_labels(page, stream);
    TRY(add_drawing(page, draw_stream_confusion, stream, err));
    page_section(page, "labels", "Labels and answers", NULL);
    add_words(page);
    page_section(page, "words", "Metrics", NULL);
    return TACOS_OK;
}
