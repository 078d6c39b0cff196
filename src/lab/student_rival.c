/* student_rival.c - a rate-based rival: the same stream in batches, with passes and tasks as its
 * method has them. */
#include "lab/model.h"
#include "lab/student.h"
#include "lab/view.h"
#include "rivals/rival.h"

#include <math.h>
#include <stdlib.h>

typedef struct Pupil {
    Session *session;
    const RivalParams *params;
    const RivalInfo *info;
    size_t method;
    RivalShape shape;
    Rival *rival;
    View *view;
    uint8_t *room;                       /* of stream_show */
    float *x;                            /* [batch][n_inputs] */
    float *scores;                       /* [batch][n_outputs] */
    uint16_t *target;                    /* [batch] */
    uint32_t *order;                     /* [samples of the stream]: those to learn, in an order */
    size_t from, n;                      /* of the stream: what is learned now */
    tacos_counters learning, predicting; /* without the view's, and without this network's macs */
} Pupil;

/* ---- learning ---- */

/* Sample `at` of the stream. */
static void show_sample(Pupil *pupil, size_t at, float *x, uint16_t *target) {
    const Session *session = pupil->session;
    const StreamSample *sample = &session->stream.samples[at];
    const uint8_t *pixels = stream_show(&session->stream, sample->task,
                                        &session->stage->data->train, sample->image, pupil->room);
    view_show(pupil->view, pixels, RNG_INPUT, at, x);
    *target = sample->target;
}

/* Which of the samples come when. The first pass is in the order of the stream, which is random
 * already; but that of samples from several tasks would be in the order of the tasks. */
static void order_pass(Pupil *pupil, size_t k, size_t pass) {
    bool as_is = pass == 0 && !pupil->info->keeps_data;
    if (!as_is)
        rng_order(pupil->order, pupil->n, pupil->session->seed, RNG_RIVAL_ORDER,
                  (uint64_t)k << 32 | pass);
    for (size_t i = 0; i < pupil->n; i++)
        pupil->order[i] = (uint32_t)(pupil->from + (as_is ? i : pupil->order[i]));
}

static size_t batch_end(const Pupil *pupil, size_t from) {
    size_t to = from + pupil->params->batch;
    return to < pupil->n ? to : pupil->n;
}

/* A task once more, in the order of the stream: RivalBatches. */
static size_t give_batch(void *user, size_t at, float *x, uint16_t *target) {
    Pupil *pupil = user;
    size_t from = at * pupil->params->batch;
    size_t n = from < pupil->n ? batch_end(pupil, from) - from : 0;
    for (size_t i = 0; i < n; i++)
        show_sample(pupil, pupil->from + from + i, x + i * pupil->shape.n_inputs, &target[i]);
    return n;
}

static bool learn_batch(Pupil *pupil, size_t from, bool last) {
    size_t n = batch_end(pupil, from) - from;
    for (size_t i = 0; i < n; i++)
        show_sample(pupil, pupil->order[from + i], pupil->x + i * pupil->shape.n_inputs,
                    &pupil->target[i]);
    rival_learn(pupil->rival, pupil->x, pupil->target, n);
    pupil->learning.samples += n;
    return session_report(pupil->session, n, last);
}

/* Whatever it would score is no result. */
static tacos_status fail_diverged(const Pupil *pupil, const char *what, size_t t,
                                  tacos_error *err) {
    return failure(err, TACOS_DIVERGED,
                   "%s diverged: %s task %zu are no longer finite numbers; a smaller "
                   "optimizer_rate, strength or sigma_init may help",
                   pupil->info->name, what, t + 1);
}

/* All passes over what is learned now. */
static tacos_status learn_passes(Pupil *pupil, size_t k, tacos_error *err) {
    size_t a_pass = (pupil->n + pupil->params->batch - 1) / pupil->params->batch;
    size_t n = pupil->params->iterations;
    if (n == 0)
        n = a_pass * pupil->params->epochs;
    for (size_t i = 0; i < n; i++) {
        if (i % a_pass == 0)
            order_pass(pupil, k, i / a_pass);
        if (!learn_batch(pupil, i % a_pass * pupil->params->batch, i + 1 == n))
            return session_interrupted(err);
    }
    return TACOS_OK;
}

static tacos_status begin_anew(Pupil *pupil, tacos_error *err) {
    if (pupil->rival) {
        RivalStats stats = rival_stats(pupil->rival);
        pupil->learning.macs += stats.learn_macs;
        pupil->predicting.macs += stats.predict_macs;
    }
    rival_free(pupil->rival);
    pupil->rival = NULL;
    return rival_new(&pupil->rival, pupil->method, pupil->params, &pupil->shape,
                     pupil->session->seed, err);
}

static tacos_status learn(void *self, size_t k, tacos_error *err) {
    Pupil *pupil = self;
    const size_t *end = pupil->session->stream.end;
    pupil->from = k > 0 && !pupil->info->keeps_data ? end[k - 1] : 0;
    pupil->n = end[k] - pupil->from;
    if (pupil->info->keeps_data)
        TRY(begin_anew(pupil, err));
    if (pupil->info->told_tasks)
        rival_begin_task(pupil->rival);
    TRY(learn_passes(pupil, k, err));
    if (pupil->info->told_tasks)
        rival_end_task(pupil->rival, give_batch, pupil);
    if (!rival_is_finite(pupil->rival))
        return fail_diverged(pupil, "its weights after", k, err);
    return TACOS_OK;
}

