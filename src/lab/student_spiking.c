/* student_spiking.c - the paper's network as a student: it learns without any task signal. */
#include "lab/measures.h"
#include "lab/student.h"
#include "net/encode.h"
#include "net/snapshot.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct SpikingStudent {
    Session *session;
    Learner *learner;
    size_t n_predictors;
    Predictor **predictors; /* one per thread; the first is the learner's */
    uint8_t *room;          /* [n_predictors] buffers for stream_show */
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

/* ---- score: the samples of a task, shared among threads ---- */

typedef struct Score {
    SpikingStudent *student;
    size_t task;
    const TaskSamples *samples;
    atomic_size_t next, done, right, silent;
    atomic_bool stop;
    tacos_counters *tallies; /* one per thread */
} Score;

/* The output of a task with the most spikes, the lowest on a tie. */
static int strongest_of(const Task *task, const uint32_t *counts) {
    int best = task->outputs[0];
    for (size_t k = 1; k < task->n_classes; k++) {
        int o = task->outputs[k];
        if (counts[o] > counts[best] || (counts[o] == counts[best] && o < best))
            best = o;
    }
    return best;
}

static int answer(const Score *score, size_t member, size_t *silent) {
    const SpikingStudent *student = score->student;
    const Session *session = student->session;
    const Network *net = &student->learner->net;
    Predictor *predictor = student->predictors[member];
    int best = sample_predict(net, predictor, &score->tallies[member]), first = 0;
    if (session->split->params.scenario == SCENARIO_TASK) {
        first = strongest_of(&session->split->tasks.task[score->task], predictor->counts);
        best = predictor->counts[first] > 0 ? first : -1;
    }
    *silent += best < 0;
    return best < 0 && session->split->params.silence == SILENCE_FIRST ? first : best;
}

static void score_samples(Score *score, size_t member, size_t from, size_t to) {
    const SpikingStudent *student = score->student;
    const Session *session = student->session;
    const TaskSamples *samples = score->samples;
    uint8_t *room = student->room + member * stream_room(&session->stream);
    size_t right = 0, silent = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t image = samples->image[i];
        const uint8_t *pixels =
            stream_show(&session->stream, score->task, session->split->scored, image, room);
        show_pixels(&student->learner->net, pixels, RNG_PREDICT, image,
                    &student->predictors[member]->raster);
        right += answer(score, member, &silent) == samples->target[i];
    }
    atomic_fetch_add(&score->silent, silent);
    atomic_fetch_add(&score->right, right);
    atomic_fetch_add(&score->done, to - from);
}

/* The caller's thread reports the progress of all. */
static void score_part(void *user, size_t member, size_t n) {
    enum { CHUNK = 8 };
    Score *score = user;
    Session *session = score->student->session;
    size_t n_samples = score->samples->n, told = 0;
    (void)n;
    while (!atomic_load(&score->stop)) {
        size_t from = atomic_fetch_add(&score->next, CHUNK);
        if (from >= n_samples)
            break;
        score_samples(score, member, from, from + CHUNK < n_samples ? from + CHUNK : n_samples);
        size_t done = atomic_load(&score->done);
        if (member == 0 && !session_report(session, done - told, false))
            atomic_store(&score->stop, true);
        told = done;
    }
    if (member == 0)
        session->unreported += n_samples - told;
}

static void add_tally(tacos_counters *sum, const tacos_counters *tally) {
#define COUNTER(name, operation, text) sum->name += tally->name;
    TACOS_COUNTER_MAP(COUNTER)
#undef COUNTER
}

static tacos_status score_task(void *self, size_t t, Answers *out, tacos_error *err) {
    SpikingStudent *student = self;
    Session *session = student->session;
    Learner *learner = student->learner;
    Score score = {.student = student, .task = t, .samples = &session->split->test[t]};
    score.tallies = calloc(student->n_predictors, sizeof *score.tallies);
    if (!score.tallies)
        return failure(err, TACOS_MEMORY, "no memory to score");
    learner_settle(learner);
    team_do(learner->scratch.team, score_part, &score);
    for (size_t k = 0; k < student->n_predictors; k++)
        add_tally(&learner->predicting, &score.tallies[k]);
    free(score.tallies);
    if (atomic_load(&score.stop) || !session_report(session, 0, true))
        return session_interrupted(err);
    *out = (Answers){.n = score.samples->n,
                     .right = atomic_load(&score.right),
                     .silent = atomic_load(&score.silent)};
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
    char *bytes = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&bytes, &n);
    if (!file)
        return failure(err, TACOS_MEMORY, "no memory to keep what was learned");
    Pack pack = pack_write_file(file);
    tacos_status status = learner_write(((SpikingStudent *)self)->learner, &pack, err);
    if (fclose(file) != 0 && status == TACOS_OK)
        status = failure(err, TACOS_MEMORY, "no memory to keep what was learned");
    if (status == TACOS_OK)
        *out = (SavedModel){(unsigned char *)bytes, n};
    else
        free(bytes);
    return status;
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
    free(student->room);
    measures_free(student->measures);
    tacos_learner_free(student->learner);
    free(student);
}

static tacos_status open_predictors(SpikingStudent *student, tacos_error *err) {
    student->n_predictors = team_size(student->learner->scratch.team);
    student->predictors =
        calloc(student->n_predictors, sizeof(Predictor *)); /* NOLINT(bugprone-sizeof-expression) */
    student->room = malloc(student->n_predictors * stream_room(&student->session->stream));
    if (!student->predictors || !student->room)
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
