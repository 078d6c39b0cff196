/* plan_run.c - the same for sweeps and for reproductions. */
#include "commands/plan_run.h"

#include "cli.h"
#include "cluster.h"
#include "terminal/progress.h"

#include <stdio.h>

tacos_status plan_run(const tacos_plan *plan, PlanRun *run, int *code) {
    Progress progress;
    tacos_error err = {0};
    tacos_plan_options options = {
        .data_dir = run->data,
        .store = run->store,
        .n_jobs = (unsigned)run->jobs,
        .cluster = cluster_get(),
        .progress = progress_show,
        .user = &progress,
    };
    progress_begin(&progress, run->quiet);
    tacos_status status = tacos_plan_run(plan, &options, &run->outcome, &err);
    progress_end(&progress);
    *code = status == TACOS_OK && run->outcome.n_failed == 0 ? EXIT_OK : EXIT_FAILED;
    if (status != TACOS_OK && status != TACOS_INTERRUPTED) {
        *code = cli_fail(&err);
        cli_hint_missing(&err, run->data);
        return status;
    }
    if (run->outcome.n_failed > 0)
        cli_error("%zu run%s failed; the first: %s", run->outcome.n_failed,
                  run->outcome.n_failed == 1 ? "" : "s", run->outcome.first_failure);
    if (status == TACOS_INTERRUPTED)
        cli_error("interrupted; the same command goes on from %s", run->store);
    return status;
}
