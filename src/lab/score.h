/* score.h - scores the samples of a task, shared among threads. */
#ifndef LAB_SCORE_H
#define LAB_SCORE_H

#include "base/team.h"
#include "lab/student.h"

typedef struct Guess {
    int output;             /* -1: none */
    const uint32_t *counts; /* [n_outputs]: how strongly each output answered, 0 for not at all */
} Guess;

typedef struct Sight {
    const uint8_t *pixels; /* the image as the task shows it; NULL if the scorer has no room */
    uint32_t image;        /* its number */
    size_t at;             /* which of the exam's samples it is */
} Sight;

typedef struct Scorer {
    Session *session;
    Team *team;    /* NULL: the calling thread alone */
    uint8_t *room; /* a buffer for stream_show per thread; NULL: pixels are not looked at */

    /* The answer of thread `member` to a task's sample. */
    Guess (*guess)(void *self, size_t member, const Sight *sight);
    void *self;
} Scorer;

tacos_status score_samples(const Scorer *scorer, const Exam *exam, Answers *out, tacos_error *err);

#endif
