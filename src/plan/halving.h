/* halving.h - successive halving: all configurations run the first tasks, the best of them more.
 *
 * A rung is a run of the first k tasks, which is the beginning of the whole run to the last bit. It
 * stands in the store like any other, so that a sweep can be stopped anywhere, and the choice
 * depends on results alone, never on who finished first. */
#ifndef PLAN_HALVING_H
#define PLAN_HALVING_H

#include "plan/plan.h"

/* Stages of a plan: the rungs and the whole; 1 without halving. */
size_t halving_stages(const Plan *plan);

/* Configurations that reach stage s. */
size_t halving_survivors(const Plan *plan, size_t s);

/* Cut a configuration to the tasks of stage s. */
void halving_cut(const Plan *plan, size_t s, Experiment *experiment);

/* How a configuration did in a stage: the sum of MA over n runs. */
typedef struct Standing {
    double sum;
    size_t n;
} Standing;

/* Of n configurations put the `keep` best first, in the plan's order. standings[c] is that of
 * configuration c; those with no run are the worst. */
tacos_status halving_select(size_t *configs, size_t n, size_t keep, const Standing *standings,
                            tacos_error *err);

#endif
