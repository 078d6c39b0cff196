/* protocol.c - the paper's protocol: the parts of a stream one after another, all tasks scored
 * before the first and after each. */
#include "lab/protocol.h"

#include "lab/clock.h"
#include "lab/metrics.h"
#include "lab/model.h"
#include "lab/student.h"

#include <stdlib.h>

static const double REPORT_EVERY_SECONDS = 0.05;

bool session_report(Session *session, uint64_t n, bool last) {
    double now = clock_seconds();
    session->unreported += n;
    if (!last && now - session->last_report < REPORT_EVERY_SECONDS)
        return true;
    n = session->unreported;
    session->unreported = 0;
    session->last_report = now;
    const ProtocolOptions *how = session->how;
    return !how->progress || how->progress(how->user, n) == 0;
}

tacos_status session_interrupted(tacos_error *err) {
    return failure(err, TACOS_INTERRUPTED, "interrupted");
}

typedef struct RunArrays {
    double *R, *b;
    tacos_metrics *after;
    size_t *bytes_held;
} RunArrays;

static tacos_status score_all(const Student *student, size_t n_tasks, double *percents,
                              double *seconds, tacos_error *err) {
    double start = clock_seconds();
    for (size_t t = 0; t < n_tasks; t++)
        TRY(student->score(student->self, t, &percents[t], err));
    *seconds += clock_seconds() - start;
    return TACOS_OK;
}

static tacos_status run_stream(const Student *student, RunArrays *arrays, tacos_run *run,
                               tacos_error *err) {
    size_t n = run->n_tasks;
    TRY(score_all(student, n, arrays->b, &run->test_seconds, err));
    for (size_t k = 0; k < n; k++) {
        double start = clock_seconds();
        TRY(student->learn(student->self, k, err));
        run->train_seconds += clock_seconds() - start;
        TRY(score_all(student, n, arrays->R + k * n, &run->test_seconds, err));
        student->look_back(student->self, k);
        arrays->bytes_held[k] = student->stats(student->self).model_bytes;
    }
    for (size_t k = 0; k < n; k++)
        arrays->after[k] = metrics_after(arrays->R, arrays->b, n, k);
    run->stats = student->stats(student->self);
    run->memory_overhead =
        metrics_memory_overhead(arrays->bytes_held, n, run->stats.baseline_bytes);
    student->finish(student->self, run);
    return TACOS_OK;
}

/* ---- one seed ---- */

static tacos_status run_session(Session *session, RunArrays *arrays, tacos_run *run,
                                tacos_error *err) {
    Student student;
    bool rival = model_is_rival(session->settled->model);
    TRY(rival ? student_rival(&student, session, err) : student_spiking(&student, session, err));
    tacos_status status = run_stream(&student, arrays, run, err);
    if (status == TACOS_OK && session->how->model && student.save)
        status = student.save(student.self, session->how->model, err);
    student.close(student.self);
    return status;
}

tacos_status protocol_run(tacos_run *out, const Stage *stage, const Experiment *settled,
                          uint32_t seed, const ProtocolOptions *how, tacos_error *err) {
    size_t n = stage->tasks.n;
    Session session = {.stage = stage, .settled = settled, .seed = seed, .how = how};
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
        status = stream_open(&session.stream, stage, seed, err);
    if (status == TACOS_OK)
        status = run_session(&session, &arrays, &run, err);
    run.R = arrays.R;
    run.b = arrays.b;
    run.after = arrays.after;
    free(arrays.bytes_held);
    stream_close(&session.stream);
    if (status == TACOS_OK)
        *out = run;
    else
        run_free(&run);
    return status;
}
