/* task_split.c - data sets and their splits into tasks, cached while a plan runs. */
#include "lab/task_split.h"

#include "data/catalog/catalog.h"
#include "lab/experiment.h"
#include "rivals/rival.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SplitNode {
    TaskSplit split;
    struct SplitNode *next;
} SplitNode;

struct TaskSplits {
    char *data_dir; /* NULL: the default */
    pthread_mutex_t lock;
    size_t n_sets;
    struct {
        char name[DATASET_NAME_SIZE];
        Dataset own;
        const Dataset *data; /* owned or lent; NULL: not read yet */
    } sets[DATASETS_MAX];
    SplitNode *first;
};

/* ---- one task split ---- */

static void task_split_close(TaskSplit *split) {
    for (size_t t = 0; t < split->tasks.n; t++)
        task_samples_free(&split->test[t]);
}

/* The scored samples of a task, and the number to learn. */
static tacos_status open_task(TaskSplit *split, size_t t, tacos_error *err) {
    const ExperimentParams *params = &split->params;
    TaskPart scored = {params->validation, params->validation > 0, params->test_samples_per_task};
    TaskSamples train;
    TRY(task_samples(&train, &split->data->train, &split->tasks, t, task_split_learned(split),
                     err));
    split->n_train[t] = train.n;
    task_samples_free(&train);
    return task_samples(&split->test[t], split->scored, &split->tasks, t, scored, err);
}

/* Assign outputs to classes. */
static tacos_status set_scenario(TaskSplit *split, tacos_error *err) {
    Tasks *tasks = &split->tasks;
    for (size_t t = 0; t < tasks->n && split->params.scenario == SCENARIO_TASK; t++)
        if (tasks->task[t].n_classes == 1)
            return failure(err, TACOS_INVALID,
                           "scenario = task compares the outputs of a task's own classes, but task "
                           "%zu has only one class",
                           t + 1);
    if (split->params.scenario != SCENARIO_DOMAIN)
        tasks_split_head(tasks);
    return TACOS_OK;
}

static tacos_status task_split_open(TaskSplit *split, const ExperimentParams *params,
                                    const Dataset *data, tacos_error *err) {
    *split = (TaskSplit){.params = *params, .data = data};
    split->scored = params->validation > 0 ? &data->train : &data->test;
    TRY(tasks_parse(&split->tasks, params->tasks, err));
    TRY(tasks_settle(&split->tasks, data->n_classes, err));
    TRY(set_scenario(split, err));
    tacos_status status = TACOS_OK;
    for (size_t t = 0; t < split->tasks.n && status == TACOS_OK; t++)
        status = open_task(split, t, err);
    if (status != TACOS_OK)
        task_split_close(split);
    return status;
}

/* The number of samples that a rival learns when the stream has n. */
static uint64_t count_passes(const RivalParams *params, uint64_t n) {
    uint64_t a_pass = (n + params->batch - 1) / params->batch; /* batches */
    if (params->iterations == 0)
        return n * params->epochs;
    return params->iterations / a_pass * n + params->iterations % a_pass * params->batch;
}

void task_split_count(const TaskSplit *split, const Experiment *experiment, uint64_t *learned,
                      uint64_t *scored) {
    bool rival = model_is_rival(experiment->model);
    bool all = rival && rival_info(model_method(experiment->model))->keeps_data;
    uint64_t n = 0;
    *learned = *scored = 0;
    for (size_t t = 0; t < split->tasks.n; t++) {
        n = all ? n + split->n_train[t] : split->n_train[t];
        *learned += rival ? count_passes(&experiment->rival, n) : n;
        *scored += split->test[t].n;
    }
    *scored *= split->tasks.n + 1;
}

Preprocess task_split_preprocess(const TaskSplit *split) {
    return (Preprocess){.height = split->scored->height,
                        .width = split->scored->width,
                        .channels = split->scored->channels,
                        .centre = split->params.centre == CENTRE_MASS,
                        .soften = split->params.soften};
}

uint64_t task_split_samples(const TaskSplit *split, const Experiment *experiment) {
    uint64_t learned, scored;
    task_split_count(split, experiment, &learned, &scored);
    return learned + scored;
}

static double count_synapses(const Params *params) {
    double synapses = 0, n_pre = (double)params->n_inputs;
    for (size_t l = 0; l < params->hidden.n; l++) {
        synapses += n_pre * (double)params->hidden.value[l];
        n_pre = (double)params->hidden.value[l];
    }
    return synapses + n_pre * (double)params->n_outputs;
}

double task_split_cost(const TaskSplit *split, const Experiment *settled) {
    enum { LEARNING_WEIGHS = 8 }; /* learning a sample costs this many predictions: `tacos bench` */
    const Params *params = &settled->learner;
    uint64_t learned, scored;
    task_split_count(split, settled, &learned, &scored);
    double steps = model_is_rival(settled->model) ? 1 : (double)params->n_steps;
    return ((double)learned * LEARNING_WEIGHS + (double)scored) * steps * count_synapses(params);
}

