/* protocol.c - the paper's protocol: learns the parts of a stream one after another, and scores all
 * tasks before the first and after each. */
#include "lab/protocol.h"

#include "lab/clock.h"
#include "lab/device.h"
#include "lab/results.h"
#include "lab/experiment.h"
#include "net/snapshot.h"

#include <stdlib.h>

static const double REPORT_EVERY_SECONDS = 0.05;

bool session_report(Session *session, uint64_t n, bool last) {
    const ProtocolOptions *how = session->how;
    session->unreported += n;
    double now = clock_after(how->sample_seconds, session->reported + session->unreported);
    if (!last && now - session->last_report < REPORT_EVERY_SECONDS)
        return true;
    n = session->unreported;
    session->reported += n;
    session->unreported = 0;
    session->last_report = now;
    return !how->progress || how->progress(how->user, n) == 0;
}

tacos_status session_interrupted(tacos_error *err) {
    return failure(err, TACOS_INTERRUPTED, "interrupted");
}

double session_learning_seconds(const Session *session) {
    return session->learning_since > 0 ? clock_seconds() - session->learning_since : 0;
}

/* ---- a point of the curve ---- */

static tacos_status peek(Session *session, size_t t, double *percent, tacos_error *err) {
    const Student *student = &session->student;
    Exam exam = {t, &session->state.curve.samples[t], .is_peek = true};
    Answers answers;
    TRY(student->score(student->self, &exam, &answers, err));
    *percent = 100.0 * (double)answers.right / (double)answers.n;
    return TACOS_OK;
}

tacos_status session_curve(Session *session, size_t k, size_t part, size_t done, size_t n,
                           tacos_error *err) {
    const Curve *curve = &session->state.curve;
    size_t points = curve_points(curve, done, n);
    if (points == curve_points(curve, done - part, n))
        return TACOS_OK;
    double start = clock_seconds();
    TRY(peek(session, k, curve_at(curve, k, points - 1, CURVE_NEWEST), err));
    if (k > 0)
        TRY(peek(session, 0, curve_at(curve, k, points - 1, CURVE_FIRST), err));
    session->learning_since += clock_seconds() - start; /* this was none of it */
    return TACOS_OK;
}

size_t session_task_done(const Session *session, size_t *n) {
    const size_t *end = session->stream.end;
    size_t k = session->state.n_rows - 1, begin = k > 0 ? end[k - 1] : 0;
    *n = end[k] - begin;
    return session->state.n_learned - begin;
}

tacos_status session_learned(Session *session, tacos_error *err) {
    const ProtocolOptions *how = session->how;
    size_t n;
    session->state.n_learned++;
    size_t done = session_task_done(session, &n);
    TRY(session_curve(session, session->state.n_rows - 1, 1, done, n, err));
    if (!how->checkpoint || ++session->since_written < how->checkpoint_every)
        return TACOS_OK;
    session->since_written = 0;
    return checkpoint_write(session, err);
}

/* ---- the stream ---- */

static void tell_scored(const Session *session) {
    const RunState *state = &session->state;
    if (session->how->scored && state->n_rows > 0)
        session->how->scored(session->how->user, session->seed, state->n_tasks, state->n_rows,
                             state->b, state->R);
}

static tacos_status score_row(Session *session, double *percents, tacos_error *err) {
    const Student *student = &session->student;
    double start = clock_seconds();
    size_t n = 0, silent = 0;
    confusion_clear(&session->state.confusion, session->state.n_rows);
    for (size_t t = 0; t < session->state.n_tasks; t++) {
        Exam exam = {t, &session->split->test[t], .is_peek = false};
        Answers answers;
        TRY(student->score(student->self, &exam, &answers, err));
        percents[t] = 100.0 * (double)answers.right / (double)answers.n;
        n += answers.n;
        silent += answers.silent;
    }
    session->state.silent = 100.0 * (double)silent / (double)n;
    session->state.test_seconds += clock_seconds() - start;
    session->state.n_rows++;
    tell_scored(session);
    return TACOS_OK;
}

static tacos_status learn_task(Session *session, size_t k, tacos_error *err) {
    session->learning_since = clock_seconds();
    TRY(session->student.learn(session->student.self, k, err));
    session->state.train_seconds += session_learning_seconds(session);
    session->learning_since = 0;
    return TACOS_OK;
}

/* Starts from the current state. */
static tacos_status run_stream(Session *session, tacos_error *err) {
    const Student *student = &session->student;
    RunState *state = &session->state;
    size_t n = state->n_tasks;
    if (state->n_rows == 0)
        TRY(score_row(session, state->b, err));
    for (size_t k = state->n_rows - 1; k < n; k++) {
        TRY(learn_task(session, k, err));
        TRY(score_row(session, state->R + k * n, err));
        student->look_back(student->self, k);
        state->bytes_held[k] = student->stats(student->self).model_bytes;
    }
    return TACOS_OK;
}

