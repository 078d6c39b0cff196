/* todo.h - the runs of a plan, in a stage of halving, that the store lacks. */
#ifndef PLAN_TODO_H
#define PLAN_TODO_H

#include "plan/halving.h"
#include "lab/task_split.h"
#include "store/store.h"

typedef struct Todo {
    size_t config; /* of the plan */
    uint32_t seed;
    int64_t row; /* in the store */
    double cost; /* relative to others */
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

/* Which runs. */
typedef struct TodoScope {
    const Plan *plan;
    size_t stage;          /* of halving */
    const size_t *configs; /* [n_configs] of the plan */
    size_t n_configs;
    Store *store;
    TaskSplits *splits;
    Standing *standings; /* [plan->n_configs]; runs that the store has are added */
} TodoScope;

/* If no configuration can run at all, that is an error, and nothing is noted in the store. */
tacos_status todo_list(TodoList *out, const TodoScope *scope, tacos_error *err);
void todo_free(TodoList *list);

#endif
