/* halving.h - successive halving: all configurations run the first tasks, the best of them more.
 *
 * A rung is a run of the first k tasks, bit for bit the beginning of the whole run. It is stored
 * like any other, so a sweep can be stopped at any point, and the selection depends on results
 * alone, never on which run finished first. */
#ifndef PLAN_HALVING_H
#define PLAN_HALVING_H

#include "plan/plan.h"

/* Stages of a plan: the rungs and the whole; 1 without halving. */
size_t halving_stages(const Plan *plan);

/* The number of configurations that reach stage s. */
size_t halving_survivors(const Plan *plan, size_t s);

/* Limit a configuration to the tasks of stage s. */
void halving_cut(const Plan *plan, size_t s, Experiment *experiment);

/* A configuration's score in a stage: the sum of MA over n runs. */
typedef struct Standing {
    double sum;
    size_t n;
} Standing;

/* Move the `keep` best of n configurations to the front, in the plan's order. standings[c] belongs
 * to configuration c; those without a run rank last. */
tacos_status halving_select(size_t *configs, size_t n, size_t keep, const Standing *standings,
                            tacos_error *err);

#endif