/* ---- scoring ---- */

/* The largest of all, or of the task's own where the task is told; the lowest on a tie. */
static size_t answer(const Pupil *pupil, const float *scores, size_t t) {
    const Stage *stage = pupil->session->stage;
    const Task *task = &stage->tasks.task[t];
    bool told = stage->own.scenario == SCENARIO_TASK;
    size_t n = told ? task->n_classes : pupil->shape.n_outputs;
    size_t best = told ? task->outputs[0] : 0;
    for (size_t k = 1; k < n; k++) {
        size_t o = told ? task->outputs[k] : k;
        if (scores[o] > scores[best] || (scores[o] == scores[best] && o < best))
            best = o;
    }
    return best;
}

static bool are_finite(const float *values, size_t n) {
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(values[i]);
    return finite;
}

/* Adds to *right; false if there are no answers to score. */
static bool score_batch(Pupil *pupil, size_t t, size_t from, size_t n, size_t *right) {
    Session *session = pupil->session;
    const TaskSamples *samples = &session->stage->test[t];
    for (size_t i = 0; i < n; i++) {
        uint32_t image = samples->image[from + i];
        const uint8_t *pixels =
            stream_show(&session->stream, t, session->stage->scored, image, pupil->room);
        view_show(pupil->view, pixels, RNG_PREDICT, image, pupil->x + i * pupil->shape.n_inputs);
    }
    rival_predict(pupil->rival, pupil->x, n, pupil->scores);
    for (size_t i = 0; i < n; i++)
        *right += answer(pupil, pupil->scores + i * pupil->shape.n_outputs, t) ==
                  samples->target[from + i];
    pupil->predicting.samples += n;
    return are_finite(pupil->scores, n * pupil->shape.n_outputs);
}

static tacos_status score(void *self, size_t t, Answers *out, tacos_error *err) {
    Pupil *pupil = self;
    size_t n = pupil->session->stage->test[t].n, batch = pupil->params->batch, right = 0;
    for (size_t from = 0; from < n; from += batch) {
        size_t now = n - from < batch ? n - from : batch;
        if (!score_batch(pupil, t, from, now, &right))
            return fail_diverged(pupil, "its answers on", t, err);
        if (!session_report(pupil->session, now, from + now == n))
            return session_interrupted(err);
    }
    *out = (Answers){.n = n, .right = right};
    return TACOS_OK;
}

/* ---- the rest ---- */

static void look_back(void *self, size_t k) {
    (void)self; /* nothing of a rival is measured but its accuracy */
    (void)k;
}

/* What is kept of the samples themselves, by a method that keeps them. */
static size_t kept_bytes(const Pupil *pupil) {
    return pupil->info->keeps_data ? pupil->n * pupil->session->stream.n_pixels : 0;
}

static tacos_learner_stats stats(const void *self) {
    const Pupil *pupil = self;
    RivalStats rival = rival_stats(pupil->rival);
    tacos_learner_stats stats = {
        .learning = pupil->learning,
        .predicting = pupil->predicting,
        .model_bytes = rival.model_bytes + kept_bytes(pupil),
        .workspace_bytes = rival.workspace_bytes,
        .baseline_bytes = rival.baseline_bytes,
    };
    stats.learning.macs += rival.learn_macs;
    stats.predicting.macs += rival.predict_macs;
    view_count(pupil->view, &stats);
    return stats;
}

static void finish(void *self, tacos_run *run) {
    run->model_digest = rival_digest(((const Pupil *)self)->rival);
}

static void close_pupil(void *self) {
    Pupil *pupil = self;
    rival_free(pupil->rival);
    view_free(pupil->view);
    free(pupil->room);
    free(pupil->x);
    free(pupil->scores);
    free(pupil->target);
    free(pupil->order);
    free(pupil);
}

static tacos_status open_pupil(Pupil *pupil, tacos_error *err) {
    const Session *session = pupil->session;
    size_t n = session->stream.end[session->stage->tasks.n - 1], batch = pupil->params->batch;
    TRY(view_new(&pupil->view, session->stage, session->settled, session->seed, err));
    pupil->shape = (RivalShape){
        .n_inputs = view_size(pupil->view),
        .n_outputs = session->settled->learner.n_outputs,
        .hidden = session->settled->learner.hidden,
    };
    TRY(begin_anew(pupil, err));
    pupil->room = malloc(stream_room(&session->stream));
    pupil->x = calloc(batch * pupil->shape.n_inputs, sizeof *pupil->x);
    pupil->scores = calloc(batch * pupil->shape.n_outputs, sizeof *pupil->scores);
    pupil->target = calloc(batch, sizeof *pupil->target);
    pupil->order = calloc(n, sizeof *pupil->order);
    if (!pupil->room || !pupil->x || !pupil->scores || !pupil->target || !pupil->order)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    return TACOS_OK;
}

tacos_status student_rival(Student *out, Session *session, tacos_error *err) {
    Pupil *pupil = calloc(1, sizeof *pupil);
    if (!pupil)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    pupil->session = session;
    pupil->params = &session->settled->rival;
    pupil->method = model_method(session->settled->model);
    pupil->info = rival_info(pupil->method);
    tacos_status status = open_pupil(pupil, err);
    if (status != TACOS_OK) {
        close_pupil(pupil);
        return status;
    }
    *out = (Student){pupil, learn, score, look_back, stats, finish, NULL, NULL, close_pupil};
    return TACOS_OK;
}
