/* run.h - one experiment with its seeds and its folder; and a plan with its store. */
#ifndef PLAN_RUN_H
#define PLAN_RUN_H

#include "plan/plan.h"
#include "lab/results.h"
#include "tacos_lab.h"

/* See tacos_experiment_run and tacos_plan_run. */

#endif
