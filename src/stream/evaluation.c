/* evaluation.c - counts answers against labels, and makes figures of the counts. Everything that is
 * kept from sample to sample is a whole number. */
#include "stream/evaluation.h"

#include "base/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- made ---- */

static size_t or_default(size_t value, size_t otherwise) {
    return value > 0 ? value : otherwise;
}

tacos_status tacos_evaluation_new(tacos_evaluation **out, const tacos_evaluation_options *options,
                                  tacos_error *err) {
    tacos_evaluation_options given = options ? *options : (tacos_evaluation_options){0};
    *out = NULL;
    given.window = or_default(given.window, 1000);
    given.max_labels = or_default(given.max_labels, 1000);
    given.report_every = or_default(given.report_every, 100);
    if (given.window > WINDOW_MAX)
        return failure(err, TACOS_RANGE, "a window of %zu samples; at most %d", given.window,
                       WINDOW_MAX);
    if (given.max_labels > LABELS_MAX_MAX)
        return failure(err, TACOS_RANGE, "%zu labels; at most %d", given.max_labels,
                       LABELS_MAX_MAX);
    Evaluation *e = calloc(1, sizeof *e);
    Judged *window = calloc(given.window, sizeof *window);
    if (!e || !window) {
        free(window);
        free(e);
        return failure(err, TACOS_MEMORY, "no memory for an evaluation");
    }
    e->options = given;
    e->window = window;
    e->stride = 1;
    e->clock_s = NAN;
    adwin_start(&e->adwin, ADWIN_DELTA);
    *out = e;
    return TACOS_OK;
}

void tacos_evaluation_free(tacos_evaluation *evaluation) {
    if (!evaluation)
        return;
    free(evaluation->counts);
    free(evaluation->window);
    free(evaluation);
}

tacos_evaluation_options tacos_evaluation_options_get(const tacos_evaluation *evaluation) {
    return evaluation->options;
}

/* ---- room for labels ---- */

/* Where the parts of a block of counts are; it has room * (room + 5) numbers. */
static void place_counts(Evaluation *e, uint64_t *block, size_t room) {
    e->room = room;
    e->counts = block;
    e->all.labels = block;
    e->all.answers = block + room;
    e->recent.labels = block + 2 * room;
    e->recent.answers = block + 3 * room;
    e->confusion = block + 4 * room;
}

static void copy_counts(const Evaluation *from, Evaluation *to) {
    size_t n = from->n_labels, bytes = n * sizeof(uint64_t);
    if (n == 0)
        return;
    memcpy(to->all.labels, from->all.labels, bytes);
    memcpy(to->all.answers, from->all.answers, bytes);
    memcpy(to->recent.labels, from->recent.labels, bytes);
    memcpy(to->recent.answers, from->recent.answers, bytes);
    for (size_t k = 0; k < n; k++)
        memcpy(evaluation_cell(to, k, 0), evaluation_cell(from, k, 0), bytes + sizeof(uint64_t));
}

tacos_status evaluation_make_room(Evaluation *e, size_t n, tacos_error *err) {
    Evaluation old = *e;
    size_t room = n > 2 * e->room ? n : 2 * e->room;
    if (n > e->room) {
        room = room < 8 ? 8 : room;
        room = room > e->options.max_labels ? e->options.max_labels : room;
        uint64_t *block = calloc(room * (room + 5), sizeof *block);
        if (!block)
            return failure(err, TACOS_MEMORY, "no memory to count %zu labels", n);
        place_counts(e, block, room);
        copy_counts(&old, e);
        free(old.counts);
    }
    e->n_labels = n > e->n_labels ? n : e->n_labels;
    return TACOS_OK;
}

/* ---- a sample ---- */

void tally_add(Tally *tally, const Judged *sample, bool out) {
    uint64_t one = out ? UINT64_MAX : 1; /* which wraps around to one less */
    bool rejected = sample->flags & JUDGED_REJECTED;
    tally->n += one;
    tally->labels[sample->label] += one;
    if (sample->answer > 0)
        tally->answers[sample->answer - 1] += one;
    if (sample->answer == sample->label + 1)
        tally->right += one;
    if (rejected)
        tally->rejected += one;
    if (sample->answer == 0 && !rejected)
        tally->unanswered += one;
    if (sample->flags & JUDGED_REPEATED)
        tally->repeated += one;
    if (sample->flags & JUDGED_MAJORITY)
        tally->majority += one;
}

/* Where the sample before this one is, if there is one. */
static const Judged *last_sample(const Evaluation *e) {
    return e->all.n > 0 ? &e->window[(e->all.n - 1) % e->options.window] : NULL;
}

