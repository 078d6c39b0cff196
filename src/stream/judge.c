/* judge.c - see judge.h. */
#include "stream/judge.h"
#include "base/pack_file.h"

#include "base/elementary.h"
#include "base/exact.h"

#include <math.h>
#include <string.h>

/* The fastest that weights, means and bins follow the stream, and the slowest. */
static const double LEARN_WEIGHT = 0.02, MEAN_OVER = 1000, REPEAT_OVER = 100, BIN_OVER = 300;
/* Samples more novel than this fraction of all lose confidence. */
static const double COMMON = 0.95;

void judge_start(Judge *judge) {
    *judge = (Judge){.context = {.repeat = 0.5, .last = NO_LABEL}};
    judge->alone = judge->in_stream = (Calibration){.w_evidence = 0.2, .w_context = 1};
}

/* 1/n at first, then 1/most. */
static double rate(uint64_t n, double most) {
    double count = (double)n + 1;
    return 1 / (count < most ? count : most);
}

/* ---- chances ---- */

/* What the context says of each label, in bits; all the same without one. */
static void context_bits(const Context *context, const uint64_t *samples, size_t n, double *out) {
    double others = 0, repeat = context->repeat;
    for (size_t k = 0; k < n; k++)
        others += (long)k == context->last ? 0 : (double)samples[k];
    repeat = repeat < 1e-3 ? 1e-3 : repeat > 1 - 1e-3 ? 1 - 1e-3 : repeat;
    for (size_t k = 0; k < n; k++) {
        double part = others > 0 ? (double)samples[k] / others : 1;
        out[k] = log2_exact((long)k == context->last ? repeat : (1 - repeat) * part + 1e-9);
    }
}

/* chances = softmax(score), in bits; labels never learned have none. Returns the likeliest. */
static int softmax(const uint64_t *samples, size_t n, double *score) {
    int best = NO_LABEL;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        if (samples[k] > 0 && (best == NO_LABEL || score[k] > score[best]))
            best = (int)k;
    double most = best == NO_LABEL ? 0 : score[best];
    for (size_t k = 0; k < n; k++) {
        score[k] = samples[k] > 0 ? exp2_exact(score[k] - most) : 0;
        sum += score[k];
    }
    for (size_t k = 0; k < n && sum > 0; k++)
        score[k] /= sum;
    return best;
}

static int chances_of(const Judge *judge, const Evidence *evidence, const uint64_t *samples,
                      bool in_stream, double *out) {
    const Calibration *c = in_stream ? &judge->in_stream : &judge->alone;
    bool context = in_stream && judge->context.last != NO_LABEL;
    if (context)
        context_bits(&judge->context, samples, evidence->n, out);
    for (size_t k = 0; k < evidence->n; k++)
        out[k] = c->w_evidence * evidence->bits[k] + (context ? c->w_context * out[k] : 0);
    return softmax(samples, evidence->n, out);
}

/* ---- confidence ---- */

/* Bins of half a bit of log2(p / (1 - p)), from -4 on. */
static size_t bin_of(double chance) {
    double rest = 1 - chance < 1e-9 ? 1e-9 : 1 - chance;
    double odds = log2_exact((chance < 1e-9 ? 1e-9 : chance) / rest);
    double bin = 2 * (odds + 4);
    return bin < 0 ? 0 : bin >= CHANCE_BINS ? CHANCE_BINS - 1 : (size_t)bin;
}

/* The chance in the middle of a bin. */
static double bin_chance(size_t bin) {
    double odds = exp2_exact(((double)bin + 0.5) / 2 - 4);
    return odds / (1 + odds);
}

/* How often answers of a bin were right, such that it never falls from bin to bin: neighbours that
 * would are pooled (pool adjacent violators). What a chance itself says counts as two answers. */
static double calibrated(const Calibration *c, size_t bin) {
    double right[CHANCE_BINS], all[CHANCE_BINS];
    size_t first[CHANCE_BINS + 1], n = 0;
    for (size_t b = 0; b < CHANCE_BINS; b++) {
        right[n] = c->right[b] + 2 * bin_chance(b);
        all[n] = c->all[b] + 2;
        first[n++] = b;
        for (; n > 1 && right[n - 2] * all[n - 1] >= right[n - 1] * all[n - 2]; n--) {
            right[n - 2] += right[n - 1];
            all[n - 2] += all[n - 1];
        }
    }
    while (n > 1 && first[n - 1] > bin)
        n--;
    return right[n - 1] / all[n - 1];
}

