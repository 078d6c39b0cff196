/* cluster.h - others that make runs, as the runner sees them: processes (src/mpi), or a device that
 * computes many networks at once (src/cuda).
 *
 * All calls come from one thread. */
#ifndef PLAN_CLUSTER_H
#define PLAN_CLUSTER_H

#include "plan/workers.h"
#include "tacos_lab.h"

struct tacos_cluster {
    /* Prepare: every member gets the data sets of the splits, in the same version. n_jobs is the
     * number of threads per process that the user asked for, or 0; *own_jobs is that of this
     * process. */
    tacos_status (*begin)(tacos_cluster *cluster, TaskSplits *splits, const char *data_dir,
                          unsigned n_jobs, size_t *own_jobs, tacos_error *err);

    /* Give a run to a member that has fewer than `depth` per thread; false if there is none. */
    bool (*give)(tacos_cluster *cluster, const Assignment *assignment, size_t depth);

    /* Take the outcome of a finished run; false if there is none yet. */
    bool (*take)(tacos_cluster *cluster, Outcome *out);

    /* Runs given and not yet taken back; and samples done, as in workers.h. */
    size_t (*load)(const tacos_cluster *cluster);
    uint64_t (*samples)(const tacos_cluster *cluster);

    /* Stop and drop all runs, and be ready for another begin. */
    void (*end)(tacos_cluster *cluster);

    /* ---- of devices; NULL for processes ---- */

    /* Can it make this run? What it can make is left to it, as it is far faster than the processor;
     * the rest is made by the threads of this process. NULL: it makes any run, and so do they. */
    bool (*takes)(tacos_cluster *cluster, const Assignment *assignment);

    /* Everything that can be given at the moment has been given. */
    void (*given)(tacos_cluster *cluster);

    /* Something to tell the user that has not been told, or NULL. Valid as long as the cluster. */
    const char *(*note)(tacos_cluster *cluster);

    /* The threads of this process that wait for the device, between begin and end. */
    Workers *workers;
};

#endif
