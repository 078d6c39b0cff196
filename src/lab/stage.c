/* stage.c - data sets and their cuts into tasks, kept as long as a plan runs. */
#include "lab/stage.h"

#include "data/catalog/catalog.h"
#include "lab/model.h"
#include "rivals/rival.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct StageNode {
    Stage stage;
    struct StageNode *next;
} StageNode;

struct Stages {
    char *data_dir; /* NULL: the default */
    pthread_mutex_t lock;
    size_t n_sets;
    struct {
        char name[DATASET_NAME_SIZE];
        Dataset own;
        const Dataset *data; /* own, or what was lent; NULL: not read yet */
    } sets[DATASETS_MAX];
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

/* Give the outputs to the classes. */
static tacos_status set_scenario(Stage *stage, tacos_error *err) {
    Tasks *tasks = &stage->tasks;
    for (size_t t = 0; t < tasks->n && stage->own.scenario == SCENARIO_TASK; t++)
        if (tasks->task[t].n_classes == 1)
            return failure(err, TACOS_INVALID,
                           "scenario = task compares the outputs of a task's own classes, but task "
                           "%zu has only one class",
                           t + 1);
    if (stage->own.scenario != SCENARIO_DOMAIN)
        tasks_split_head(tasks);
    return TACOS_OK;
}

static tacos_status stage_open(Stage *stage, const ExperimentParams *own, const Dataset *data,
                               tacos_error *err) {
    *stage = (Stage){.own = *own, .data = data};
    stage->scored = own->validation > 0 ? &data->train : &data->test;
    TRY(tasks_parse(&stage->tasks, own->tasks, err));
    TRY(tasks_settle(&stage->tasks, data->n_classes, err));
    TRY(set_scenario(stage, err));
    tacos_status status = TACOS_OK;
    for (size_t t = 0; t < stage->tasks.n && status == TACOS_OK; t++)
        status = open_task(stage, t, err);
    if (status != TACOS_OK)
        stage_close(stage);
    return status;
}

/* How many samples a rival learns where the stream has n. */
static uint64_t count_passes(const RivalParams *params, uint64_t n) {
    uint64_t a_pass = (n + params->batch - 1) / params->batch; /* batches */
    if (params->iterations == 0)
        return n * params->epochs;
    return params->iterations / a_pass * n + params->iterations % a_pass * params->batch;
}

static void count_samples(const Stage *stage, const Experiment *experiment, uint64_t *learned,
                          uint64_t *scored) {
    bool rival = model_is_rival(experiment->model);
    bool all = rival && rival_info(model_method(experiment->model))->keeps_data;
    uint64_t n = 0;
    *learned = *scored = 0;
    for (size_t t = 0; t < stage->tasks.n; t++) {
        n = all ? n + stage->n_train[t] : stage->n_train[t];
        *learned += rival ? count_passes(&experiment->rival, n) : n;
        *scored += stage->test[t].n;
    }
    *scored *= stage->tasks.n + 1;
}

Preprocess stage_look(const Stage *stage) {
    return (Preprocess){.height = stage->scored->height,
                        .width = stage->scored->width,
                        .centre = stage->own.centre == CENTRE_MASS,
                        .soften = stage->own.soften};
}

uint64_t stage_samples(const Stage *stage, const Experiment *experiment) {
    uint64_t learned, scored;
    count_samples(stage, experiment, &learned, &scored);
    return learned + scored;
}

/* Synapses that a step may use. Of an expansion only those of active units. */
static double count_synapses(const Params *params) {
    double synapses = 0, n_pre = (double)params_first(params);
    if (params->n_expansion > 0)
        n_pre *= params->expansion_active;
    for (size_t l = 0; l < params->hidden.n; l++) {
        synapses += n_pre * (double)params->hidden.value[l];
        n_pre = (double)params->hidden.value[l];
    }
    return synapses + n_pre * (double)params->n_outputs;
}

double stage_cost(const Stage *stage, const Experiment *settled) {
    enum {
        LEARNING_WEIGHS = 8, /* as many predictions, by `tacos bench` */
        BITS = 16,           /* of an expansion, as much as a synapse, by bench/beyond */
    };
    const Params *params = &settled->learner;
    uint64_t learned, scored;
    count_samples(stage, settled, &learned, &scored);
    double steps = model_is_rival(settled->model) ? 1 : (double)params->n_steps;
    double listening = (double)params->n_inputs * (double)params->n_expansion *
                       (double)params->expansion_steps / BITS;
    return ((double)learned * LEARNING_WEIGHS + (double)scored) * steps * count_synapses(params) +
           (double)(learned + scored) * listening;
}

tacos_status stage_settle(const Stage *stage, const Experiment *experiment, Experiment *out,
                          tacos_error *err) {
    Params *learner = &out->learner;
    *out = *experiment;
    learner->model = model_spiking(experiment->model);
    learner->n_inputs = stage->data->train.height * stage->data->train.width;
    learner->n_outputs = stage->tasks.n_outputs;
    if (model_is_rival(experiment->model) && experiment->own.measure != 0)
        return failure(err, TACOS_INVALID, "measure is for spiking models, and %s is none",
                       model_name(experiment->model));
    return params_check(learner, err);
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
    for (size_t d = 0; d < stages->n_sets; d++)
        dataset_free(&stages->sets[d].own);
    pthread_mutex_destroy(&stages->lock);
    free(stages->data_dir);
    free(stages);
}

/* The place of a set, new if need be. */
static tacos_status find_place(Stages *stages, const char *name, size_t *out, tacos_error *err) {
    for (*out = 0; *out < stages->n_sets; (*out)++)
        if (strcmp(stages->sets[*out].name, name) == 0)
            return TACOS_OK;
    if (stages->n_sets == DATASETS_MAX)
        return failure(err, TACOS_INVALID, "a plan may use at most %d data sets", DATASETS_MAX);
    (void)snprintf(stages->sets[stages->n_sets++].name, DATASET_NAME_SIZE, "%.*s",
                   DATASET_NAME_SIZE - 1, name);
    return TACOS_OK;
}

static tacos_status load(Stages *stages, const char *name, const Dataset **out, tacos_error *err) {
    size_t d = 0;
    TRY(find_place(stages, name, &d, err));
    if (!stages->sets[d].data) {
        TRY(dataset_load(&stages->sets[d].own, name, stages->data_dir, err));
        stages->sets[d].data = &stages->sets[d].own;
    }
    *out = stages->sets[d].data;
    return TACOS_OK;
}

tacos_status stages_data(Stages *stages, const char *name, const Dataset **out, tacos_error *err) {
    pthread_mutex_lock(&stages->lock);
    tacos_status status = load(stages, name, out, err);
    pthread_mutex_unlock(&stages->lock);
    return status;
}

const char *stages_name(Stages *stages, size_t d) {
    pthread_mutex_lock(&stages->lock);
    const char *name = d < stages->n_sets ? stages->sets[d].name : NULL;
    pthread_mutex_unlock(&stages->lock);
    return name;
}

tacos_status stages_lend(Stages *stages, const char *name, const Dataset *data, tacos_error *err) {
    size_t d = 0;
    pthread_mutex_lock(&stages->lock);
    tacos_status status = find_place(stages, name, &d, err);
    if (status == TACOS_OK)
        stages->sets[d].data = data;
    pthread_mutex_unlock(&stages->lock);
    return status;
}

static tacos_status find_or_open(Stages *stages, const ExperimentParams *own, const Stage **out,
                                 tacos_error *err) {
    for (StageNode *node = stages->first; node; node = node->next)
        if (keys_equal(experiment_table, &node->stage.own, own)) {
            *out = &node->stage;
            return TACOS_OK;
        }
    const Dataset *data;
    TRY(load(stages, own->dataset, &data, err));
    StageNode *node = calloc(1, sizeof *node);
    if (!node)
        return failure(err, TACOS_MEMORY, "no memory for a stream of tasks");
    tacos_status status = stage_open(&node->stage, own, data, err);
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
