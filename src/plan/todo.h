/* todo.h - the runs of a stage of a plan that the store does not have. */
#ifndef PLAN_TODO_H
#define PLAN_TODO_H

#include "plan/halving.h"
#include "lab/task_split.h"
#include "store/store.h"

typedef struct Todo {
    size_t config; /* of the plan */
    uint32_t seed;
    int64_t row; /* in the store */
    double cost; /* compared with others */
} Todo;

typedef struct TodoList {
    size_t n;
    Todo *todos;        /* [n], the longest first */
    uint64_t n_samples; /* that they learn and score */
    size_t n_there;     /* runs that the store has */
    size_t n_failed;    /* runs of configurations that cannot run: noted in the store */
    tacos_error first_failure;
    char missing_dataset[64]; /* that a configuration needs; "" for none */
} TodoList;

/* What is to be done of stage s for these configurations of the plan. Runs that are there count in
 * standings[config]. If no configuration can run at all, that is an error, and nothing is noted. */
tacos_status todo_list(TodoList *out, const Plan *plan, size_t s, const size_t *configs,
                       size_t n_configs, Store *store, TaskSplits *splits, Standing *standings,
                       tacos_error *err);
void todo_free(TodoList *list);

#endif
