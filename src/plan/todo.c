/* todo.c - looks up each run of a plan in the store, in the plan's order. */
#include "plan/todo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Lister {
    TodoList *out;
    const TodoScope *scope;
    size_t n_bad; /* configurations */
    tacos_error first;
} Lister;

/* Is the configuration wrong, or does the machine lack something? */
static bool is_of_config(tacos_status status) {
    return status == TACOS_INVALID || status == TACOS_RANGE || status == TACOS_UNKNOWN;
}

/* Common to the runs of a configuration. */
typedef struct Shared {
    Experiment experiment;
    const Dataset *data;
    uint64_t n_samples;
    double cost;
} Shared;

static tacos_status examine(Lister *lister, Shared *shared, tacos_error *err) {
    const TaskSplit *split;
    Experiment settled;
    TRY(task_splits_get(lister->scope->splits, &shared->experiment.params, &split, err));
    TRY(task_split_settle(split, &shared->experiment, &settled, err));
    shared->n_samples = task_split_samples(split, &settled);
    shared->cost = task_split_cost(split, &settled);
    return TACOS_OK;
}

static tacos_status want(Lister *lister, const Shared *shared, uint32_t seed, int64_t *row,
                         bool *complete, tacos_error *err) {
    const Dataset *data = shared->data;
    StoreData known = {experiment_dataset(&shared->experiment), data->train.n, data->test.n,
                       data->checksum};
    return store_want(lister->scope->store, &shared->experiment, &known, seed, row, complete, err);
}

static tacos_status note_bad(Lister *lister, const Shared *shared, const tacos_error *why,
                             tacos_error *err) {
    if (lister->n_bad++ == 0) {
        lister->first = *why;
        lister->out->first_failure = *why;
    }
    for (size_t k = 0; k < lister->scope->plan->n_seeds; k++) {
        int64_t row = 0;
        bool complete = false;
        TRY(want(lister, shared, lister->scope->plan->seeds[k], &row, &complete, err));
        TRY(store_fail(lister->scope->store, row, why, "", err));
        lister->out->n_failed++;
    }
    return TACOS_OK;
}

static tacos_status list_run(Lister *lister, const Shared *shared, size_t config, uint32_t seed,
                             tacos_error *err) {
    TodoList *out = lister->out;
    bool complete = false;
    int64_t row = 0;
    TRY(want(lister, shared, seed, &row, &complete, err));
    if (complete) {
        double ma = 0;
        TRY(store_final_ma(lister->scope->store, row, &ma, err));
        lister->scope->standings[config].sum += ma;
        lister->scope->standings[config].n++;
    }
    out->todos[out->n++] = (Todo){config, seed, row, shared->n_samples, shared->cost, complete};
    return TACOS_OK;
}

static tacos_status list_config(Lister *lister, size_t config, tacos_error *err) {
    Shared shared = {0};
    tacos_error why = {0};
    TRY(plan_config(lister->scope->plan, config, &shared.experiment, err));
    halving_cut(lister->scope->plan, lister->scope->stage, &shared.experiment);
    const char *dataset = shared.experiment.params.dataset;
    tacos_status status = task_splits_data(lister->scope->splits, dataset, &shared.data, err);
    if (status == TACOS_MISSING)
        (void)snprintf(lister->out->missing_dataset, sizeof lister->out->missing_dataset, "%.63s",
                       dataset);
    TRY(status);
    status = examine(lister, &shared, &why);
    if (is_of_config(status))
        return note_bad(lister, &shared, &why, err);
    if (status != TACOS_OK)
        return failure(err, status, "%s", why.text);
    for (size_t k = 0; k < lister->scope->plan->n_seeds; k++)
        TRY(list_run(lister, &shared, config, lister->scope->plan->seeds[k], err));
    return TACOS_OK;
}

static tacos_status list_all(Lister *lister, tacos_error *err) {
    const TodoScope *scope = lister->scope;
    TRY(store_begin(scope->store, err));
    for (size_t i = 0; i < scope->n_configs; i++)
        TRY(list_config(lister, scope->configs[i], err));
    if (lister->n_bad == scope->n_configs)
        return failure(err, lister->first.status, "%s", lister->first.text);
    return store_commit(scope->store, err);
}

static int by_place(const Todo *x, const Todo *y) {
    if (x->config != y->config)
        return x->config < y->config ? -1 : 1;
    return x->seed < y->seed ? -1 : x->seed > y->seed;
}

static int by_row(const void *a, const void *b) {
    const Todo *x = a, *y = b;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : by_place(x, y);
}

/* The longest first, so that no long run starts when everything else is done. */
static int by_cost(const void *a, const void *b) {
    const Todo *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? 1 : -1) : by_place(x, y);
}

/* Configurations that are the same share their runs. */
static void drop_repeated(TodoList *list) {
    size_t n = 0;
    qsort(list->todos, list->n, sizeof *list->todos, by_row);
    for (size_t i = 0; i < list->n; i++)
        if (n == 0 || list->todos[n - 1].row != list->todos[i].row)
            list->todos[n++] = list->todos[i];
    list->n_there += list->n - n;
    list->n = n;
}

/* Deal all runs in turns, whether the store has them or not: so every run belongs to one part,
 * whatever each part's store holds. */
static void keep_part(TodoList *list, const Plan *plan) {
    size_t n = 0;
    qsort(list->todos, list->n, sizeof *list->todos, by_cost);
    for (size_t i = 0; i < list->n; i++) {
        const Todo *todo = &list->todos[i];
        if (plan->n_parts > 0 && i % plan->n_parts != plan->part) {
            list->n_elsewhere++;
        } else if (todo->complete) {
            list->n_there++;
        } else {
            list->n_samples += todo->n_samples;
            list->todos[n++] = *todo;
        }
    }
    list->n = n;
}

tacos_status todo_list(TodoList *out, const TodoScope *scope, tacos_error *err) {
    Lister lister = {.out = out, .scope = scope};
    size_t n_runs = scope->n_configs * scope->plan->n_seeds;
    *out = (TodoList){0};
    out->todos = calloc(n_runs, sizeof *out->todos);
    if (!out->todos)
        return failure(err, TACOS_MEMORY, "no memory for a plan of %zu runs", n_runs);
    tacos_status status = list_all(&lister, err);
    if (status != TACOS_OK) {
        store_abandon(scope->store);
        todo_free(out);
        return status;
    }
    drop_repeated(out);
    keep_part(out, scope->plan);
    return TACOS_OK;
}

void todo_free(TodoList *list) {
    free(list->todos);
    list->todos = NULL;
    list->n = 0;
}
