/* stage.c - data sets and their cuts into tasks, kept as long as a plan runs. */
#include "lab/stage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct StageNode {
    Stage stage;
    struct StageNode *next;
} StageNode;

struct Stages {
    char *data_dir; /* NULL: the default */
    pthread_mutex_t lock;
    Dataset own[N_DATASETS];
    const Dataset *data[N_DATASETS]; /* NULL: not read yet */
    StageNode *first;
};

/* ---- one stage ---- */

static void stage_close(Stage *stage) {
    for (size_t t = 0; t < stage->tasks.n; t++)
        task_samples_free(&stage->test[t]);
}

/* The scored samples of a task, and how many there are to learn. */
static tacos_status open_task(Stage *stage, size_t t, tacos_error *err) {
    const ExperimentParams *own = &stage->own;
    TaskPart scored = {.fraction = own->validation, .held_out = own->validation > 0};
    TaskSamples train;
    TRY(task_samples(&train, &stage->data->train, &stage->tasks, t, stage_learned(stage),
                     own->samples_per_task, err));
    stage->n_train[t] = train.n;
    task_samples_free(&train);
    return task_samples(&stage->test[t], stage->scored, &stage->tasks, t, scored,
                        own->test_samples_per_task, err);
}

static tacos_status stage_open(Stage *stage, const ExperimentParams *own, const Dataset *data,
                               tacos_error *err) {
    *stage = (Stage){.own = *own, .data = data};
    stage->scored = own->validation > 0 ? &data->train : &data->test;
    TRY(tasks_parse(&stage->tasks, own->tasks, err));
    TRY(tasks_settle(&stage->tasks, data->n_classes, err));
    tacos_status status = TACOS_OK;
    for (size_t t = 0; t < stage->tasks.n && status == TACOS_OK; t++)
        status = open_task(stage, t, err);
    if (status != TACOS_OK)
        stage_close(stage);
    return status;
}

static void count_samples(const Stage *stage, uint64_t *learned, uint64_t *scored) {
    *learned = *scored = 0;
    for (size_t t = 0; t < stage->tasks.n; t++) {
        *learned += stage->n_train[t];
        *scored += stage->test[t].n;
    }
    *scored *= stage->tasks.n + 1;
}

uint64_t stage_samples(const Stage *stage) {
    uint64_t learned, scored;
    count_samples(stage, &learned, &scored);
    return learned + scored;
}

double stage_cost(const Stage *stage, const Params *params) {
    enum { LEARNING_WEIGHS = 8 }; /* as many predictions, by `tacos bench` */
    uint64_t learned, scored;
    double synapses = 0, n_pre = (double)params->n_inputs;
    for (size_t l = 0; l < params->hidden.n; l++) {
        synapses += n_pre * (double)params->hidden.value[l];
        n_pre = (double)params->hidden.value[l];
    }
    synapses += n_pre * (double)params->n_outputs;
    count_samples(stage, &learned, &scored);
    return ((double)learned * LEARNING_WEIGHS + (double)scored) * (double)params->n_steps *
           synapses;
}

tacos_status stage_params(const Stage *stage, const Params *learner, Params *out,
                          tacos_error *err) {
    *out = *learner;
    out->n_inputs = stage->data->train.height * stage->data->train.width;
    out->n_outputs = stage->tasks.n_outputs;
    return params_check(out, err);
}

/* ---- all of them ---- */

tacos_status stages_new(Stages **out, const char *data_dir, tacos_error *err) {
    Stages *stages = calloc(1, sizeof *stages);
    char *copy = data_dir ? strdup(data_dir) : NULL;
    if (!stages || (data_dir && !copy)) {
        free(stages);
        free(copy);
        return failure(err, TACOS_MEMORY, "no memory for the data of a plan");
    }
    stages->data_dir = copy;
    pthread_mutex_init(&stages->lock, NULL);
    *out = stages;
    return TACOS_OK;
}

void stages_free(Stages *stages) {
    if (!stages)
        return;
    for (StageNode *next, *node = stages->first; node; node = next) {
        next = node->next;
        stage_close(&node->stage);
        free(node);
    }
    for (size_t d = 0; d < N_DATASETS; d++)
        dataset_free(&stages->own[d]);
    pthread_mutex_destroy(&stages->lock);
    free(stages->data_dir);
    free(stages);
}

static tacos_status load(Stages *stages, int dataset, tacos_error *err) {
    if (stages->data[dataset])
        return TACOS_OK;
    TRY(dataset_load(&stages->own[dataset], dataset_names[dataset], stages->data_dir, err));
    stages->data[dataset] = &stages->own[dataset];
    return TACOS_OK;
}

tacos_status stages_data(Stages *stages, int dataset, const Dataset **out, tacos_error *err) {
    pthread_mutex_lock(&stages->lock);
    tacos_status status = load(stages, dataset, err);
    *out = stages->data[dataset];
    pthread_mutex_unlock(&stages->lock);
    return status;
}

void stages_lend(Stages *stages, int dataset, const Dataset *data) {
    pthread_mutex_lock(&stages->lock);
    stages->data[dataset] = data;
    pthread_mutex_unlock(&stages->lock);
}

static bool same(const ExperimentParams *a, const ExperimentParams *b) {
    return a->dataset == b->dataset && a->samples_per_task == b->samples_per_task &&
           a->test_samples_per_task == b->test_samples_per_task && a->validation == b->validation &&
           strcmp(a->tasks, b->tasks) == 0;
}

static tacos_status find_or_open(Stages *stages, const ExperimentParams *own, const Stage **out,
                                 tacos_error *err) {
    for (StageNode *node = stages->first; node; node = node->next)
        if (same(&node->stage.own, own)) {
            *out = &node->stage;
            return TACOS_OK;
        }
    TRY(load(stages, own->dataset, err));
    StageNode *node = calloc(1, sizeof *node);
    if (!node)
        return failure(err, TACOS_MEMORY, "no memory for a stream of tasks");
    tacos_status status = stage_open(&node->stage, own, stages->data[own->dataset], err);
    if (status != TACOS_OK) {
        free(node);
        return status;
    }
    node->next = stages->first;
    stages->first = node;
    *out = &node->stage;
    return TACOS_OK;
}

tacos_status stages_get(Stages *stages, const ExperimentParams *own, const Stage **out,
                        tacos_error *err) {
    pthread_mutex_lock(&stages->lock);
    tacos_status status = find_or_open(stages, own, out, err);
    pthread_mutex_unlock(&stages->lock);
    return status;
}
