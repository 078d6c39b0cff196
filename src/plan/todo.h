/* todo.h - the runs of a plan that the store lacks, in one stage of halving. */
#ifndef PLAN_TODO_H
#define PLAN_TODO_H

#include "plan/halving.h"
#include "lab/task_split.h"
#include "store/store.h"

typedef struct Todo {
    size_t config; /* index in the plan */
    uint32_t seed;
    int64_t row;        /* in the store */
    uint64_t n_samples; /* to learn and score */
    double cost;        /* relative to other runs */
    bool complete;      /* the store has it: not in a finished list */
} Todo;

typedef struct TodoList {
    size_t n;
    Todo *todos;        /* [n], the longest first */
    uint64_t n_samples; /* of all */
    size_t n_there;     /* runs that the store already has, or that another configuration makes */
    size_t n_elsewhere; /* runs of other parts: tacos_plan_set_part */
    size_t n_failed;    /* runs of configurations that cannot run: recorded in the store */
    tacos_error first_failure;
    char missing_dataset[64]; /* needed by a configuration; "" for none */
} TodoList;

typedef struct TodoScope {
    const Plan *plan;
    size_t stage;          /* of halving */
    const size_t *configs; /* [n_configs] of the plan */
    size_t n_configs;
    Store *store;
    TaskSplits *splits;
    Standing *standings; /* [plan->n_configs]; runs in the store are added */
} TodoScope;

/* All runs of the plan get a row in the store, also those of other parts. If no configuration can
 * run, this is an error and the store is left unchanged. */
tacos_status todo_list(TodoList *out, const TodoScope *scope, tacos_error *err);
void todo_free(TodoList *list);

#endif
