/* message.c - an outcome as bytes: the struct, a count, and the arrays that it points to. */
#include "mpi/message.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *put(unsigned char *at, const void *from, size_t n) {
    memcpy(at, from, n);
    return at + n;
}

static const unsigned char *get(const unsigned char *at, void *to, size_t n) {
    memcpy(to, at, n);
    return at + n;
}

size_t outcome_pack(unsigned char bytes[REPORT_SIZE], const Outcome *outcome, uint64_t samples) {
    unsigned char *at = put(bytes, outcome, sizeof *outcome);
    at = put(at, &samples, sizeof samples);
    if (outcome->status == TACOS_OK) {
        const tacos_run *run = &outcome->run;
        size_t n = run->n_tasks;
        assert(n <= TASKS_MAX);
        at = put(at, run->R, n * n * sizeof *run->R);
        at = put(at, run->b, n * sizeof *run->b);
        at = put(at, run->after, n * sizeof *run->after);
        assert(run->n_measures <= MEASURES_MAX + CURVE_MEASURES_MAX);
        if (run->n_measures > 0)
            at = put(at, run->measures, run->n_measures * sizeof *run->measures);
        assert(run->n_answers <= ANSWERS_MAX);
        if (run->n_answers > 0)
            at = put(at, run->answers, run->n_answers * sizeof *run->answers);
    }
    return (size_t)(at - bytes);
}

void outcome_unpack(const unsigned char *bytes, Outcome *outcome, uint64_t *samples) {
    const unsigned char *at = get(bytes, outcome, sizeof *outcome);
    at = get(at, samples, sizeof *samples);
    tacos_run *run = &outcome->run;
    outcome->model.bytes = NULL;
    if (outcome->status != TACOS_OK) {
        *run = (tacos_run){0};
        return;
    }
    size_t n = run->n_tasks;
    assert(n <= TASKS_MAX);
    double *R = malloc(n * n * sizeof *R), *b = malloc(n * sizeof *b);
    tacos_metrics *after = malloc(n * sizeof *after);
    run->R = R;
    run->b = b;
    run->after = after;
    tacos_measure *measures = malloc(run->n_measures * sizeof *measures + 1);
    run->measures = measures;
    tacos_answer_count *answers = malloc(run->n_answers * sizeof *answers + 1);
    run->answers = answers;
    if (!R || !b || !after || !measures || !answers) {
        run_free(run);
        outcome->status = failure(&outcome->err, TACOS_MEMORY, "no memory for a run's results");
        return;
    }
    at = get(at, R, n * n * sizeof *R);
    at = get(at, b, n * sizeof *b);
    at = get(at, after, n * sizeof *after);
    at = get(at, measures, run->n_measures * sizeof *measures);
    (void)get(at, answers, run->n_answers * sizeof *answers);
}
