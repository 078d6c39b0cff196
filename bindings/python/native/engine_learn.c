/* engine_learn.c - learning and predicting, rows at a time. A batch with an error
 * is not learned at all; only a signal can end one early. */
#include "native.h"

#include <stdio.h>
#include <string.h>

/* What a call works on. Which of these are filled depends on the call. */
typedef struct Job {
    Engine *engine;
    Rows rows;            /* intensities, or ... */
    Block spikes;         /* ... [row][step][input], uint8 */
    size_t n_spike_steps; /* of each row */
    Block targets;        /* [row], int64 */
    Block draws;          /* [row] or one for all, uint64 */
    Block outputs;        /* [row], int64, to be written */
    Block counts;         /* [row][output], uint32, likewise */
} Job;

static void job_drop(Job *job) {
    rows_drop(&job->rows);
    block_drop(&job->spikes);
    block_drop(&job->targets);
    block_drop(&job->draws);
    block_drop(&job->outputs);
    block_drop(&job->counts);
}

/* Run steps with the learner locked, then release everything. */
static PyObject *job_run(Job *job, batch_step *check, batch_step *step, size_t n) {
    bool done = engine_enter(job->engine);
    if (done) {
        done = (!check || batch_run(check, job, n)) && batch_run(step, job, n);
        engine_leave(job->engine);
    }
    job_drop(job);
    return done ? Py_BuildValue("") : NULL;
}

static PyObject *job_fail(Job *job) {
    job_drop(job);
    return NULL;
}

/* ---- learning ---- */

static int64_t target_of(const Job *job, size_t i) {
    int64_t target;
    memcpy(&target, (const char *)job->targets.buffer.buf + i * sizeof target, sizeof target);
    return target;
}

static tacos_status check_target(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    int64_t target = target_of(job, i);
    size_t n = job->engine->shape.n_outputs;
    if (target >= 0 && (uint64_t)target < n)
        return TACOS_OK;
    err->status = TACOS_RANGE;
    (void)snprintf(err->text, sizeof err->text,
                   "target %lld is out of range: the outputs are 0 to %zu", (long long)target,
                   n - 1);
    return TACOS_RANGE;
}

static tacos_status check_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    const float *intensity = rows_get(&job->rows, i);
    for (size_t j = 0; j < job->rows.n_inputs; j++)
        if (!(intensity[j] >= 0 && intensity[j] <= 1)) {
            err->status = TACOS_RANGE;
            (void)snprintf(err->text, sizeof err->text,
                           "intensity %zu is %g; it must be from 0 to 1", j, (double)intensity[j]);
            return TACOS_RANGE;
        }
    return check_target(user, i, err);
}

static tacos_status learn_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    return tacos_learner_learn(job->engine->learner, rows_get(&job->rows, i), job->rows.n_inputs,
                               (size_t)target_of(job, i), err);
}

PyObject *engine_learn(PyObject *self, PyObject *args) {
    Job job = {.engine = (Engine *)self};
    PyObject *x, *targets;
    if (!PyArg_ParseTuple(args, "OO", &x, &targets))
        return NULL;
    if (!rows_take(&job.rows, x, job.engine->shape.n_inputs) ||
        !block_take_n(&job.targets, targets, "targets", KIND_I64, false, job.rows.n))
        return job_fail(&job);
    return job_run(&job, job.rows.kind == KIND_U8 ? check_target : check_row, learn_row,
                   job.rows.n);
}

/* ---- predicting ---- */

static uint64_t draw_of(const Job *job, size_t i) {
    uint64_t draw;
    size_t at = job->draws.n == 1 ? 0 : i;
    memcpy(&draw, (const char *)job->draws.buffer.buf + at * sizeof draw, sizeof draw);
    return draw;
}

static void write_guess(const Job *job, size_t i, const tacos_prediction *guess) {
    size_t n_bytes = job->engine->shape.n_outputs * sizeof *guess->counts;
    int64_t output = guess->output;
    memcpy((char *)job->outputs.buffer.buf + i * sizeof output, &output, sizeof output);
    memcpy((char *)job->counts.buffer.buf + i * n_bytes, guess->counts, n_bytes);
}

static tacos_status predict_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    tacos_prediction guess;
    tacos_status status = tacos_learner_predict(job->engine->learner, rows_get(&job->rows, i),
                                                job->rows.n_inputs, draw_of(job, i), &guess, err);
    if (status == TACOS_OK)
        write_guess(job, i, &guess);
    return status;
}

