/* cluster.h - other processes that make runs, as the runner sees them; src/mpi implements it.
 *
 * All calls come from one thread. */
#ifndef PLAN_CLUSTER_H
#define PLAN_CLUSTER_H

#include "plan/workers.h"
#include "tacos_lab.h"

struct tacos_cluster {
    /* Make ready: every member gets the data sets that the splits have, in their version. n_jobs
     * is what the user wants a process to have, or 0; *own_jobs is what it comes to for this one.
     */
    tacos_status (*begin)(tacos_cluster *cluster, TaskSplits *splits, const char *data_dir,
                          unsigned n_jobs, size_t *own_jobs, tacos_error *err);

    /* Give a run to a member that has less than depth a thread; false if there is none. */
    bool (*give)(tacos_cluster *cluster, const Assignment *assignment, size_t depth);

    /* Take the outcome of a run that ended; false if there is none yet. */
    bool (*take)(tacos_cluster *cluster, Outcome *out);

    /* Given, and not taken back yet; and samples done, as in workers.h. */
    size_t (*load)(const tacos_cluster *cluster);
    uint64_t (*samples)(const tacos_cluster *cluster);

    /* Stop all runs, drop them, and be ready for another begin. */
    void (*end)(tacos_cluster *cluster);
};

#endif
