/* protocol.c - the paper's protocol: no task signal reaches the learner while it learns. */
#include "lab/protocol.h"

#include "lab/clock.h"
#include "lab/measures.h"
#include "lab/metrics.h"
#include "lab/show.h"
#include "lab/stream.h"
#include "net/learner.h"

#include <stdatomic.h>
#include <stdlib.h>

static const double REPORT_EVERY_SECONDS = 0.05;

/* ---- one seed ---- */

typedef struct Session {
    const Stage *stage;
    const Params *params;
    Stream stream;
    Learner *learner;
    size_t n_gazes;
    Gaze **gazes;  /* one a thread; the first is the learner's own */
    uint8_t *room; /* [n_gazes][pixels]: images, rearranged */
    Measures *measures;
    ProtocolProgress *progress;
    void *user;
    uint64_t unreported; /* samples */
    double last_report;  /* when */
} Session;

/* n more samples are done. False if the run should stop. */
static bool report(Session *session, uint64_t n, bool last) {
    double now = clock_seconds();
    session->unreported += n;
    if (!last && now - session->last_report < REPORT_EVERY_SECONDS)
        return true;
    n = session->unreported;
    session->unreported = 0;
    session->last_report = now;
    return !session->progress || session->progress(session->user, n) == 0;
}

static tacos_status interrupted(tacos_error *err) {
    return failure(err, TACOS_INTERRUPTED, "interrupted");
}

/* The next of the stream: as many samples as task k has, and without blur just those. */
static tacos_status learn_part(Session *session, size_t k, tacos_error *err) {
    const Stream *stream = &session->stream;
    Learner *learner = session->learner;
    for (size_t i = k > 0 ? stream->end[k - 1] : 0; i < stream->end[k]; i++) {
        const StreamSample *sample = &stream->samples[i];
        const uint8_t *pixels = stream_show(stream, sample->task, &session->stage->data->train,
                                            sample->image, session->room);
        show_pixels(&learner->net, pixels, RNG_INPUT, learner->net.n_learned,
                    &learner->scratch.raster);
        learner_learn(learner, sample->target);
        if (!report(session, 1, i + 1 == stream->end[k]))
            return interrupted(err);
    }
    return TACOS_OK;
}

/* ---- score: the samples of a task, shared among threads ---- */

typedef struct Score {
    Session *session;
    size_t task;
    const TaskSamples *samples;
    atomic_size_t next, done, right;
    atomic_bool stop;
    tacos_counters *tallies; /* one a thread */
} Score;

/* The output with the most spikes among those of a task, the lowest on a tie; -1 if all are silent.
 */
static int strongest_of(const Task *task, const uint32_t *counts) {
    int best = -1;
    uint32_t most = 0;
    for (size_t k = 0; k < task->n_classes; k++) {
        int o = task->outputs[k];
        if (counts[o] > most || (counts[o] == most && o < best)) {
            most = counts[o];
            best = o;
        }
    }
    return best;
}

static int answer(const Score *score, size_t member) {
    const Session *session = score->session;
    Gaze *gaze = session->gazes[member];
    int best = sample_predict(&session->learner->net, gaze, &score->tallies[member]);
    if (session->stage->own.scenario == SCENARIO_TASK)
        best = strongest_of(&session->stage->tasks.task[score->task], gaze->counts);
    return best;
}

static void score_samples(Score *score, size_t member, size_t from, size_t to) {
    const Session *session = score->session;
    const TaskSamples *samples = score->samples;
    uint8_t *room = session->room + member * session->stream.n_pixels;
    size_t right = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t image = samples->image[i];
        const uint8_t *pixels =
            stream_show(&session->stream, score->task, session->stage->scored, image, room);
        show_pixels(&session->learner->net, pixels, RNG_PREDICT, image,
                    &session->gazes[member]->raster);
        right += answer(score, member) == samples->target[i];
    }
    atomic_fetch_add(&score->right, right);
    atomic_fetch_add(&score->done, to - from);
}

/* The caller's own thread tells of everybody's progress. */
static void score_part(void *user, size_t member, size_t n) {
    enum { CHUNK = 8 };
    Score *score = user;
    size_t n_samples = score->samples->n, told = 0;
    (void)n;
    while (!atomic_load(&score->stop)) {
        size_t from = atomic_fetch_add(&score->next, CHUNK);
        if (from >= n_samples)
            break;
        score_samples(score, member, from, from + CHUNK < n_samples ? from + CHUNK : n_samples);
        size_t done = atomic_load(&score->done);
        if (member == 0 && !report(score->session, done - told, false))
            atomic_store(&score->stop, true);
        told = done;
    }
    if (member == 0)
        score->session->unreported += n_samples - told;
}

