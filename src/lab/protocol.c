/* protocol.c - the paper's protocol: no task signal reaches the learner. */
#include "lab/protocol.h"

#include "data/encode.h"
#include "lab/metrics.h"
#include "net/learner.h"

#include <stdlib.h>
#include <time.h>

static const double REPORT_EVERY_SECONDS = 0.05;

/* ---- what all seeds share ---- */

/* The test samples of a task, and how many there are to train on. */
static tacos_status open_task(Stage *stage, size_t t, tacos_error *err) {
    const ExperimentParams *own = &stage->experiment->own;
    TaskSamples train;
    TRY(task_samples(&train, &stage->data.train, &stage->tasks, t, own->samples_per_task, err));
    stage->n_train[t] = train.n;
    task_samples_free(&train);
    return task_samples(&stage->test[t], &stage->data.test, &stage->tasks, t,
                        own->test_samples_per_task, err);
}

tacos_status stage_open(Stage *stage, const Experiment *experiment, const char *data_dir,
                        tacos_error *err) {
    *stage = (Stage){.experiment = experiment, .params = experiment->learner};
    TRY(tasks_parse(&stage->tasks, experiment->own.tasks, err));
    TRY(dataset_load(&stage->data, experiment_dataset(experiment), data_dir, err));
    stage->params.n_inputs = stage->data.train.height * stage->data.train.width;
    stage->params.n_outputs = stage->tasks.n_outputs;
    tacos_status status = params_check(&stage->params, err);
    if (status == TACOS_OK)
        status = tasks_check(&stage->tasks, stage->data.n_classes, err);
    for (size_t t = 0; t < stage->tasks.n && status == TACOS_OK; t++)
        status = open_task(stage, t, err);
    if (status != TACOS_OK)
        stage_close(stage);
    return status;
}

void stage_close(Stage *stage) {
    for (size_t t = 0; t < stage->tasks.n; t++)
        task_samples_free(&stage->test[t]);
    dataset_free(&stage->data);
}

uint64_t stage_samples(const Stage *stage) {
    uint64_t learned = 0, scored = 0;
    for (size_t t = 0; t < stage->tasks.n; t++) {
        learned += stage->n_train[t];
        scored += stage->test[t].n;
    }
    return learned + scored * (stage->tasks.n + 1);
}

/* ---- one seed ---- */

typedef struct Session {
    const Stage *stage;
    Learner *learner;
    ProtocolProgress *progress;
    void *user;
    uint64_t unreported; /* samples */
    double last_report;  /* when */
} Session;

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static tacos_status report(Session *session, bool last, tacos_error *err) {
    double now = now_seconds();
    uint64_t n = ++session->unreported;
    if (!last && now - session->last_report < REPORT_EVERY_SECONDS)
        return TACOS_OK;
    session->unreported = 0;
    session->last_report = now;
    if (session->progress && session->progress(session->user, n) != 0)
        return failure(err, TACOS_INTERRUPTED, "interrupted");
    return TACOS_OK;
}

/* Put an image's spikes before the network. `number` names the random draw. */
static void show(Session *session, const Images *images, uint32_t image, RngPurpose purpose,
                 uint64_t number) {
    const Network *net = &session->learner->net;
    PoissonCode code = {net->seed, purpose, net->params.input_rate_hz, net->params.dt_ms};
    encode_pixels(&code, number, images->pixels + (size_t)image * net->params.n_inputs,
                  &session->learner->scratch.raster);
}

static tacos_status learn_task(Session *session, size_t t, tacos_error *err) {
    const Stage *stage = session->stage;
    Learner *learner = session->learner;
    TaskSamples samples;
    TRY(task_samples_shuffled(&samples, &stage->data.train, &stage->tasks, t,
                              stage->experiment->own.samples_per_task, learner->net.seed, err));
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < samples.n && status == TACOS_OK; i++) {
        show(session, &stage->data.train, samples.image[i], RNG_INPUT, learner->net.n_learned);
        sample_learn(&learner->net, &learner->scratch, samples.target[i], &learner->learning);
        status = report(session, i + 1 == samples.n, err);
    }
    task_samples_free(&samples);
    return status;
}

static tacos_status score_task(Session *session, size_t t, double *percent, tacos_error *err) {
    const Stage *stage = session->stage;
    const TaskSamples *samples = &stage->test[t];
    Learner *learner = session->learner;
    size_t right = 0;
    for (size_t i = 0; i < samples->n; i++) {
        show(session, &stage->data.test, samples->image[i], RNG_PREDICT, samples->image[i]);
        int output = sample_predict(&learner->net, &learner->scratch, &learner->predicting);
        right += output == samples->target[i];
        TRY(report(session, i + 1 == samples->n, err));
    }
    *percent = 100.0 * (double)right / (double)samples->n;
    return TACOS_OK;
}

static tacos_status score_all(Session *session, double *percents, double *seconds,
                              tacos_error *err) {
    double start = now_seconds();
    for (size_t t = 0; t < session->stage->tasks.n; t++)
        TRY(score_task(session, t, &percents[t], err));
    *seconds += now_seconds() - start;
    return TACOS_OK;
}

typedef struct RunArrays {
    double *R, *b;
    tacos_metrics *after;
    size_t *bytes_held;
} RunArrays;

static tacos_status run_stream(Session *session, RunArrays *arrays, tacos_run *run,
                               tacos_error *err) {
    size_t n = session->stage->tasks.n;
    TRY(score_all(session, arrays->b, &run->test_seconds, err));
    for (size_t k = 0; k < n; k++) {
        double start = now_seconds();
        TRY(learn_task(session, k, err));
        run->train_seconds += now_seconds() - start;
        TRY(score_all(session, arrays->R + k * n, &run->test_seconds, err));
        arrays->bytes_held[k] = learner_stats(session->learner).model_bytes;
    }
    for (size_t k = 0; k < n; k++)
        arrays->after[k] = metrics_after(arrays->R, arrays->b, n, k);
    run->stats = learner_stats(session->learner);
    run->model_digest = learner_digest(session->learner);
    run->memory_overhead =
        metrics_memory_overhead(arrays->bytes_held, n, run->stats.baseline_bytes);
    return TACOS_OK;
}

tacos_status protocol_run(tacos_run *out, const Stage *stage, uint32_t seed,
                          ProtocolProgress *progress, void *user, tacos_error *err) {
    size_t n = stage->tasks.n;
    Session session = {.stage = stage, .progress = progress, .user = user};
    TRY(learner_new(&session.learner, &stage->params, seed, NULL, err));
    RunArrays arrays = {
        .R = calloc(n * n, sizeof *arrays.R),
        .b = calloc(n, sizeof *arrays.b),
        .after = calloc(n, sizeof *arrays.after),
        .bytes_held = calloc(n, sizeof *arrays.bytes_held),
    };
    tacos_run run = {.seed = seed, .n_tasks = n};
    tacos_status status = TACOS_OK;
    if (!arrays.R || !arrays.b || !arrays.after || !arrays.bytes_held)
        status = failure(err, TACOS_MEMORY, "no memory for the results of a run");
    if (status == TACOS_OK)
        status = run_stream(&session, &arrays, &run, err);
    run.R = arrays.R;
    run.b = arrays.b;
    run.after = arrays.after;
    free(arrays.bytes_held);
    learner_free(session.learner);
    if (status == TACOS_OK)
        *out = run;
    else
        run_free(&run);
    return status;
}

void run_free(tacos_run *run) {
    /* The arrays are const for readers only. */
    free((void *)run->R);
    free((void *)run->b);
    free((void *)run->after);
    *run = (tacos_run){0};
}
