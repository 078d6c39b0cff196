/* runner.h - a plan, run: what the store lacks is made, on all cores and by all helpers, and
 * stored.
 */
#ifndef PLAN_RUNNER_H
#define PLAN_RUNNER_H

#include "plan/plan.h"
#include "base/output.h"
#include "lab/stage.h"
#include "store/store.h"

/* Threads that this process may use: what the system lets it run on, unless the user says. */
size_t runner_jobs(unsigned wanted);

/* See tacos_plan_run; options->store is not looked at. What each run learned goes into
 * model_folder (model_path) before the run counts as complete; NULL: nowhere. */
tacos_status runner_run(const Plan *plan, Store *store, Stages *stages,
                        const tacos_plan_options *options, const char *model_folder,
                        tacos_plan_outcome *out, tacos_error *err);

/* The file of a seed's learner in a folder of one configuration. */
void model_path(const char *folder, uint32_t seed, char path[OUTPUT_PATH_MAX]);

#endif