/* ---- novelty ---- */

/* A mean that has been fading for very long is nearly 0, and a multiple of it would be infinite. */
static double multiple(double value, double mean) {
    const double most = 1e6;
    if (!(mean > 0))
        return 1;
    return value / mean < most ? value / mean : most;
}

/* A typical sample is at 1/2. */
static double novelty_of(const Judge *judge, const Evidence *evidence) {
    if (!evidence->has_novelty)
        return (double)NAN;
    double a = multiple(evidence->disagreement, judge->disagreement);
    double b = multiple(evidence->unlikeness, judge->unlikeness);
    return (a + b) / (a + b + 2);
}

static size_t novelty_bin(double novelty) {
    size_t bin = (size_t)(novelty * NOVELTY_BINS);
    return bin < NOVELTY_BINS ? bin : NOVELTY_BINS - 1;
}

/* 1 for a sample like others; towards 0 the fewer samples are as novel. */
static double commonness(const Judge *judge, double novelty) {
    const double enough = 20;
    double above = 0, all = 0;
    if (isnan(novelty))
        return 1;
    size_t bin = novelty_bin(novelty);
    for (size_t b = 0; b < NOVELTY_BINS; b++) {
        all += judge->novelties[b];
        if (b >= bin)
            above += b == bin ? judge->novelties[b] / 2 : judge->novelties[b];
    }
    if (all < enough)
        return 1;
    double rare = (above + 0.5) / (all + 1) / (1 - COMMON);
    return rare < 1 ? rare : 1;
}

/* ---- judging ---- */

/* The chance of the likeliest becomes its calibrated one, but stays above any other's. */
static void calibrate(size_t n, int best, double right, double *chances) {
    double others = 0, second = 0; /* not 1 - chances[best], of which rounding leaves nothing */
    for (size_t k = 0; k < n; k++)
        if ((int)k != best) {
            others += chances[k];
            second = chances[k] > second ? chances[k] : second;
        }
    if (others == 0)
        return;
    second *= 1 + 1e-9; /* more than rounding, so that it stays the likeliest */
    double least = second / (others + second);
    right = right < least ? least : right > 1 ? 1 : right;
    for (size_t k = 0; k < n; k++)
        chances[k] = (int)k == best ? right : chances[k] / others * (1 - right);
}

Verdict judge_sample(const Judge *judge, const Evidence *evidence, const uint64_t *label_samples,
                     bool in_stream, double *chances) {
    Verdict verdict = {.novelty = novelty_of(judge, evidence)};
    const Calibration *c = in_stream ? &judge->in_stream : &judge->alone;
    verdict.label = chances_of(judge, evidence, label_samples, in_stream, chances);
    if (verdict.label == NO_LABEL)
        return verdict;
    verdict.chance = chances[verdict.label];
    double right = calibrated(c, bin_of(verdict.chance));
    verdict.confidence = right * commonness(judge, verdict.novelty);
    calibrate(evidence->n, verdict.label, right, chances);
    return verdict;
}

/* ---- learning ---- */

static void add_to_bin(Calibration *c, size_t bin, bool right) {
    double keep = c->all[bin] < BIN_OVER ? 1 : 1 - 1 / BIN_OVER;
    c->right[bin] = c->right[bin] * keep + right;
    c->all[bin] = c->all[bin] * keep + 1;
}

/* How much the label's value is above the mean, as a part of the variance. */
static double gradient(const double *values, const double *chances, size_t n, size_t label) {
    double mean = 0, variance = 0;
    for (size_t k = 0; k < n; k++)
        mean += chances[k] * values[k];
    for (size_t k = 0; k < n; k++)
        variance += chances[k] * (values[k] - mean) * (values[k] - mean);
    double above = values[label] - mean;
    return above / (1 + variance + above * above);
}

