/* distribute.h - hands out the runs of a stage: to the threads of this process, and to a cluster.
 */
#ifndef PLAN_DISTRIBUTE_H
#define PLAN_DISTRIBUTE_H

#include "plan/cluster.h"
#include "plan/plan.h"
#include "plan/todo.h"
#include "plan/waiting.h"

typedef struct Distribution {
    const Plan *plan;
    size_t stage;           /* of halving */
    const TodoList *list;   /* the tag of an assignment is a run's index in it */
    bool keep_models;       /* what was learned is returned */
    tacos_cluster *cluster; /* or NULL */
    Workers *workers;
    size_t n_jobs; /* of this process */
    Waiting waiting;
    size_t n_ended;     /* runs ... */
    double run_seconds; /* ... and the sum of their times */
} Distribution;

/* Before the first are given: who may make which. */
tacos_status distribute_divide(Distribution *self, tacos_error *err);

/* Give as many as can be given now. */
tacos_status distribute_give(Distribution *self, tacos_error *err);

/* The cluster has given a run back. */
tacos_status distribute_again(Distribution *self, size_t index, tacos_status why, tacos_error *err);

/* Runs given and not yet taken; and samples done, by all. */
size_t distribute_in_flight(const Distribution *self);
uint64_t distribute_samples(const Distribution *self);

#endif
