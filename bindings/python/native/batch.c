/* batch.c - many rows in one call: the GIL is released, and Ctrl-C interrupts it. */
#include "native.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* How often signals are checked: responsive, yet cheap. */
#define SLICE_S 0.05

static double now_s(void) {
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Process rows from *i until time is up or one fails; *i is then the next row, or the failed one.
 */
static tacos_status run_slice(batch_step *step, void *job, size_t n, size_t *i, tacos_error *err) {
    double end = now_s() + SLICE_S;
    for (; *i < n; ++*i) {
        tacos_status status = step(job, *i, err);
        if (status != TACOS_OK)
            return status;
        if (now_s() > end) {
            ++*i;
            break;
        }
    }
    return TACOS_OK;
}

/* "row 7: ..." */
static void name_row(tacos_error *err, size_t i) {
    char text[sizeof err->text];
    int n = snprintf(text, sizeof text, "row %zu: ", i);
    size_t used = n > 0 ? (size_t)n : 0, length = strlen(err->text);
    if (used + length >= sizeof text)
        length = sizeof text - used - 1;
    memcpy(text + used, err->text, length);
    text[used + length] = '\0';
    memcpy(err->text, text, sizeof text);
}

bool batch_run(batch_step *step, void *job, size_t n) {
    for (size_t i = 0; i < n;) {
        tacos_error err;
        tacos_status status;
        PyThreadState *thread = PyEval_SaveThread();
        status = run_slice(step, job, n, &i, &err);
        PyEval_RestoreThread(thread);
        if (status != TACOS_OK) {
            if (n > 1)
                name_row(&err, i);
            (void)raise_error(&err);
            return false;
        }
        if (i < n && PyErr_CheckSignals() < 0)
            return false;
    }
    return true;
}
