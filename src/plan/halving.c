/* halving.c - selects the configurations that continue. */
#include "plan/halving.h"

#include <stdlib.h>

/* The default rungs: 2, 4, 8 ... below the first configuration's number of tasks. The first task
 * alone says nothing about forgetting. */
static Counts rungs_of(const Plan *plan) {
    Counts rungs = plan->params.rungs;
    Experiment first;
    Tasks tasks;
    if (rungs.n > 0 || plan_config(plan, 0, &first, NULL) != TACOS_OK ||
        experiment_tasks(&first, &tasks, NULL) != TACOS_OK)
        return rungs;
    for (size_t k = 2; k < tasks.n && rungs.n < KEY_LIST_MAX; k *= 2)
        rungs.value[rungs.n++] = k;
    return rungs;
}

size_t halving_stages(const Plan *plan) {
    return plan->params.halving > 1 ? rungs_of(plan).n + 1 : 1;
}

size_t halving_survivors(const Plan *plan, size_t s) {
    size_t n = plan->n_configs, every = plan->params.halving;
    for (; s > 0; s--)
        n = (n + every - 1) / every;
    return n;
}

void halving_cut(const Plan *plan, size_t s, Experiment *experiment) {
    if (s + 1 == halving_stages(plan))
        return;
    tasks_cut(experiment->params.tasks, rungs_of(plan).value[s]);
}

typedef struct Place {
    size_t config;
    double mean; /* negative: no run */
} Place;

static int by_mean(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean < y->mean ? 1 : -1;
    return x->config < y->config ? -1 : x->config > y->config;
}

static int by_config(const void *a, const void *b) {
    const Place *x = a, *y = b;
    return x->config < y->config ? -1 : x->config > y->config;
}

tacos_status halving_select(size_t *configs, size_t n, size_t keep, const Standing *standings,
                            tacos_error *err) {
    Place *places = calloc(n, sizeof *places);
    if (!places)
        return failure(err, TACOS_MEMORY, "no memory to rank %zu configurations", n);
    for (size_t i = 0; i < n; i++) {
        const Standing *standing = &standings[configs[i]];
        places[i] = (Place){configs[i], standing->n ? standing->sum / (double)standing->n : -1};
    }
    qsort(places, n, sizeof *places, by_mean);
    qsort(places, keep, sizeof *places, by_config);
    for (size_t i = 0; i < n; i++)
        configs[i] = places[i].config;
    free(places);
    return TACOS_OK;
}

tacos_plan_info tacos_plan_info_get(const tacos_plan *plan) {
    tacos_plan_info info = {plan->name, plan->n_configs, plan->n_seeds, halving_stages(plan), 0};
    for (size_t s = 0; s < info.n_stages; s++)
        info.n_runs += (uint64_t)halving_survivors(plan, s) * plan->n_seeds;
    return info;
}