/* Resume from the checkpoint, if any, and count its samples as done. */
static tacos_status go_on(Session *session, tacos_error *err) {
    uint64_t n_scored = 0;
    if (!session->how->checkpoint || !session->student.move)
        return TACOS_OK;
    TRY(checkpoint_read(session, err));
    tell_scored(session);
    for (size_t t = 0; t < session->state.n_tasks; t++)
        n_scored += session->split->test[t].n;
    session->unreported += session->state.n_rows * n_scored + session->state.n_learned;
    return TACOS_OK;
}

/* ---- one seed ---- */

static tacos_status sum_up(const Session *session, tacos_metrics *after, tacos_run *run,
                           tacos_error *err) {
    const Student *student = &session->student;
    const RunState *state = &session->state;
    for (size_t k = 0; k < state->n_tasks; k++)
        after[k] = metrics_after(state->R, state->b, state->n_tasks, k);
    run->train_seconds = state->train_seconds;
    run->test_seconds = state->test_seconds;
    run->stats = student->stats(student->self);
    run->memory_overhead =
        metrics_memory_overhead(state->bytes_held, state->n_tasks, run->stats.baseline_bytes);
    student->finish(student->self, run);
    TRY(confusion_give(&state->confusion, run, err));
    TRY(curve_give(&state->curve, run, err));
    if (!model_is_rival(session->settled->model))
        TRY(run_add_silent(run, state->silent, err));
    return run_check(run, err);
}

tacos_status student_save(tacos_learner *learner, SavedModel *out, tacos_error *err) {
    char *bytes = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&bytes, &n);
    if (!file)
        return failure(err, TACOS_MEMORY, "no memory to keep what was learned");
    Pack pack = pack_write_file(file);
    tacos_status status = learner_write(learner, &pack, err);
    if (fclose(file) != 0 && status == TACOS_OK)
        status = failure(err, TACOS_MEMORY, "no memory to keep what was learned");
    if (status == TACOS_OK)
        *out = (SavedModel){(unsigned char *)bytes, n};
    else
        free(bytes);
    return status;
}

static tacos_status open_student(Student *out, Session *session, tacos_error *err) {
    Device *device = session->how->device;
    if (device && model_is_spiking(session->settled->model))
        return device->student(device, out, session, err);
    if (model_is_rival(session->settled->model))
        return student_rival(out, session, err);
    if (params_is_columns(&session->settled->learner))
        return student_columns(out, session, err);
    return student_spiking(out, session, err);
}

static tacos_status run_session(Session *session, tacos_metrics *after, tacos_run *run,
                                tacos_error *err) {
    Student *student = &session->student;
    TRY(open_student(student, session, err));
    tacos_status status = go_on(session, err);
    if (status == TACOS_OK)
        status = run_stream(session, err);
    if (status == TACOS_OK)
        status = sum_up(session, after, run, err);
    if (status == TACOS_OK && session->how->model && student->save)
        status = student->save(student->self, session->how->model, err);
    student->close(student->self);
    return status;
}

tacos_status protocol_run(tacos_run *out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, const ProtocolOptions *how, tacos_error *err) {
    size_t n = split->tasks.n;
    tacos_metrics *after = calloc(n, sizeof *after);
    RunState state = {
        .n_tasks = n,
        .b = calloc(n, sizeof *state.b),
        .R = calloc(n * n, sizeof *state.R),
        .bytes_held = calloc(n, sizeof *state.bytes_held),
    };
    Session session = {
        .split = split, .settled = settled, .seed = seed, .how = how, .state = state};
    tacos_run run = {.seed = seed, .n_tasks = n, .R = state.R, .b = state.b, .after = after};
    tacos_status status = TACOS_OK;
    if (!state.R || !state.b || !after || !state.bytes_held)
        status = failure(err, TACOS_MEMORY, "no memory for the results of a run");
    if (status == TACOS_OK)
        status = confusion_make(&session.state.confusion, n, split->data->n_classes,
                                split->tasks.n_outputs, err);
    if (status == TACOS_OK)
        status = curve_make(&session.state.curve, split, err);
    if (status == TACOS_OK)
        status = stream_open(&session.stream, split, seed, err);
    if (status == TACOS_OK)
        status = run_session(&session, after, &run, err);
    free(state.bytes_held);
    confusion_free(&session.state.confusion);
    curve_free(&session.state.curve);
    stream_close(&session.stream);
    if (status == TACOS_OK)
        *out = run;
    else
        run_free(&run);
    return status;
}
