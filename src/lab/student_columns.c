/* student_columns.c - columns as a student: they learn without any task signal. */
#include "lab/score.h"
#include "net/snapshot.h"

#include <stdlib.h>

typedef struct ColumnsStudent {
    Session *session;
    Learner *learner;
    size_t n_views;
    ColumnsScratch **views; /* one per thread; the first is the learner's */
    uint8_t *room;          /* [n_views] buffers for stream_show */
} ColumnsStudent;

static tacos_status learn(void *self, size_t k, tacos_error *err) {
    ColumnsStudent *student = self;
    Session *session = student->session;
    const Stream *stream = &session->stream;
    Learner *learner = student->learner;
    while (session->state.n_learned < stream->end[k]) {
        const StreamSample *sample = &stream->samples[session->state.n_learned];
        const uint8_t *pixels = stream_show(stream, sample->task, &session->split->data->train,
                                            sample->image, student->room);
        learner_show_columns(learner, &learner->view, pixels, RNG_INPUT, learner->net.n_learned);
        learner_learn(learner, sample->target);
        TRY(session_learned(session, err));
        if (!session_report(session, 1, session->state.n_learned == stream->end[k]))
            return session_interrupted(err);
    }
    return TACOS_OK;
}

static Guess guess(void *self, size_t member, const Sight *sight) {
    const ColumnsStudent *student = self;
    ColumnsScratch *view = student->views[member];
    learner_show_columns(student->learner, view, sight->pixels, RNG_PREDICT, sight->image);
    return (Guess){columns_predict(&student->learner->columns, view), view->counts};
}

static uint64_t count_macs(const ColumnsStudent *student) {
    uint64_t sum = 0;
    for (size_t k = 0; k < student->n_views; k++)
        sum += student->views[k]->macs;
    return sum;
}

static tacos_status score_task(void *self, const Exam *exam, Answers *out, tacos_error *err) {
    ColumnsStudent *student = self;
    tacos_counters *counters = &student->learner->predicting;
    Scorer scorer = {student->session, student->learner->scratch.team, student->room, guess,
                     student};
    uint64_t before = count_macs(student);
    TRY(score_samples(&scorer, exam, out, err));
    if (exam->is_peek)
        return TACOS_OK;
    counters->samples += out->n;
    counters->macs += count_macs(student) - before;
    return TACOS_OK;
}

static void look_back(void *self, size_t k) {
    (void)self;
    (void)k;
}

static tacos_learner_stats stats(const void *self) {
    return tacos_learner_stats_get(((const ColumnsStudent *)self)->learner);
}

static void finish(void *self, tacos_run *run) {
    run->model_digest = tacos_learner_digest(((ColumnsStudent *)self)->learner);
}

static tacos_status save(void *self, SavedModel *out, tacos_error *err) {
    return student_save(((ColumnsStudent *)self)->learner, out, err);
}

static bool move(void *self, Pack *pack) {
    return learner_move(((ColumnsStudent *)self)->learner, pack);
}

static void close_columns(void *self) {
    ColumnsStudent *student = self;
    for (size_t k = 1; student->views && k < student->n_views; k++)
        columns_scratch_free(student->views[k]);
    free(student->views);
    free(student->room);
    tacos_learner_free(student->learner);
    free(student);
}

static tacos_status open_columns(ColumnsStudent *student, tacos_error *err) {
    const Session *session = student->session;
    TRY(learner_new(&student->learner, &session->settled->learner, session->seed, NULL, err));
    tacos_learner_set_threads(student->learner, session->how->n_threads);
    student->n_views = team_size(student->learner->scratch.team);
    student->views =
        calloc(student->n_views, sizeof(ColumnsScratch *)); /* NOLINT(bugprone-sizeof-expression) */
    student->room = malloc(student->n_views * stream_room(&session->stream));
    if (!student->views || !student->room)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->views[0] = &student->learner->view;
    for (size_t k = 1; k < student->n_views; k++)
        TRY(columns_scratch_new(&student->views[k], &student->learner->columns, err));
    return TACOS_OK;
}

tacos_status student_columns(Student *out, Session *session, tacos_error *err) {
    ColumnsStudent *student = calloc(1, sizeof *student);
    if (!student)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->session = session;
    tacos_status status = open_columns(student, err);
    if (status != TACOS_OK) {
        close_columns(student);
        return status;
    }
    *out =
        (Student){student, learn, score_task, look_back, stats, finish, save, move, close_columns};
    return TACOS_OK;
}
