/* estimate.c - how many runs of plans a store lacks, and how long they will take here.
 *
 * A run takes as long as the runs of its configuration that the store has, with other seeds. If it
 * has none, the configuration is tried on a few samples of every task, and the time of those is
 * scaled to all samples that it learns and scores. */
#include "plan/runner.h"

#include "base/array.h"
#include "lab/results.h"
#include "lab/task_split.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIED_SAMPLES = 40, TRIED_TEST_SAMPLES = 8 };

typedef struct Digest {
    char hex[SHA256_HEX_SIZE];
} Digest;

typedef struct tacos_estimate {
    tacos_plan_options options;
    TaskSplits *splits;
    Store *store; /* NULL: there is none yet */
    size_t n_seen, room;
    Digest *seen; /* [n_seen] configurations of plans so far */
} Estimate;

tacos_status tacos_estimate_new(Estimate **out, const tacos_plan_options *options,
                                tacos_error *err) {
    Estimate *estimate = calloc(1, sizeof *estimate);
    *out = NULL;
    if (!estimate)
        return failure(err, TACOS_MEMORY, "no memory for an estimate");
    estimate->options = *options;
    tacos_status status = task_splits_new(&estimate->splits, options->data_dir, err);
    if (status == TACOS_OK && access(options->store, F_OK) == 0)
        status = store_open_to_read(&estimate->store, options->store, err);
    if (status == TACOS_OK)
        *out = estimate;
    else
        tacos_estimate_free(estimate);
    return status;
}

void tacos_estimate_free(Estimate *estimate) {
    if (!estimate)
        return;
    if (estimate->store)
        store_close(estimate->store);
    task_splits_free(estimate->splits);
    free(estimate->seen);
    free(estimate);
}

/* ---- one configuration ---- */

/* Has it been counted? Now it has. */
static tacos_status see(Estimate *estimate, const Experiment *experiment, bool *seen,
                        tacos_error *err) {
    Digest digest;
    experiment_digest(experiment, digest.hex);
    *seen = true;
    for (size_t i = 0; i < estimate->n_seen; i++)
        if (strcmp(estimate->seen[i].hex, digest.hex) == 0)
            return TACOS_OK;
    *seen = false;
    if (!array_grow(&estimate->seen, &estimate->room, estimate->n_seen + 1, sizeof *estimate->seen))
        return failure(err, TACOS_MEMORY, "no memory for an estimate");
    estimate->seen[estimate->n_seen++] = digest;
    return TACOS_OK;
}

/* A run as the store has it: its seconds. */
static tacos_status read_seconds(Store *store, int64_t id, double *train, double *test,
                                 tacos_error *err) {
    tacos_run run = {0};
    TRY(store_read(store, id, &run, err));
    *train = run.train_seconds;
    *test = run.test_seconds;
    run_free(&run);
    return TACOS_OK;
}

/* Run it, in memory. */
static tacos_status try_run(Estimate *estimate, const Plan *plan, const Experiment *experiment,
                            double *train, double *test, tacos_error *err) {
    tacos_plan_outcome outcome;
    Store *store;
    int64_t id = 0;
    tacos_plan_options options = estimate->options;
    options.n_jobs = 1;
    options.cluster = NULL;
    TRY(store_open(&store, ":memory:", err));
    tacos_status status = runner_run(plan, store, estimate->splits, &options, NULL, &outcome, err);
    if (status == TACOS_OK)
        status = store_find(store, experiment, plan->seeds[0], &id, err);
    if (status == TACOS_OK && id > 0)
        status = read_seconds(store, id, train, test, err);
    store_close(store);
    return status;
}

static size_t at_most(size_t n, size_t limit) {
    return n == 0 || n > limit ? limit : n;
}

/* The time of few samples, scaled to all. A configuration that fails takes no time. */
static tacos_status try_few(Estimate *estimate, const Experiment *experiment, uint32_t seed,
                            double *seconds, tacos_error *err) {
    Experiment few = *experiment;
    ExperimentParams *params = &few.params;
    const TaskSplit *whole, *part;
    uint64_t learned, scored, few_learned, few_scored;
    double train = 0, test = 0;
    Plan *plan;
    params->samples_per_task = at_most(params->samples_per_task, TRIED_SAMPLES);
    params->test_samples_per_task = at_most(params->test_samples_per_task, TRIED_TEST_SAMPLES);
    few.rival.iterations = few.rival.iterations > 0 ? TRIED_SAMPLES / 4 : 0;
    TRY(task_splits_get(estimate->splits, &experiment->params, &whole, err));
    TRY(task_splits_get(estimate->splits, params, &part, err));
    task_split_count(whole, experiment, &learned, &scored);
    task_split_count(part, &few, &few_learned, &few_scored);
    TRY(plan_of(&plan, &few, &seed, 1, err));
    tacos_status status = try_run(estimate, plan, &few, &train, &test, err);
    tacos_plan_free(plan);
    *seconds =
        train * (double)learned / (double)few_learned + test * (double)scored / (double)few_scored;
    return status;
}

/* The seeds of a configuration that the store lacks, and the mean time of those that it has. */
static tacos_status look_up(const Estimate *estimate, const Plan *plan,
                            const Experiment *experiment, size_t *n_missing, double *seconds,
                            tacos_error *err) {
    double sum = 0, train = 0, test = 0;
    *n_missing = plan->n_seeds;
    for (size_t k = 0; estimate->store && k < plan->n_seeds; k++) {
        int64_t id = 0;
        TRY(store_find(estimate->store, experiment, plan->seeds[k], &id, err));
        if (id == 0)
            continue;
        TRY(read_seconds(estimate->store, id, &train, &test, err));
        sum += train + test;
        --*n_missing;
    }
    size_t n_there = plan->n_seeds - *n_missing;
    *seconds = n_there > 0 ? sum / (double)n_there : 0;
    return TACOS_OK;
}

static tacos_status add_config(Estimate *estimate, const Plan *plan, const Experiment *experiment,
                               tacos_estimate_info *info, tacos_error *err) {
    bool seen;
    size_t n_missing;
    double seconds;
    TRY(see(estimate, experiment, &seen, err));
    if (seen)
        return TACOS_OK;
    TRY(look_up(estimate, plan, experiment, &n_missing, &seconds, err));
    info->n_there += plan->n_seeds - n_missing;
    info->n_missing += n_missing;
    if (n_missing == plan->n_seeds)
        TRY(try_few(estimate, experiment, plan->seeds[0], &seconds, err));
    info->seconds += seconds * (double)n_missing;
    return TACOS_OK;
}

tacos_status tacos_estimate_add(Estimate *estimate, const Plan *plan, tacos_estimate_info *out,
                                tacos_error *err) {
    Plan run = *plan;
    run.is_run = true;
    run.data_dir = estimate->options.data_dir;
    *out = (tacos_estimate_info){0};
    for (size_t i = 0; i < plan->n_configs; i++) {
        Experiment experiment;
        TRY(plan_config(&run, i, &experiment, err));
        TRY(add_config(estimate, &run, &experiment, out, err));
    }
    return TACOS_OK;
}
