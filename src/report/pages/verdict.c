/* verdict.c - says in a sentence what was learned and what is left of it. Accuracies are rounded to
 * whole percent; the tables below have their digits. */
#include "report/pages/verdict.h"

#include <math.h>
#include <string.h>

/* What a verdict is about, in percent. */
typedef struct Kept {
    double least, most; /* just after learning a task */
    double first, all;  /* after the last task: on the first one, and the mean */
} Kept;

static Kept kept_of(const RunFolder *runs) {
    size_t n = runs->n_tasks;
    Kept kept = {.least = 100,
                 .first = runs_accuracy(runs, n, 1).mean,
                 .all = runs_metric(runs, "MA", n, 0).mean};
    for (size_t t = 1; t <= n; t++) {
        double accuracy = runs_accuracy(runs, t, t).mean;
        kept.least = fmin(kept.least, accuracy);
        kept.most = fmax(kept.most, accuracy);
    }
    return kept;
}

/* "90-100%", "97%" */
static void add_range(Text *out, double least, double most) {
    if (lround(least) != lround(most))
        text_format(out, "%.0f-", least);
    text_format(out, "%.0f%%", most);
}

static void add_kept(Text *out, const RunFolder *runs, const char *verb) {
    Kept kept = kept_of(runs);
    text_format(out, "%s %.0f%% of ", verb, kept.first);
    text_escape(out, runs->tasks[0]);
    text_format(out, " and %.0f%% of all %zu tasks", kept.all, runs->n_tasks);
}

static void add_learned(Text *out, const RunFolder *runs) {
    Kept kept = kept_of(runs);
    text_add(out, "earned ");
    if (runs->n_tasks == 1)
        text_escape(out, runs->tasks[0]);
    else
        text_add(out, "each task");
    text_add(out, " to ");
    add_range(out, kept.least, kept.most);
}

static bool is_snn(const RunFolder *runs) {
    const char *model = runs_config(runs, "model");
    return model && strcmp(model, "snn") == 0;
}

/* What the other one is: "a plain SNN", "ewc". */
static void add_model(Text *out, const RunFolder *runs) {
    const char *model = runs_config(runs, "model");
    if (is_snn(runs))
        text_add(out, "a plain SNN");
    else
        text_escape(out, model ? model : "another model");
}

static void add_chance(Text *out, const RunFolder *runs) {
    double chance = runs_chance(runs);
    if (chance > 0)
        text_format(out, " (chance: %.3g%%)", chance);
}

/* What the other one, of the same stream, has. */
static void add_other(Text *out, const RunFolder *other, bool labelled) {
    text_add(out, "; ");
    if (labelled)
        text_wrap(out, "", other->label, " (");
    add_model(out, other);
    text_add(out, labelled ? ") on the same stream " : " on the same stream ");
    if (other->n_tasks > 1) {
        add_kept(out, other, "keeps");
        return;
    }
    text_add(out, "has ");
    add_range(out, kept_of(other).least, kept_of(other).most);
}

/* The numbers say which of two keeps more; whether that means much, they do not. */
static void add_tie(Text *out, const RunFolder *a, const RunFolder *b) {
    tacos_summary one = runs_metric(a, "MA", a->n_tasks, 0);
    tacos_summary other = runs_metric(b, "MA", b->n_tasks, 0);
    if (one.n < 2 || other.n < 2)
        text_add(out, " A single seed says little about a difference.");
    else if (!tacos_summary_above(&one, &other) && !tacos_summary_above(&other, &one))
        text_add(out, " Within their deviations over seeds this is a tie.");
}

void verdict_of_run(Text *out, const RunFolder *runs, const RunFolder *baseline) {
    text_add(out, "<p class=\"lead\" id=\"verdict\"><strong>L");
    add_learned(out, runs);
    if (runs->n_tasks > 1)
        add_kept(out, runs, "; kept");
    text_add(out, "</strong>");
    add_chance(out, runs);
    if (baseline)
        add_other(out, baseline, false);
    text_add(out, ".");
    if (baseline)
        add_tie(out, runs, baseline);
    text_add(out, "</p>\n");
}