static void add_tally(tacos_counters *sum, const tacos_counters *tally) {
    sum->samples += tally->samples;
    sum->input_spikes += tally->input_spikes;
    sum->hidden_spikes += tally->hidden_spikes;
    sum->output_spikes += tally->output_spikes;
    sum->synaptic_events += tally->synaptic_events;
}

static tacos_status score_task(Session *session, size_t t, double *percent, tacos_error *err) {
    Learner *learner = session->learner;
    Score score = {.session = session, .task = t, .samples = &session->stage->test[t]};
    score.tallies = calloc(session->n_gazes, sizeof *score.tallies);
    if (!score.tallies)
        return failure(err, TACOS_MEMORY, "no memory to score");
    learner_settle(learner);
    team_do(learner->scratch.team, score_part, &score);
    for (size_t k = 0; k < session->n_gazes; k++)
        add_tally(&learner->predicting, &score.tallies[k]);
    free(score.tallies);
    if (atomic_load(&score.stop) || !report(session, 0, true))
        return interrupted(err);
    *percent = 100.0 * (double)atomic_load(&score.right) / (double)score.samples->n;
    return TACOS_OK;
}

static tacos_status score_all(Session *session, double *percents, double *seconds,
                              tacos_error *err) {
    double start = clock_seconds();
    for (size_t t = 0; t < session->stage->tasks.n; t++)
        TRY(score_task(session, t, &percents[t], err));
    *seconds += clock_seconds() - start;
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
        double start = clock_seconds();
        TRY(learn_part(session, k, err));
        run->train_seconds += clock_seconds() - start;
        TRY(score_all(session, arrays->R + k * n, &run->test_seconds, err));
        measures_after(session->measures, k);
        arrays->bytes_held[k] = learner_stats(session->learner).model_bytes;
    }
    for (size_t k = 0; k < n; k++)
        arrays->after[k] = metrics_after(arrays->R, arrays->b, n, k);
    run->stats = learner_stats(session->learner);
    run->model_digest = learner_digest(session->learner);
    run->memory_overhead =
        metrics_memory_overhead(arrays->bytes_held, n, run->stats.baseline_bytes);
    measures_give(session->measures, run);
    return TACOS_OK;
}

static void session_close(Session *session) {
    for (size_t k = 1; session->gazes && k < session->n_gazes; k++)
        gaze_free(session->gazes[k]);
    free(session->gazes);
    free(session->room);
    measures_free(session->measures);
    learner_free(session->learner);
    stream_close(&session->stream);
}

static tacos_status open_gazes(Session *session, tacos_error *err) {
    session->n_gazes = team_size(session->learner->scratch.team);
    session->gazes =
        calloc(session->n_gazes, sizeof(Gaze *)); /* NOLINT(bugprone-sizeof-expression) */
    session->room = malloc(session->n_gazes * session->stream.n_pixels);
    if (!session->gazes || !session->room)
        return failure(err, TACOS_MEMORY, "no memory for a run");
    session->gazes[0] = &session->learner->gaze;
    for (size_t k = 1; k < session->n_gazes; k++)
        TRY(gaze_new(&session->gazes[k], &session->learner->net, err));
    return TACOS_OK;
}

static tacos_status session_open(Session *session, uint32_t seed, size_t n_threads,
                                 tacos_error *err) {
    TRY(learner_new(&session->learner, session->params, seed, NULL, err));
    learner_set_threads(session->learner, n_threads);
    tacos_status status = stream_open(&session->stream, session->stage, seed, err);
    if (status == TACOS_OK)
        status = open_gazes(session, err);
    if (status == TACOS_OK)
        status = measures_new(&session->measures, (MeasureWish)session->stage->own.measure,
                              session->stage, session->learner, err);
    if (status != TACOS_OK)
        session_close(session);
    return status;
}

tacos_status protocol_run(tacos_run *out, const Stage *stage, const Params *params, uint32_t seed,
                          size_t n_threads, ProtocolProgress *progress, void *user,
                          tacos_error *err) {
    size_t n = stage->tasks.n;
    Session session = {.stage = stage, .params = params, .progress = progress, .user = user};
    TRY(session_open(&session, seed, n_threads, err));
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
    session_close(&session);
    if (status == TACOS_OK)
        *out = run;
    else
        run_free(&run);
    return status;
}
