/* answers.h - which answers the test samples of every class got, before learning and after every
 * task, over all seeds. */
#ifndef REPORT_ANSWERS_H
#define REPORT_ANSWERS_H

#include "report/input/runs.h"

enum { ANSWER_NAME_SIZE = 40 };

typedef struct Answers {
    size_t n_moments;                       /* before learning, and after each task */
    size_t n_classes, n_answers;            /* n_answers: of outputs, and none if it ever occurs */
    char (*class_names)[ANSWER_NAME_SIZE];  /* [n_classes] */
    char (*answer_names)[ANSWER_NAME_SIZE]; /* [n_answers] */
    bool *right;                            /* [n_classes][n_answers] */
    double *counts;                         /* [n_moments][n_classes][n_answers] */
} Answers;

/* TACOS_MISSING if the runs have no such counts. */
tacos_status answers_make(Answers *out, const RunFolder *runs, tacos_error *err);
void answers_free(Answers *answers);

/* "0/2/4": the classes that are taught as an output, by name; its number if that is unknown. */
void answers_name_output(char out[ANSWER_NAME_SIZE], const RunFolder *runs, size_t output);

/* Percent of a class's samples at a moment that got an answer, and that got a right one; NaN if
 * there were none. */
double answers_percent(const Answers *answers, size_t moment, size_t class, size_t answer);
double answers_right_percent(const Answers *answers, size_t moment, size_t class);

#endif