/* Room for the answers to n rows. */
static bool take_answers(Job *job, PyObject *outputs, PyObject *counts, size_t n) {
    return block_take_n(&job->outputs, outputs, "outputs", KIND_I64, true, n) &&
           block_take_n(&job->counts, counts, "counts", KIND_U32, true,
                        n * job->engine->shape.n_outputs);
}

static bool take_draws(Job *job, PyObject *draws) {
    if (!block_take(&job->draws, draws, "draws", KIND_U64, false))
        return false;
    if (job->draws.n == 1 || job->draws.n == job->rows.n)
        return true;
    PyErr_Format(PyExc_ValueError, "%zu draws were given; there must be one, or %zu", job->draws.n,
                 job->rows.n);
    return false;
}

PyObject *engine_predict(PyObject *self, PyObject *args) {
    Job job = {.engine = (Engine *)self};
    PyObject *x, *draws, *outputs, *counts;
    if (!PyArg_ParseTuple(args, "OOOO", &x, &draws, &outputs, &counts))
        return NULL;
    if (!rows_take(&job.rows, x, job.engine->shape.n_inputs) || !take_draws(&job, draws) ||
        !take_answers(&job, outputs, counts, job.rows.n))
        return job_fail(&job);
    return job_run(&job, NULL, predict_row, job.rows.n);
}

/* ---- the same from spikes ---- */

static const uint8_t *spikes_of(const Job *job, size_t i) {
    size_t n = job->n_spike_steps * job->engine->shape.n_inputs;
    return (const uint8_t *)job->spikes.buffer.buf + i * n;
}

static tacos_status learn_spikes_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    return tacos_learner_learn_spikes(job->engine->learner, spikes_of(job, i), job->n_spike_steps,
                                      job->engine->shape.n_inputs, (size_t)target_of(job, i), err);
}

static tacos_status predict_spikes_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    tacos_prediction guess;
    tacos_status status =
        tacos_learner_predict_spikes(job->engine->learner, spikes_of(job, i), job->n_spike_steps,
                                     job->engine->shape.n_inputs, &guess, err);
    if (status == TACOS_OK)
        write_guess(job, i, &guess);
    return status;
}

static bool take_spikes(Job *job, PyObject *spikes) {
    const tacos_shape *shape = &job->engine->shape;
    const Py_buffer *b = &job->spikes.buffer;
    if (!block_take(&job->spikes, spikes, "spikes", KIND_U8, false))
        return false;
    if (b->ndim != 3)
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions; rows of spikes have three",
                     b->ndim);
    else if ((size_t)b->shape[2] != shape->n_inputs)
        PyErr_Format(PyExc_ValueError, "spikes of %zd inputs were given; the network has %zu",
                     b->shape[2], shape->n_inputs);
    else if ((size_t)b->shape[1] > shape->n_steps)
        PyErr_Format(PyExc_ValueError, "%zd steps were given; a sample has at most %zu",
                     b->shape[1], shape->n_steps);
    else
        job->n_spike_steps = (size_t)b->shape[1];
    return !PyErr_Occurred();
}

PyObject *engine_learn_spikes(PyObject *self, PyObject *args) {
    Job job = {.engine = (Engine *)self};
    PyObject *spikes, *targets;
    if (!PyArg_ParseTuple(args, "OO", &spikes, &targets))
        return NULL;
    if (!take_spikes(&job, spikes) || !block_take_n(&job.targets, targets, "targets", KIND_I64,
                                                    false, (size_t)job.spikes.buffer.shape[0]))
        return job_fail(&job);
    return job_run(&job, check_target, learn_spikes_row, job.targets.n);
}

PyObject *engine_predict_spikes(PyObject *self, PyObject *args) {
    Job job = {.engine = (Engine *)self};
    PyObject *spikes, *outputs, *counts;
    if (!PyArg_ParseTuple(args, "OOO", &spikes, &outputs, &counts))
        return NULL;
    if (!take_spikes(&job, spikes) ||
        !take_answers(&job, outputs, counts, (size_t)job.spikes.buffer.shape[0]))
        return job_fail(&job);
    return job_run(&job, NULL, predict_spikes_row, job.outputs.n);
}
