/* student.c - a network that learns and answers on the device, and returns to its learner here when
 * somebody wants to see it: for a checkpoint, to be measured, and at the end. */
#include "cuda/student.h"

#include "lab/measures.h"
#include "lab/score.h"
#include "net/snapshot.h"

#include <stdlib.h>

/* A job has at most so many samples to learn, so that progress is reported, and those who ask to
 * stop wait, for about a second at most. */
enum { SLICE = 1000 };

typedef struct CudaStudent {
    Session *session;
    Batch *batch;
    const Shown *shown;
    Learner *learner;  /* all but what its network has learned since ... */
    GpuNet *net;       /* ... on the device; NULL: not there yet */
    bool is_ahead;     /* the network on the device has learned more */
    uint16_t *answers; /* [shown->n_samples][n_outputs]: spikes of outputs, for a whole row */
    size_t row;        /* which one; SIZE_MAX: none yet */
    const uint16_t *task_answers; /* of the task at hand */
    uint32_t *counts;             /* [n_outputs]: of the sample at hand */
    Measures *measures;           /* by the processor; or NULL */
} CudaStudent;

/* ---- to the device and back ---- */

static tacos_status bring(CudaStudent *student, tacos_error *err) {
    const Stream *stream = &student->session->stream;
    tacos_error why = {0};
    if (student->net)
        return TACOS_OK;
    size_t n_orders = stream->order ? student->session->split->tasks.n - 1 : 0;
    tacos_status status = gpu_net_new(&student->net, batch_lock(student->batch),
                                      &student->learner->net, stream->order, n_orders, &why);
    batch_unlock(student->batch);
    if (status != TACOS_OK)
        student->net = NULL;
    return batch_outcome(student->batch, status, &why, err);
}

static tacos_status fetch(CudaStudent *student, tacos_error *err) {
    tacos_error why = {0};
    if (!student->is_ahead)
        return TACOS_OK;
    (void)batch_lock(student->batch);
    tacos_status status = gpu_net_fetch(student->net, &student->learner->net, &why);
    batch_unlock(student->batch);
    student->is_ahead = status != TACOS_OK;
    return batch_outcome(student->batch, status, &why, err);
}

static void leave(CudaStudent *student) {
    if (!student->net)
        return;
    (void)batch_lock(student->batch);
    gpu_net_free(student->net);
    batch_unlock(student->batch);
    student->net = NULL;
    student->is_ahead = false;
}

static tacos_status work(CudaStudent *student, GpuJob *job, tacos_error *err) {
    TRY(bring(student, err));
    job->net = student->net;
    return batch_do(student->batch, job, err);
}

/* ---- learning ---- */

static bool checkpoint_is_due_after(const Session *session, size_t n) {
    const ProtocolOptions *how = session->how;
    return how->checkpoint && session->since_written + n >= how->checkpoint_every;
}

/* Slices of a part of the stream are about equally long, so that networks that learn the same part
 * are done at the same time; and a slice ends at a point of the curve, and where a checkpoint is
 * due. */
static size_t slice_of(const Session *session) {
    size_t total, done = session_task_done(session, &total), n = total - done;
    size_t n_slices = (n + SLICE - 1) / SLICE, slice = (n + n_slices - 1) / n_slices;
    size_t point = curve_next(&session->state.curve, done, total);
    slice = point < slice ? point : slice;
    if (!checkpoint_is_due_after(session, slice))
        return slice;
    return (size_t)(session->how->checkpoint_every - session->since_written);
}

/* Between two samples the protocol sees the network as it is then. */
static tacos_status note_learned(CudaStudent *student, size_t n, tacos_error *err) {
    Session *session = student->session;
    if (checkpoint_is_due_after(session, n))
        TRY(fetch(student, err));
    for (size_t i = 0; i < n; i++)
        TRY(session_learned(session, err));
    return TACOS_OK;
}

static tacos_status learn(void *self, size_t k, tacos_error *err) {
    CudaStudent *student = self;
    Session *session = student->session;
    const Stream *stream = &session->stream;
    while (session->state.n_learned < stream->end[k]) {
        size_t n = slice_of(session);
        GpuJob job = {.images = student->shown->learned,
                      .samples = stream->samples + session->state.n_learned,
                      .n = n};
        TRY(work(student, &job, err));
        student->is_ahead = true;
        student_add_tally(&student->learner->learning, &job.tally);
        TRY(note_learned(student, n, err));
        if (!session_report(session, n, session->state.n_learned == stream->end[k]))
            return session_interrupted(err);
    }
    /* For look_back, finish and save, which must not fail. */
    bool is_last = k + 1 == session->state.n_tasks;
    return is_last || student->measures ? fetch(student, err) : TACOS_OK;
}

