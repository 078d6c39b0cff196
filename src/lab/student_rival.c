/* student_rival.c - a rate-based rival as a student: the same stream in batches, with the passes
 * and task signals that its method uses. */
#include "lab/experiment.h"
#include "lab/student.h"
#include "lab/features.h"
#include "rivals/rival.h"

#include <math.h>
#include <stdlib.h>

typedef struct RivalStudent {
    Session *session;
    const RivalParams *params;
    const RivalInfo *info;
    size_t method;
    RivalShape shape;
    Rival *rival;
    Features *features;
    uint8_t *room;                       /* of stream_show */
    float *x;                            /* [batch][n_inputs] */
    float *scores;                       /* [batch][n_outputs] */
    uint16_t *target;                    /* [batch] */
    uint32_t *order;                     /* [samples of the stream]: those to learn, in order */
    size_t from, n;                      /* the current part of the stream */
    bool is_learned;                     /* all of it */
    tacos_counters learning, predicting; /* without the features' counts and the network's macs */
} RivalStudent;

/* ---- learning ---- */

static void show_sample(RivalStudent *student, size_t at, float *x, uint16_t *target) {
    const Session *session = student->session;
    const StreamSample *sample = &session->stream.samples[at];
    const uint8_t *pixels = stream_show(&session->stream, sample->task,
                                        &session->split->data->train, sample->image, student->room);
    features_extract(student->features, pixels, RNG_INPUT, at, x);
    *target = sample->target;
}

/* Choose the order of a pass. The first pass follows the stream, which is random already, unless it
 * covers several tasks: then the stream's order would be that of the tasks. */
static void order_pass(RivalStudent *student, size_t k, size_t pass) {
    bool as_is = pass == 0 && !student->info->keeps_data;
    if (!as_is)
        rng_order(student->order, student->n, student->session->seed, RNG_RIVAL_ORDER,
                  (uint64_t)k << 32 | pass);
    for (size_t i = 0; i < student->n; i++)
        student->order[i] = (uint32_t)(student->from + (as_is ? i : student->order[i]));
}

static size_t batch_end(const RivalStudent *student, size_t from) {
    size_t to = from + student->params->batch;
    return to < student->n ? to : student->n;
}

/* RivalBatches: the task again, in stream order. */
static size_t give_batch(void *user, size_t at, float *x, uint16_t *target) {
    RivalStudent *student = user;
    size_t from = at * student->params->batch;
    size_t n = from < student->n ? batch_end(student, from) - from : 0;
    for (size_t i = 0; i < n; i++)
        show_sample(student, student->from + from + i, x + i * student->shape.n_inputs, &target[i]);
    return n;
}

static bool learn_batch(RivalStudent *student, size_t from, bool last) {
    size_t n = batch_end(student, from) - from;
    for (size_t i = 0; i < n; i++)
        show_sample(student, student->order[from + i], student->x + i * student->shape.n_inputs,
                    &student->target[i]);
    rival_learn(student->rival, student->x, student->target, n);
    student->learning.samples += n;
    return session_report(student->session, n, last);
}

/* A diverged rival's scores are no result. */
static tacos_status fail_diverged(const RivalStudent *student, const char *what, size_t t,
                                  tacos_error *err) {
    return failure(err, TACOS_DIVERGED,
                   "%s diverged: %s task %zu are no longer finite numbers; a smaller "
                   "optimizer_rate, strength or sigma_init may help",
                   student->info->name, what, t + 1);
}

static tacos_status learn_passes(RivalStudent *student, size_t k, tacos_error *err) {
    size_t a_pass = (student->n + student->params->batch - 1) / student->params->batch;
    size_t n = student->params->iterations;
    if (n == 0)
        n = a_pass * student->params->epochs;
    for (size_t i = 0; i < n; i++) {
        if (i % a_pass == 0)
            order_pass(student, k, i / a_pass);
        if (!learn_batch(student, i % a_pass * student->params->batch, i + 1 == n))
            return session_interrupted(err);
        student->is_learned = i + 1 == n;
        TRY(session_curve(student->session, k, 1, i + 1, n, err));
    }
    return TACOS_OK;
}

static tacos_status begin_anew(RivalStudent *student, tacos_error *err) {
    if (student->rival) {
        RivalStats stats = rival_stats(student->rival);
        student->learning.macs += stats.learn_macs;
        student->predicting.macs += stats.predict_macs;
    }
    rival_free(student->rival);
    student->rival = NULL;
    return rival_new(&student->rival, student->method, student->params, &student->shape,
                     student->session->seed, err);
}

static tacos_status learn(void *self, size_t k, tacos_error *err) {
    RivalStudent *student = self;
    const size_t *end = student->session->stream.end;
    student->from = k > 0 && !student->info->keeps_data ? end[k - 1] : 0;
    student->n = end[k] - student->from;
    if (student->info->keeps_data)
        TRY(begin_anew(student, err));
    if (student->info->told_tasks)
        rival_begin_task(student->rival);
    TRY(learn_passes(student, k, err));
    if (student->info->told_tasks)
        rival_end_task(student->rival, give_batch, student);
    if (!rival_is_finite(student->rival))
        return fail_diverged(student, "its weights after", k, err);
    return TACOS_OK;
}

/* ---- counting ---- */

/* The samples themselves, if the method keeps them. */
static size_t kept_bytes(const RivalStudent *student) {
    return student->info->keeps_data ? student->n * student->session->stream.n_inputs : 0;
}