/* Images in a row of their own, or permuted, have no neighbours. */
static Counts task_split_shape(const TaskSplit *split) {
    const Images *images = &split->data->train;
    if (images->height == 1 || split->params.permute != PERMUTE_NONE)
        return (Counts){0};
    return (Counts){.n = images->channels > 1 ? 3 : 2,
                    .value = {images->height, images->width, images->channels}};
}

tacos_status task_split_settle(const TaskSplit *split, const Experiment *experiment,
                               Experiment *out, tacos_error *err) {
    Params *learner = &out->learner;
    *out = *experiment;
    learner->model = model_spiking(experiment->model);
    learner->n_inputs = images_size(&split->data->train);
    learner->n_outputs = split->tasks.n_outputs;
    learner->columns.shape = task_split_shape(split);
    if (!model_is_spiking(experiment->model) && experiment->params.measure != 0)
        return failure(err, TACOS_INVALID, "measure needs a spiking model, and %s is not one",
                       model_name(experiment->model));
    return params_check(learner, err);
}

/* ---- all splits ---- */

tacos_status task_splits_new(TaskSplits **out, const char *data_dir, tacos_error *err) {
    TaskSplits *splits = calloc(1, sizeof *splits);
    char *copy = data_dir ? strdup(data_dir) : NULL;
    if (!splits || (data_dir && !copy)) {
        free(splits);
        free(copy);
        return failure(err, TACOS_MEMORY, "no memory for the data of a plan");
    }
    splits->data_dir = copy;
    pthread_mutex_init(&splits->lock, NULL);
    *out = splits;
    return TACOS_OK;
}

void task_splits_free(TaskSplits *splits) {
    if (!splits)
        return;
    for (SplitNode *next, *node = splits->first; node; node = next) {
        next = node->next;
        task_split_close(&node->split);
        free(node);
    }
    for (size_t d = 0; d < splits->n_sets; d++)
        dataset_free(&splits->sets[d].own);
    pthread_mutex_destroy(&splits->lock);
    free(splits->data_dir);
    free(splits);
}

/* The slot of a set, taken if new. */
static tacos_status find_place(TaskSplits *splits, const char *name, size_t *out,
                               tacos_error *err) {
    for (*out = 0; *out < splits->n_sets; (*out)++)
        if (strcmp(splits->sets[*out].name, name) == 0)
            return TACOS_OK;
    if (splits->n_sets == DATASETS_MAX)
        return failure(err, TACOS_INVALID, "a plan may use at most %d data sets", DATASETS_MAX);
    (void)snprintf(splits->sets[splits->n_sets++].name, DATASET_NAME_SIZE, "%.*s",
                   DATASET_NAME_SIZE - 1, name);
    return TACOS_OK;
}

static tacos_status load(TaskSplits *splits, const char *name, const Dataset **out,
                         tacos_error *err) {
    size_t d = 0;
    TRY(find_place(splits, name, &d, err));
    if (!splits->sets[d].data) {
        TRY(dataset_load(&splits->sets[d].own, name, splits->data_dir, err));
        splits->sets[d].data = &splits->sets[d].own;
    }
    *out = splits->sets[d].data;
    return TACOS_OK;
}

tacos_status task_splits_data(TaskSplits *splits, const char *name, const Dataset **out,
                              tacos_error *err) {
    pthread_mutex_lock(&splits->lock);
    tacos_status status = load(splits, name, out, err);
    pthread_mutex_unlock(&splits->lock);
    return status;
}

const char *task_splits_name(TaskSplits *splits, size_t d) {
    pthread_mutex_lock(&splits->lock);
    const char *name = d < splits->n_sets ? splits->sets[d].name : NULL;
    pthread_mutex_unlock(&splits->lock);
    return name;
}

tacos_status task_splits_lend(TaskSplits *splits, const char *name, const Dataset *data,
                              tacos_error *err) {
    size_t d = 0;
    pthread_mutex_lock(&splits->lock);
    tacos_status status = find_place(splits, name, &d, err);
    if (status == TACOS_OK)
        splits->sets[d].data = data;
    pthread_mutex_unlock(&splits->lock);
    return status;
}

static tacos_status find_or_open(TaskSplits *splits, const ExperimentParams *params,
                                 const TaskSplit **out, tacos_error *err) {
    for (SplitNode *node = splits->first; node; node = node->next)
        if (keys_equal(experiment_table, &node->split.params, params)) {
            *out = &node->split;
            return TACOS_OK;
        }
    const Dataset *data;
    TRY(load(splits, params->dataset, &data, err));
    SplitNode *node = calloc(1, sizeof *node);
    if (!node)
        return failure(err, TACOS_MEMORY, "no memory for a stream of tasks");
    tacos_status status = task_split_open(&node->split, params, data, err);
    if (status != TACOS_OK) {
        free(node);
        return status;
    }
    node->next = splits->first;
    splits->first = node;
    *out = &node->split;
    return TACOS_OK;
}

tacos_status task_splits_get(TaskSplits *splits, const ExperimentParams *params,
                             const TaskSplit **out, tacos_error *err) {
    pthread_mutex_lock(&splits->lock);
    tacos_status status = find_or_open(splits, params, out, err);
    pthread_mutex_unlock(&splits->lock);
    return status;
}
