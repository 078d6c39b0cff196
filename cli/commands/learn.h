/* learn.h - the parts of `tacos learn`: its options, its reports (learn_report.c), and learning
 * that several processes share (learn_shared.c). */
#ifndef CLI_LEARN_H
#define CLI_LEARN_H

#include "input/samples.h"
#include "output/resume.h"

typedef struct LearnArgs {
    const char *path;
    OptionList sets;
    SampleReaderArgs reader;
    unsigned long seed, save_every, report_every; /* save_every: 0 for the default */
    int fresh, blind, quiet;
    Resume resume; /* the command line */
    /* of a classifier */
    const char *preset, *header, *reject, *out;
    unsigned long window;
    int resume_input, answers, no_answers;
} LearnArgs;

enum { RECENT_SAMPLES = 1000 };

/* What an answer was before its sample was learned. */
typedef enum Answer { ANSWER_WRONG, ANSWER_RIGHT, ANSWER_NONE /* no output spiked: -1 */ } Answer;

/* How many were predicted correctly before they were learned: of all, and of the most recent. */
typedef struct RunningAccuracy {
    uint64_t n, right;
    uint64_t unanswered; /* since the last answer */
    uint32_t recent_right;
    uint8_t recent[RECENT_SAMPLES]; /* a ring: sample k is at k modulo its size */
} RunningAccuracy;

typedef struct Learning {
    const LearnArgs *args;
    tacos_learner *learner;
    SampleReader reader;
    RunningAccuracy accuracy;
    uint64_t n;         /* samples */
    double reported_at; /* on a terminal: when */
    int terminal;
} Learning;

/* Learn a sample, and predict it before, unless --no-test is given: EXIT_OK and what the Answer
 * was, or the exit status after an error message. */
int learn_sample(tacos_learner *learner, const float *intensity, size_t n_inputs, size_t label,
                 int blind, int *answer);

/* ---- learn_stream.c ---- */

/* Whether MODEL is a classifier, or will be. */
int learn_is_stream(const LearnArgs *args);

/* The whole of it, but for reading options. */
int learn_stream(const LearnArgs *args);

/* ---- learn_report.c ---- */

/* A sample has been learned. Now and then this reports progress. */
void learn_count(Learning *learning, int answer);

/* The last report. */
void learn_report_end(Learning *learning);

/* After a signal: what is kept, and the command that continues with the samples that follow. */
void learn_report_interrupted(const Learning *learning);

/* ---- learn_shared.c ---- */

/* May several processes share a learner? EXIT_OK, or the exit status after an error message. */
int learn_shared_check(const LearnArgs *args, const tacos_learner *learner);

/* Until the input ends, a signal arrives, or something fails: samples are dealt to all processes,
 * this one included, and what they have learned is merged into learning->learner. *kind is why
 * reading ended. */
int learn_shared(Learning *learning, ReadResult *kind);

/* The part of every other process. */
int learn_member(void);

#endif