static tacos_learner_stats stats(const void *self) {
    const RivalStudent *student = self;
    RivalStats rival = rival_stats(student->rival);
    tacos_learner_stats stats = {
        .learning = student->learning,
        .predicting = student->predicting,
        .model_bytes = rival.model_bytes + kept_bytes(student),
        .workspace_bytes = rival.workspace_bytes,
        .baseline_bytes = rival.baseline_bytes,
    };
    stats.learning.macs += rival.learn_macs;
    stats.predicting.macs += rival.predict_macs;
    features_count(student->features, &stats);
    return stats;
}

/* stats adds to these counters, so they may go below 0. What some methods solve when they are first
 * asked counts as learning: it would not have been solved now, except where a task ends, since its
 * score asks next. */
static void forget_peek(RivalStudent *student, const tacos_learner_stats *before) {
    tacos_learner_stats now = stats(student);
#define COUNTER(name, operation, text)                                                             \
    student->predicting.name -= now.predicting.name - before->predicting.name;
    TACOS_COUNTER_MAP(COUNTER)
#undef COUNTER
    if (!student->is_learned)
        student->learning.macs -= now.learning.macs - before->learning.macs;
}

/* ---- scoring ---- */

/* The largest score, among the task's outputs if the task is known; the lowest output on a tie. */
static size_t answer(const RivalStudent *student, const float *scores, size_t t) {
    const TaskSplit *split = student->session->split;
    const Task *task = &split->tasks.task[t];
    bool told = split->params.scenario == SCENARIO_TASK;
    size_t n = told ? task->n_classes : student->shape.n_outputs;
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

/* Adds to *right; false if the rival has diverged. */
static bool score_batch(RivalStudent *student, const Exam *exam, size_t from, size_t n,
                        size_t *right) {
    Session *session = student->session;
    const TaskSamples *samples = exam->samples;
    for (size_t i = 0; i < n; i++) {
        uint32_t image = samples->image[from + i];
        const uint8_t *pixels =
            stream_show(&session->stream, exam->task, session->split->scored, image, student->room);
        features_extract(student->features, pixels, RNG_PREDICT, image,
                         student->x + i * student->shape.n_inputs);
    }
    rival_predict(student->rival, student->x, n, student->scores);
    for (size_t i = 0; i < n; i++) {
        size_t said = answer(student, student->scores + i * student->shape.n_outputs, exam->task);
        *right += said == samples->target[from + i];
        if (!exam->is_peek)
            confusion_count(&session->state.confusion, session->state.n_rows,
                            session->split->scored->labels[samples->image[from + i]], (int)said);
    }
    student->predicting.samples += n;
    return are_finite(student->scores, n * student->shape.n_outputs);
}

static tacos_status score(void *self, const Exam *exam, Answers *out, tacos_error *err) {
    RivalStudent *student = self;
    size_t n = exam->samples->n, batch = student->params->batch, right = 0;
    tacos_learner_stats before = stats(student);
    for (size_t from = 0; from < n; from += batch) {
        size_t now = n - from < batch ? n - from : batch;
        if (!score_batch(student, exam, from, now, &right))
            return fail_diverged(student, "its answers on", exam->task, err);
        if (!session_report(student->session, exam->is_peek ? 0 : now,
                            !exam->is_peek && from + now == n))
            return session_interrupted(err);
    }
    if (exam->is_peek)
        forget_peek(student, &before);
    *out = (Answers){.n = n, .right = right};
    return TACOS_OK;
}

/* ---- other functions of a student ---- */

static void look_back(void *self, size_t k) {
    (void)self; /* only a rival's accuracy is measured */
    (void)k;
}

static void finish(void *self, tacos_run *run) {
    run->model_digest = rival_digest(((const RivalStudent *)self)->rival);
}

static void close_student(void *self) {
    RivalStudent *student = self;
    rival_free(student->rival);
    features_free(student->features);
    free(student->room);
    free(student->x);
    free(student->scores);
    free(student->target);
    free(student->order);
    free(student);
}

static tacos_status open_student(RivalStudent *student, tacos_error *err) {
    const Session *session = student->session;
    size_t n = session->stream.end[session->split->tasks.n - 1], batch = student->params->batch;
    TRY(features_new(&student->features, session->split, session->settled, session->seed, err));
    student->shape = (RivalShape){
        .n_inputs = features_size(student->features),
        .n_outputs = session->settled->learner.n_outputs,
        .hidden = session->settled->learner.hidden,
    };
    TRY(begin_anew(student, err));
    student->room = malloc(stream_room(&session->stream));
    student->x = calloc(batch * student->shape.n_inputs, sizeof *student->x);
    student->scores = calloc(batch * student->shape.n_outputs, sizeof *student->scores);
    student->target = calloc(batch, sizeof *student->target);
    student->order = calloc(n, sizeof *student->order);
    if (!student->room || !student->x || !student->scores || !student->target || !student->order)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    return TACOS_OK;
}

tacos_status student_rival(Student *out, Session *session, tacos_error *err) {
    RivalStudent *student = calloc(1, sizeof *student);
    if (!student)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->session = session;
    student->params = &session->settled->rival;
    student->method = model_method(session->settled->model);
    student->info = rival_info(student->method);
    tacos_status status = open_student(student, err);
    if (status != TACOS_OK) {
        close_student(student);
        return status;
    }
    *out = (Student){student, learn, score, look_back, stats, finish, NULL, NULL, close_student};
    return TACOS_OK;
}