/* ---- scoring ---- */

/* The answers to a few samples of a task: room for all is enough. They replace those of a row,
 * which is over. */
static tacos_status predict_few(CudaStudent *student, const Exam *exam, tacos_error *err) {
    StreamSample samples[CURVE_SAMPLES];
    GpuJob job = {.images = student->shown->scored,
                  .samples = samples,
                  .n = exam->samples->n,
                  .predicts = true,
                  .counts = student->answers};
    for (size_t i = 0; i < job.n; i++)
        samples[i] =
            (StreamSample){exam->samples->image[i], exam->samples->target[i], (uint16_t)exam->task};
    return work(student, &job, err);
}

/* The answers to all tests. */
static tacos_status predict_row(CudaStudent *student, tacos_error *err) {
    GpuJob job = {.images = student->shown->scored,
                  .samples = student->shown->samples,
                  .n = student->shown->n_samples,
                  .predicts = true,
                  .counts = student->answers};
    TRY(work(student, &job, err));
    student_add_tally(&student->learner->predicting, &job.tally);
    student->row = student->session->state.n_rows;
    return TACOS_OK;
}

/* As sample_predict answers. */
static Guess guess(void *self, size_t member, const Sight *sight) {
    CudaStudent *student = self;
    size_t n = student->learner->net.params.n_outputs;
    const uint16_t *answer = student->task_answers + sight->at * n;
    Guess guess = {-1, student->counts};
    uint32_t most = 0;
    (void)member;
    for (size_t o = 0; o < n; o++) {
        student->counts[o] = answer[o];
        if (answer[o] > most) {
            most = answer[o];
            guess.output = (int)o;
        }
    }
    return guess;
}

static tacos_status score_task(void *self, const Exam *exam, Answers *out, tacos_error *err) {
    CudaStudent *student = self;
    const TaskSplit *split = student->session->split;
    Scorer scorer = {.session = student->session, .guess = guess, .self = student};
    student->task_answers = student->answers;
    if (exam->is_peek) {
        TRY(predict_few(student, exam, err));
        return score_samples(&scorer, exam, out, err);
    }
    if (student->row != student->session->state.n_rows)
        TRY(predict_row(student, err));
    for (size_t k = 0; k < exam->task; k++)
        student->task_answers += split->test[k].n * student->learner->net.params.n_outputs;
    return score_samples(&scorer, exam, out, err);
}

/* ---- other functions of a student ---- */

static void look_back(void *self, size_t k) {
    measures_after(((CudaStudent *)self)->measures, k);
}

static tacos_learner_stats stats(const void *self) {
    return tacos_learner_stats_get(((const CudaStudent *)self)->learner);
}

static void finish(void *self, tacos_run *run) {
    const CudaStudent *student = self;
    run->model_digest = tacos_learner_digest(student->learner);
    measures_give(student->measures, run);
}

static tacos_status save(void *self, SavedModel *out, tacos_error *err) {
    return student_save(((CudaStudent *)self)->learner, out, err);
}

/* Writing: note_learned has fetched the network. What is read goes to the device when it is needed
 * there. */
static bool move(void *self, Pack *pack) {
    CudaStudent *student = self;
    if (!pack->writing)
        leave(student);
    return learner_move(student->learner, pack) && measures_move(student->measures, pack);
}

static void close_cuda(void *self) {
    CudaStudent *student = self;
    leave(student);
    measures_free(student->measures);
    tacos_learner_free(student->learner);
    free(student->answers);
    free(student->counts);
    free(student);
}

static tacos_status open_cuda(CudaStudent *student, ShownAll *shown, tacos_error *err) {
    const Session *session = student->session;
    const Params *params = &session->settled->learner;
    TRY(learner_new(&student->learner, params, session->seed, NULL, err));
    TRY(shown_get(shown, session->split, &student->shown, err));
    student->counts = malloc(params->n_outputs * sizeof *student->counts);
    student->answers =
        malloc(student->shown->n_samples * params->n_outputs * sizeof *student->answers + 1);
    if (!student->counts || !student->answers)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    return measures_new(&student->measures, (MeasureWish)session->split->params.measure,
                        session->split, &session->stream, student->learner, err);
}

tacos_status student_cuda(Student *out, Session *session, Batch *batch, ShownAll *shown,
                          tacos_error *err) {
    CudaStudent *student = calloc(1, sizeof *student);
    if (!student)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->session = session;
    student->batch = batch;
    student->row = SIZE_MAX;
    tacos_status status = open_cuda(student, shown, err);
    if (status != TACOS_OK) {
        close_cuda(student);
        return status;
    }
    *out = (Student){student, learn, score_task, look_back, stats, finish, save, move, close_cuda};
    return TACOS_OK;
}