/* One step of logistic regression: the weights follow the gradient of log P(label). */
static void move_weights(Calibration *c, const Evidence *evidence, const double *chances,
                         const double *context, size_t label, uint64_t n) {
    double step = rate(n / 10, 1 / LEARN_WEIGHT);
    c->w_evidence += step * gradient(evidence->bits, chances, evidence->n, label);
    c->w_evidence = c->w_evidence < 0.01 ? 0.01 : c->w_evidence;
    if (context)
        c->w_context += step * gradient(context, chances, evidence->n, label);
    c->w_context = c->w_context < 0 ? 0 : c->w_context;
}

static void learn_calibration(Judge *judge, Calibration *c, const Evidence *evidence,
                              const uint64_t *samples, bool in_stream, long label, double *room) {
    double *context = in_stream && judge->context.last != NO_LABEL ? room + evidence->n : NULL;
    int best = chances_of(judge, evidence, samples, in_stream, room);
    if (best == NO_LABEL)
        return;
    add_to_bin(c, bin_of(room[best]), best == label);
    if (label == NO_LABEL || samples[label] == 0)
        return;
    if (context)
        context_bits(&judge->context, samples, evidence->n, context);
    move_weights(c, evidence, room, context, (size_t)label, judge->n);
}

static void learn_novelty(Judge *judge, const Evidence *evidence) {
    double part = rate(judge->n, MEAN_OVER);
    if (!evidence->has_novelty)
        return;
    size_t bin = novelty_bin(novelty_of(judge, evidence));
    for (size_t b = 0; b < NOVELTY_BINS; b++)
        judge->novelties[b] *= 1 - 1 / MEAN_OVER;
    judge->novelties[bin] += 1;
    judge->disagreement += (evidence->disagreement - judge->disagreement) * part;
    judge->unlikeness += (evidence->unlikeness - judge->unlikeness) * part;
}

void judge_learn(Judge *judge, const Evidence *evidence, const uint64_t *label_samples, long label,
                 double *room) {
    learn_calibration(judge, &judge->alone, evidence, label_samples, false, label, room);
    learn_calibration(judge, &judge->in_stream, evidence, label_samples, true, label, room);
    learn_novelty(judge, evidence);
    judge->n++;
}

void judge_follow(Judge *judge, long label) {
    Context *context = &judge->context;
    if (context->last != NO_LABEL) {
        double same = context->last == label;
        context->repeat += (same - context->repeat) * rate(context->n++ + 1, REPEAT_OVER);
    }
    context->last = label;
}

/* ---- keeping ---- */

static void move_reals(Pack *pack, double *values, size_t n) {
    for (size_t k = 0; k < n; k++)
        values[k] = pack_real(pack, values[k]);
}

static bool all_hold(const double *values, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!(values[k] >= 0 && values[k] <= 1e300))
            return false;
    return true;
}

static bool move_calibration(Calibration *c, Pack *pack) {
    move_reals(pack, &c->w_evidence, 1);
    move_reals(pack, &c->w_context, 1);
    move_reals(pack, c->right, CHANCE_BINS);
    move_reals(pack, c->all, CHANCE_BINS);
    bool good = all_hold(&c->w_evidence, 1) && all_hold(&c->w_context, 1);
    for (size_t b = 0; b < CHANCE_BINS; b++)
        good = good && c->right[b] >= 0 && c->right[b] <= c->all[b] && c->all[b] <= 1e9;
    return good;
}

bool judge_move(Judge *judge, Pack *pack) {
    double *const means[] = {&judge->disagreement, &judge->unlikeness, &judge->context.repeat};
    bool good = move_calibration(&judge->alone, pack) && move_calibration(&judge->in_stream, pack);
    for (size_t k = 0; k < sizeof means / sizeof *means; k++) {
        move_reals(pack, means[k], 1);
        good = good && all_hold(means[k], 1);
    }
    judge->context.n = pack_whole(pack, judge->context.n, 8);
    judge->context.last = (long)pack_whole(pack, (uint64_t)(judge->context.last + 1), 4) - 1;
    move_reals(pack, judge->novelties, NOVELTY_BINS);
    judge->n = pack_whole(pack, judge->n, 8);
    return good && all_hold(judge->novelties, NOVELTY_BINS) && !pack->failed;
}
