/* score.h - scores the samples of a task, shared among threads. */
#ifndef LAB_SCORE_H
#define LAB_SCORE_H

#include "base/team.h"
#include "lab/student.h"

typedef struct Guess {
    int output;             /* -1: none */
    const uint32_t *counts; /* [n_outputs]: how strongly each output answered, 0 for not at all */
} Guess;

typedef struct Scorer {
    Session *session;
    Team *team;    /* NULL: the calling thread alone */
    uint8_t *room; /* a buffer for stream_show per thread */

    /* The answer of thread `member` to an image as the task shows it. */
    Guess (*guess)(void *self, size_t member, const uint8_t *pixels, uint32_t image);
    void *self;
} Scorer;

tacos_status score_samples(const Scorer *scorer, size_t task, Answers *out, tacos_error *err);

#endif
