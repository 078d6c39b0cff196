/* runner.h - run a plan: make the runs that the store lacks, on all cores and by all members of a
 * cluster, and store them. */
#ifndef PLAN_RUNNER_H
#define PLAN_RUNNER_H

#include "plan/plan.h"
#include "lab/task_split.h"
#include "store/store.h"
#include "tacos_lab.h"

/* Threads that this process may use: what the system lets it run on, unless the user says. */
size_t runner_jobs(unsigned wanted);

/* Is this number allowed? */
tacos_status runner_check_jobs(unsigned wanted, tacos_error *err);

/* See tacos_plan_run; options->store is ignored. A plan of one configuration may have a
 * folder (run_folder.h; NULL: none): what each run learned goes there before the run counts as
 * complete, and a checkpoint every so many samples of the runs that this process makes. */
typedef struct RunnerFolder {
    const char *path;
    uint64_t checkpoint_every; /* 0: none */
} RunnerFolder;

tacos_status runner_run(const Plan *plan, Store *store, TaskSplits *splits,
                        const tacos_plan_options *options, const RunnerFolder *folder,
                        tacos_plan_outcome *out, tacos_error *err);

#endif
