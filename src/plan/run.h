/* run.h - one experiment with its seeds and its folder; and a plan with its store. */
#ifndef PLAN_RUN_H
#define PLAN_RUN_H

#include "plan/plan.h"
#include "lab/results.h"
#include "tacos_lab.h"

/* See tacos_experiment_run and tacos_plan_run. */
tacos_status run_experiment(const Experiment *experiment, const tacos_run_options *options,
                            Results **out, tacos_error *err);
tacos_status run_plan(const Plan *plan, const tacos_plan_options *options, tacos_plan_outcome *out,
                      tacos_error *err);

#endif