/* ---- several ---- */

static double mean_of(const RunFolder *runs) {
    tacos_summary all = runs_metric(runs, "MA", runs->n_tasks, 0);
    return all.n > 0 ? all.mean : -1;
}

/* The one that keeps the most: of those that may be the best, if there are any. */
static size_t find_best(const RunFolder *runs, size_t n) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        bool more = mean_of(&runs[i]) > mean_of(&runs[best]);
        bool may = runs_compete(&runs[i]), may_best = runs_compete(&runs[best]);
        if (may != may_best ? may : more)
            best = i;
    }
    return best;
}

static size_t find_worst(const RunFolder *runs, size_t n) {
    size_t worst = 0;
    for (size_t i = 1; i < n; i++)
        if (mean_of(&runs[i]) < mean_of(&runs[worst]))
            worst = i;
    return worst;
}

/* How many others the best is not above by more than their deviations. */
static size_t count_ties(const RunFolder *runs, size_t n, size_t best) {
    tacos_summary mine = runs_metric(&runs[best], "MA", runs[best].n_tasks, 0);
    size_t ties = 0;
    for (size_t i = 0; i < n; i++) {
        tacos_summary other = runs_metric(&runs[i], "MA", runs[i].n_tasks, 0);
        ties += i != best && runs_compete(&runs[i]) && !tacos_summary_above(&mine, &other);
    }
    return ties;
}

/* The plain network is what the other is compared with; else the better one comes first. */
static void add_pair(Text *out, const RunFolder *runs) {
    size_t first = is_snn(&runs[0]) != is_snn(&runs[1]) ? is_snn(&runs[0]) : find_best(runs, 2);
    const RunFolder *one = &runs[first], *other = &runs[1 - first];
    text_wrap(out, "<strong>", one->label, " l");
    add_learned(out, one);
    if (one->n_tasks > 1)
        add_kept(out, one, "; kept");
    text_add(out, "</strong>");
    add_chance(out, one);
    add_other(out, other, true);
    text_add(out, ".");
    add_tie(out, one, other);
}

static void add_many(Text *out, const RunFolder *runs, size_t n) {
    size_t best = find_best(runs, n), worst = find_worst(runs, n);
    size_t ties = count_ties(runs, n, best);
    text_format(out, "<strong>Of %zu runs ", n);
    text_escape(out, runs[best].label);
    add_kept(out, &runs[best], " has the most after its last task:");
    text_add(out, "</strong>");
    add_chance(out, &runs[best]);
    if (worst != best) {
        text_wrap(out, "; ", runs[worst].label, " the least:");
        add_kept(out, &runs[worst], "");
    }
    text_add(out, ".");
    if (ties > 0)
        text_format(out, " %zu other%s not below it by more than the deviations over seeds.", ties,
                    ties == 1 ? " is" : "s are");
}

static bool is_one_stream(const RunFolder *runs, size_t n) {
    const char *key;
    for (size_t i = 1; i < n; i++)
        if (!runs_same_stream(&runs[0], &runs[i], &key))
            return false;
    return true;
}

void verdict_of_runs(Text *out, const RunFolder *runs, size_t n) {
    bool one_stream = is_one_stream(runs, n);
    text_add(out, "<p class=\"lead\" id=\"verdict\">");
    if (n == 2 && one_stream)
        add_pair(out, runs);
    else
        add_many(out, runs, n);
    if (!one_stream)
        text_add(out, " They did not learn the same stream of samples.");
    text_add(out, "</p>\n");
}

tacos_status verdict_check_baseline(const RunFolder *runs, const RunFolder *baseline,
                                    tacos_error *err) {
    const char *key;
    if (runs_same_stream(runs, baseline, &key))
        return TACOS_OK;
    return failure(err, TACOS_INVALID,
                   "%s is no baseline of %s: it learned another stream of samples (%s differs)",
                   baseline->folder, runs->folder, key);
}
