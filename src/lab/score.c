/* score.c - scores the samples of a task, shared among threads. */
#include "lab/score.h"

#include <stdatomic.h>

typedef struct Score {
    const Scorer *scorer;
    const Exam *exam;
    atomic_size_t next, done, right, silent;
    atomic_bool stop;
} Score;

/* The output of a task that answered most strongly, the lowest on a tie. */
static int strongest_of(const Task *task, const uint32_t *counts) {
    int best = task->outputs[0];
    for (size_t k = 1; k < task->n_classes; k++) {
        int o = task->outputs[k];
        if (counts[o] > counts[best] || (counts[o] == counts[best] && o < best))
            best = o;
    }
    return best;
}

static int answer(const Score *score, Guess guess, size_t *silent) {
    const TaskSplit *split = score->scorer->session->split;
    int best = guess.output, first = 0;
    if (split->params.scenario == SCENARIO_TASK) {
        first = strongest_of(&split->tasks.task[score->exam->task], guess.counts);
        best = guess.counts[first] > 0 ? first : -1;
    }
    *silent += best < 0;
    return best < 0 && split->params.silence == SILENCE_FIRST ? first : best;
}

static void score_chunk(Score *score, size_t member, size_t from, size_t to) {
    const Scorer *scorer = score->scorer;
    const Session *session = scorer->session;
    const TaskSamples *samples = score->exam->samples;
    uint8_t *room = scorer->room ? scorer->room + member * stream_room(&session->stream) : NULL;
    size_t right = 0, silent = 0;
    for (size_t i = from; i < to; i++) {
        Sight sight = {.image = samples->image[i], .at = i};
        if (room)
            sight.pixels = stream_show(&session->stream, score->exam->task, session->split->scored,
                                       sight.image, room);
        Guess guess = scorer->guess(scorer->self, member, &sight);
        int said = answer(score, guess, &silent);
        right += said == samples->target[i];
        if (!score->exam->is_peek)
            confusion_count(&session->state.confusion, session->state.n_rows,
                            session->split->scored->labels[sight.image], said);
    }
    atomic_fetch_add(&score->silent, silent);
    atomic_fetch_add(&score->right, right);
    atomic_fetch_add(&score->done, to - from);
}

/* The caller's thread reports the progress of all. */
static void score_part(void *user, size_t member, size_t n) {
    enum { CHUNK = 8 };
    Score *score = user;
    Session *session = score->scorer->session;
    size_t n_samples = score->exam->samples->n, told = 0;
    bool counts = !score->exam->is_peek;
    (void)n;
    while (!atomic_load(&score->stop)) {
        size_t from = atomic_fetch_add(&score->next, CHUNK);
        if (from >= n_samples)
            break;
        score_chunk(score, member, from, from + CHUNK < n_samples ? from + CHUNK : n_samples);
        size_t done = atomic_load(&score->done);
        if (member == 0 && !session_report(session, counts ? done - told : 0, false))
            atomic_store(&score->stop, true);
        told = done;
    }
    if (member == 0 && counts)
        session->unreported += n_samples - told;
}

tacos_status score_samples(const Scorer *scorer, const Exam *exam, Answers *out, tacos_error *err) {
    Session *session = scorer->session;
    Score score = {.scorer = scorer, .exam = exam};
    team_do(scorer->team, score_part, &score);
    if (atomic_load(&score.stop) || !session_report(session, 0, !exam->is_peek))
        return session_interrupted(err);
    *out = (Answers){.n = exam->samples->n,
                     .right = atomic_load(&score.right),
                     .silent = atomic_load(&score.silent)};
    return TACOS_OK;
}
