/* numbers.h - every number that the paper prints for a configuration: of those of its tables
 * whose plan has this very one. */
#ifndef PAPER_NUMBERS_H
#define PAPER_NUMBERS_H

#include "lab/experiment.h"
#include "tacos_lab.h"

/* At most `max` into out[max]; *n is how many there are. See tacos_experiment_paper_numbers. */
tacos_status paper_numbers(const Experiment *experiment, tacos_paper_number *out, size_t max,
                           size_t *n, tacos_error *err);

/* The same configuration, whatever is measured? */
bool paper_same_config(const Experiment *a, const Experiment *b);

/* See tacos_experiment_paper. */
tacos_paper_row paper_row(const Experiment *experiment);

#endif
