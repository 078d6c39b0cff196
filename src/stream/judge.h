/* judge.h - how far an answer can be trusted: from the evidence for each label to chances, a
 * confidence and a novelty, all of which follow what the stream shows of earlier answers.
 *
 * Chances are a softmax of the evidence, and of what the context says, each with a weight that is
 * learned. The confidence is how often answers with such a chance were right; it is lowered for
 * samples that are more novel than nearly all before. */
#ifndef STREAM_JUDGE_H
#define STREAM_JUDGE_H

#include "base/pack.h"
#include "stream/params.h"

enum { CHANCE_BINS = 48, NOVELTY_BINS = 64 };

/* What a learner says of a sample. Labels that it never learned have no evidence. */
typedef struct Evidence {
    const double *bits; /* [n] */
    size_t n;
    bool has_novelty;
    double disagreement, unlikeness; /* see columns_novelty */
} Evidence;

/* For answers with and without context. */
typedef struct Calibration {
    double w_evidence, w_context;
    double right[CHANCE_BINS], all[CHANCE_BINS]; /* of recent answers, by the chance they had */
} Calibration;

/* How labels follow each other: P(same as before), and how frequent each is. */
typedef struct Context {
    double repeat;
    uint64_t n;
    long last; /* NO_LABEL: none */
} Context;

typedef struct Judge {
    Calibration alone, in_stream;
    Context context;
    double disagreement, unlikeness; /* their means */
    double novelties[NOVELTY_BINS];  /* of recent samples */
    uint64_t n;                      /* samples judged */
} Judge;

enum { NO_LABEL = -1 };

typedef struct Verdict {
    int label;
    double chance; /* of that label, before calibration */
    double confidence, novelty;
} Verdict;

void judge_start(Judge *judge);

/* chances[n] receives the chance of each label; label_samples[n] says how often each was learned.
 * `in_stream`: with context. */
Verdict judge_sample(const Judge *judge, const Evidence *evidence, const uint64_t *label_samples,
                     bool in_stream, double *chances);

/* The true label of a sample is known; NO_LABEL if it is new. `room` has space for n doubles. */
void judge_learn(Judge *judge, const Evidence *evidence, const uint64_t *label_samples, long label,
                 double *room);

/* The label that the next sample follows; after judge_learn. */
void judge_follow(Judge *judge, long label);

bool judge_move(Judge *judge, Pack *pack);

#endif
