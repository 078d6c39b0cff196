/* summary.c - the figures of an evaluation for people, and what is wrong with them. */
#include "stream/answers.h"

#include "terminal/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARN_SAMPLES = 100 }; /* fewer say nothing */

void summary_line(const Session *session, uint64_t n_before, uint64_t n_now) {
    tacos_evaluation_figures f = tacos_evaluation_figures_get(session->evaluation);
    fprintf(stderr, "%llu samples", (unsigned long long)(n_before + n_now));
    if (n_before > 0)
        fprintf(stderr, ", %llu of them now", (unsigned long long)n_now);
    if (f.overall.samples > 0)
        fprintf(stderr, "  accuracy %.2f%%", f.overall.accuracy);
    if (f.overall.samples > f.window.samples)
        fprintf(stderr, ", of the last %llu %.2f%%", (unsigned long long)f.window.samples,
                f.window.accuracy);
}

/* ---- the end ---- */

static void print_number(const char *name, double all, double recent, const char *format) {
    char text[2][32] = {"-", "-"};
    if (!isnan(all))
        (void)snprintf(text[0], sizeof text[0], format, all);
    if (!isnan(recent))
        (void)snprintf(text[1], sizeof text[1], format, recent);
    print_to(stderr, "  %-24s %10s  %10s\n", name, text[0], text[1]);
}

static void print_count(const char *name, uint64_t n) {
    print_to(stderr, "  %-24s %10llu\n", name, (unsigned long long)n);
}

/* How samples are taken: a user may have meant otherwise. */
static void print_encoder(const tacos_classifier_info *info) {
    char shape[40] = "";
    if (info->height > 0)
        (void)snprintf(shape, sizeof shape, "%zu x %zu", info->height, info->width);
    print_to(stderr, "  %-24s %10s%s%s\n", "encoder", info->encoder, *shape ? "  " : "", shape);
}

void summary_print(const Session *session) {
    tacos_evaluation_figures f = tacos_evaluation_figures_get(session->evaluation);
    tacos_evaluation_drift drift = tacos_evaluation_drift_get(session->evaluation);
    tacos_classifier_info info = tacos_classifier_info_get(session->classifier);
    const tacos_evaluation_span *all = &f.overall, *recent = &f.window;
    char last[40];
    (void)snprintf(last, sizeof last, "last %llu", (unsigned long long)recent->samples);
    print_to(stderr, "answered before learning %12s  %10s\n", "all", last);
    print_number("accuracy", all->accuracy, recent->accuracy, "%.2f%%");
    if (all->rejected > 0) {
        print_number("accuracy of known", all->answered, recent->answered, "%.2f%%");
        print_to(stderr, "  %-24s %10llu  %10llu\n", "unknown", (unsigned long long)all->rejected,
                 (unsigned long long)recent->rejected);
    }
    print_number("repeating the last label", all->repeat_last, recent->repeat_last, "%.2f%%");
    print_number("most frequent label", all->majority, recent->majority, "%.2f%%");
    print_number("kappa", all->kappa, recent->kappa, "%.3f");
    print_number("kappa-temporal", all->kappa_temporal, recent->kappa_temporal, "%.3f");
    print_count("drift alarms", drift.alarms);
    print_encoder(&info);
    print_count("labels", info.n_labels);
    print_count("bytes", info.model_bytes);
}

/* ---- warnings ---- */

static const char *key_of(const Session *session, const char *key, char value[64]) {
    value[0] = '\0';
    (void)tacos_classifier_get(session->classifier, key, value, 64, NULL);
    return value;
}

/* The likely cause of bad answers, and what to try. */
static const char *likely_cause(const Session *session) {
    char value[64];
    size_t n_labels = tacos_classifier_info_get(session->classifier).n_labels;
    if (n_labels < 2)
        return "all samples have the same label: is another column the label? `--label first`, "
               "`--label last` or `--label NAME` says which";
    if (strcmp(key_of(session, "model", value), "columns") != 0)
        return "spiking networks need keys that suit the data; without --preset and --set, none "
               "are needed";
    if (strcmp(key_of(session, "encoder", value), "none") == 0)
        return "with encoder=none, numbers are taken as intensities; without it, their scales are "
               "learned";
    return "either the features tell nothing about the label, or another column is the label "
           "(`--label NAME`); for series, `--preset series` also encodes recent means";
}

void summary_warn(const Session *session) {
    tacos_evaluation_figures f = tacos_evaluation_figures_get(session->evaluation);
    const tacos_evaluation_span *all = &f.overall;
    uint64_t told = all->samples - all->unanswered;
    size_t n_labels = tacos_classifier_info_get(session->classifier).n_labels;
    if (all->samples < WARN_SAMPLES)
        return;
    if (all->samples < 5 * n_labels) {
        cli_error("warning: %zu labels in %llu samples: is another column the label? `--label "
                  "first`, `--label last` or `--label NAME` says which",
                  n_labels, (unsigned long long)all->samples);
        return;
    }
    if (told * 2 < all->samples) {
        cli_error("warning: %llu of %llu samples got no answer; %s",
                  (unsigned long long)all->unanswered, (unsigned long long)all->samples,
                  likely_cause(session));
        return;
    }
    if (all->rejected > 0)
        return; /* what was rejected would have been right or not */
    if (all->accuracy <= all->majority || all->kappa <= 0)
        cli_error("warning: %.2f%% right is no better than always the most frequent label "
                  "(%.2f%%); %s",
                  all->accuracy, all->majority, likely_cause(session));
    else if (all->kappa_temporal < 0)
        cli_error("warning: %.2f%% right is less than by repeating the last label (%.2f%%); labels "
                  "come in runs: `--preset series` also encodes recent means",
                  all->accuracy, all->repeat_last);
}
