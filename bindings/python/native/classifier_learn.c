/* classifier_learn.c - a stream of samples through a classifier, many in a call. */
#include "native.h"

typedef struct Job {
    Classifier *self;
    Samples samples;
    Labels labels;
    Answers answers;
    tacos_status (*predict)(tacos_classifier *, const tacos_sample *, tacos_answer *,
                            tacos_error *);
} Job;

static PyObject *job_run(Job *job, batch_step *step, bool taken) {
    bool done = taken && classifier_enter(job->self);
    if (done) {
        done = batch_run(step, job, job->samples.n);
        classifier_leave(job->self);
    }
    samples_drop(&job->samples);
    labels_drop(&job->labels);
    answers_drop(&job->answers);
    return done ? Py_BuildValue("") : NULL;
}

static void put(const Job *job, size_t i, const tacos_answer *answer) {
    answers_put(&job->answers, i, answer, tacos_classifier_n_labels(job->self->inner));
}

static tacos_status next_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    tacos_sample sample;
    tacos_answer answer;
    const char *label;
    tacos_status status = samples_get(&job->samples, i, &sample, err);
    if (status == TACOS_OK)
        status = labels_get(&job->labels, i, &label, err);
    if (status == TACOS_OK)
        status = tacos_classifier_next(job->self->inner, &sample, label, &answer, err);
    if (status == TACOS_OK)
        put(job, i, &answer);
    return status;
}

static tacos_status predict_row(void *user, size_t i, tacos_error *err) {
    const Job *job = user;
    tacos_sample sample;
    tacos_answer answer;
    tacos_status status = samples_get(&job->samples, i, &sample, err);
    if (status == TACOS_OK)
        status = job->predict(job->self->inner, &sample, &answer, err);
    if (status == TACOS_OK)
        put(job, i, &answer);
    return status;
}

PyObject *classifier_next(PyObject *self, PyObject *args) {
    Job job = {.self = (Classifier *)self};
    PyObject *samples, *labels, *answers;
    if (!PyArg_ParseTuple(args, "O!OO", &PyTuple_Type, &samples, &labels, &answers))
        return NULL;
    return job_run(&job, next_row,
                   samples_take(&job.samples, samples) &&
                       labels_take(&job.labels, labels, job.samples.n) &&
                       answers_take(&job.answers, answers, job.samples.n));
}

static PyObject *predict(Job *job, PyObject *args) {
    PyObject *samples, *answers;
    if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &samples, &PyTuple_Type, &answers))
        return NULL;
    return job_run(job, predict_row,
                   samples_take(&job->samples, samples) &&
                       answers_take(&job->answers, answers, job->samples.n));
}

PyObject *classifier_predict(PyObject *self, PyObject *args) {
    return predict(&(Job){.self = (Classifier *)self, .predict = tacos_classifier_predict}, args);
}

PyObject *classifier_predict_next(PyObject *self, PyObject *args) {
    return predict(&(Job){.self = (Classifier *)self, .predict = tacos_classifier_predict_next},
                   args);
}