static Judged judge(const Evaluation *e, size_t label, int answer, bool rejected) {
    const Judged *last = last_sample(e);
    Judged sample = {.label = (uint16_t)label};
    if (!rejected)
        sample.answer = (uint16_t)(answer + 1);
    if (rejected)
        sample.flags |= JUDGED_REJECTED;
    if (last && last->label == label)
        sample.flags |= JUDGED_REPEATED;
    if (last && e->most_frequent == label)
        sample.flags |= JUDGED_MAJORITY;
    return sample;
}

static void watch_drift(Evaluation *e, bool wrong) {
    if (adwin_add(&e->adwin, wrong) == ADWIN_ROSE)
        e->alarms[e->n_alarms++ % TACOS_EVALUATION_ALARMS] = e->all.n;
}

tacos_status tacos_evaluation_add(tacos_evaluation *e, size_t label, int answer, int rejected,
                                  tacos_error *err) {
    size_t most = e->options.max_labels, needed = label + 1;
    if (label >= most)
        return failure(err, TACOS_RANGE, "label %zu: there may be %zu labels", label, most);
    if (answer < -1 || (answer >= 0 && (size_t)answer >= most))
        return failure(err, TACOS_RANGE, "answer %d: there may be %zu labels", answer, most);
    if (!rejected && answer >= 0 && (size_t)answer >= needed)
        needed = (size_t)answer + 1;
    if (needed > e->n_labels)
        TRY(evaluation_make_room(e, needed, err));
    Judged sample = judge(e, label, answer, rejected != 0);
    Judged *place = &e->window[e->all.n % e->options.window];
    if (e->recent.n == e->options.window)
        tally_add(&e->recent, place, true);
    *place = sample;
    tally_add(&e->recent, &sample, false);
    tally_add(&e->all, &sample, false);
    ++*evaluation_cell(e, label, sample.answer);
    e->rejected_right += rejected && answer == (int)label;
    uint64_t mine = e->all.labels[label], best = e->all.labels[e->most_frequent];
    if (mine > best || (mine == best && label < e->most_frequent))
        e->most_frequent = label;
    watch_drift(e, sample.answer != sample.label + 1);
    return TACOS_OK;
}

/* ---- figures ---- */

static double percent(uint64_t part, uint64_t of) {
    return of > 0 ? 100 * (double)part / (double)of : NAN;
}

/* How far a count is from what a baseline has to what is perfect. */
static double kappa(double right, double baseline, double all) {
    return all > baseline ? (right - baseline) / (all - baseline) : NAN;
}

static tacos_evaluation_span span_of(const Evaluation *e, const Tally *tally) {
    double n = (double)tally->n, right = (double)tally->right, chance = 0;
    for (size_t k = 0; k < e->n_labels; k++)
        chance += (double)tally->labels[k] * (double)tally->answers[k];
    return (tacos_evaluation_span){
        .samples = tally->n,
        .right = tally->right,
        .rejected = tally->rejected,
        .unanswered = tally->unanswered,
        .accuracy = percent(tally->right, tally->n),
        .answered = percent(tally->right, tally->n - tally->rejected - tally->unanswered),
        .repeat_last = percent(tally->repeated, tally->n),
        .majority = percent(tally->majority, tally->n),
        .kappa = kappa(n * right, chance, n * n),
        .kappa_temporal = kappa(right, (double)tally->repeated, n),
    };
}

tacos_evaluation_figures tacos_evaluation_figures_get(const tacos_evaluation *evaluation) {
    return (tacos_evaluation_figures){
        .overall = span_of(evaluation, &evaluation->all),
        .window = span_of(evaluation, &evaluation->recent),
        .rejected_right = evaluation->rejected_right,
        .labels = evaluation->n_labels,
    };
}

tacos_evaluation_label tacos_evaluation_label_get(const tacos_evaluation *evaluation,
                                                  size_t label) {
    tacos_evaluation_label out = {.recall = NAN, .precision = NAN};
    if (label >= evaluation->n_labels)
        return out;
    out.samples = evaluation->all.labels[label];
    out.answered = evaluation->all.answers[label];
    out.right = *evaluation_cell(evaluation, label, label + 1);
    out.recall = percent(out.right, out.samples);
    out.precision = percent(out.right, out.answered);
    return out;
}

uint64_t tacos_evaluation_confusion(const tacos_evaluation *evaluation, size_t label, int answer) {
    if (label >= evaluation->n_labels || answer < -1 ||
        (answer >= 0 && (size_t)answer >= evaluation->n_labels))
        return 0;
    return *evaluation_cell(evaluation, label, answer < 0 ? 0 : (size_t)answer + 1);
}

tacos_evaluation_drift tacos_evaluation_drift_get(const tacos_evaluation *evaluation) {
    uint64_t n = evaluation->n_alarms, kept = TACOS_EVALUATION_ALARMS;
    tacos_evaluation_drift out = {
        .alarms = n, .n = (size_t)(n < kept ? n : kept), .width = evaluation->adwin.n};
    for (size_t k = 0; k < out.n; k++)
        out.at[k] = evaluation->alarms[(n - out.n + k) % kept];
    return out;
}
