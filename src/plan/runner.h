/* runner.h - runs a plan: makes the runs that the store lacks, on all cores and on all members of a
 * cluster, and stores them. */
#ifndef PLAN_RUNNER_H
#define PLAN_RUNNER_H

#include "plan/live.h"
#include "plan/plan.h"
#include "lab/task_split.h"
#include "store/store.h"
#include "tacos_lab.h"

/* The number of threads: the CPUs that this process may use, unless the user set it. */
size_t runner_jobs(unsigned wanted);

tacos_status runner_check_jobs(unsigned wanted, tacos_error *err);

/* See tacos_plan_run; options->store is ignored. A plan of one configuration may have a folder
 * (run_folder.h; NULL: none): it gets each run's model before the run counts as complete, and a
 * checkpoint every checkpoint_every samples of the runs that this process makes. */
typedef struct RunnerFolder {
    const char *path;
    uint64_t checkpoint_every; /* samples; 0: none */
    Live *live;                /* or NULL */
} RunnerFolder;

tacos_status runner_run(const Plan *plan, Store *store, TaskSplits *splits,
                        const tacos_plan_options *options, const RunnerFolder *folder,
                        tacos_plan_outcome *out, tacos_error *err);

#endif
