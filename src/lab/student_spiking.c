/* student_spiking.c - the paper's network as a student: it learns without any task signal. */
#include "lab/measures.h"
#include "lab/score.h"
#include "net/encode.h"
#include "net/snapshot.h"

#include <stdlib.h>
#include <string.h>

typedef struct SpikingStudent {
    Session *session;
    Learner *learner;
    size_t n_predictors;
    Predictor **predictors;  /* one per thread; the first is the learner's */
    tacos_counters *tallies; /* [n_predictors] */
    uint8_t *room;           /* [n_predictors] buffers for stream_show */
    Measures *measures;
} SpikingStudent;

/* Learn as many samples of the stream as task k has; without blur, exactly those of task k. */
static tacos_status learn(void *self, size_t k, tacos_error *err) {
    SpikingStudent *student = self;
    Session *session = student->session;
    const Stream *stream = &session->stream;
    Learner *learner = student->learner;
    while (session->state.n_learned < stream->end[k]) {
        const StreamSample *sample = &stream->samples[session->state.n_learned];
        const uint8_t *pixels = stream_show(stream, sample->task, &session->split->data->train,
                                            sample->image, student->room);
        show_pixels(&learner->net, pixels, RNG_INPUT, learner->net.n_learned,
                    &learner->scratch.raster);
        learner_learn(learner, sample->target);
        TRY(session_learned(session, err));
        if (!session_report(session, 1, session->state.n_learned == stream->end[k]))
            return session_interrupted(err);
    }
    return TACOS_OK;
}

/* ---- score ---- */

static Guess guess(void *self, size_t member, const Sight *sight) {
    const SpikingStudent *student = self;
    const Network *net = &student->learner->net;
    Predictor *predictor = student->predictors[member];
    show_pixels(net, sight->pixels, RNG_PREDICT, sight->image, &predictor->raster);
    int best = sample_predict(net, predictor, &student->tallies[member]);
    return (Guess){best, predictor->counts};
}

void student_add_tally(tacos_counters *sum, const tacos_counters *tally) {
#define COUNTER(name, operation, text) sum->name += tally->name;
    TACOS_COUNTER_MAP(COUNTER)
#undef COUNTER
}

static tacos_status score_task(void *self, const Exam *exam, Answers *out, tacos_error *err) {
    SpikingStudent *student = self;
    Learner *learner = student->learner;
    Scorer scorer = {student->session, learner->scratch.team, student->room, guess, student};
    memset(student->tallies, 0, student->n_predictors * sizeof *student->tallies);
    learner_settle(learner);
    TRY(score_samples(&scorer, exam, out, err));
    for (size_t k = 0; k < student->n_predictors && !exam->is_peek; k++)
        student_add_tally(&learner->predicting, &student->tallies[k]);
    return TACOS_OK;
}

/* ---- other functions of a student ---- */

static void look_back(void *self, size_t k) {
    measures_after(((SpikingStudent *)self)->measures, k);
}

static tacos_learner_stats stats(const void *self) {
    return tacos_learner_stats_get(((const SpikingStudent *)self)->learner);
}

static void finish(void *self, tacos_run *run) {
    SpikingStudent *student = self;
    run->model_digest = tacos_learner_digest(student->learner);
    measures_give(student->measures, run);
}

static tacos_status save(void *self, SavedModel *out, tacos_error *err) {
    return student_save(((SpikingStudent *)self)->learner, out, err);
}

static bool move(void *self, Pack *pack) {
    SpikingStudent *student = self;
    return learner_move(student->learner, pack) && measures_move(student->measures, pack);
}

static void close_spiking(void *self) {
    SpikingStudent *student = self;
    for (size_t k = 1; student->predictors && k < student->n_predictors; k++)
        predictor_free(student->predictors[k]);
    free(student->predictors);
    free(student->tallies);
    free(student->room);
    measures_free(student->measures);
    tacos_learner_free(student->learner);
    free(student);
}

static tacos_status open_predictors(SpikingStudent *student, tacos_error *err) {
    student->n_predictors = team_size(student->learner->scratch.team);
    student->predictors =
        calloc(student->n_predictors, sizeof(Predictor *)); /* NOLINT(bugprone-sizeof-expression) */
    student->tallies = calloc(student->n_predictors, sizeof *student->tallies);
    student->room = malloc(student->n_predictors * stream_room(&student->session->stream));
    if (!student->predictors || !student->tallies || !student->room)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->predictors[0] = &student->learner->predictor;
    for (size_t k = 1; k < student->n_predictors; k++)
        TRY(predictor_new(&student->predictors[k], &student->learner->net, err));
    return TACOS_OK;
}

static tacos_status open_spiking(SpikingStudent *student, tacos_error *err) {
    const Session *session = student->session;
    TRY(learner_new(&student->learner, &session->settled->learner, session->seed, NULL, err));
    tacos_learner_set_threads(student->learner, session->how->n_threads);
    TRY(open_predictors(student, err));
    return measures_new(&student->measures, (MeasureWish)session->split->params.measure,
                        session->split, &session->stream, student->learner, err);
}

tacos_status student_spiking(Student *out, Session *session, tacos_error *err) {
    SpikingStudent *student = calloc(1, sizeof *student);
    if (!student)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    student->session = session;
    tacos_status status = open_spiking(student, err);
    if (status != TACOS_OK) {
        close_spiking(student);
        return status;
    }
    *out =
        (Student){student, learn, score_task, look_back, stats, finish, save, move, close_spiking};
    return TACOS_OK;
}
