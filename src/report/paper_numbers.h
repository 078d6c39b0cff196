/* paper_numbers.h - what the paper printed for a configuration: the rows of its tables whose plan
 * has this very configuration. */
#ifndef REPORT_PAPER_NUMBERS_H
#define REPORT_PAPER_NUMBERS_H

#include "lab/paper.h"

typedef struct PaperNumbers {
    size_t n;
    PaperCell *cells; /* [n], those with a value */
} PaperNumbers;

/* The first weights and feedback, which the paper does not tell, may differ if no configuration has
 * the same; what is measured may always. */
tacos_status paper_numbers_find(PaperNumbers *out, const Experiment *experiment, tacos_error *err);
void paper_numbers_free(PaperNumbers *paper);

/* A metric after a task (0: of the whole run) of a layer or class; NaN where the paper has none. */
double paper_number(const PaperNumbers *paper, const char *metric, size_t after_task, size_t part);
double paper_number_sd(const PaperNumbers *paper, const char *metric, size_t after_task,
                       size_t part);

#endif
