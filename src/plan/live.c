/* live.c - the rows of runs at hand. A row is written once, before it is counted under the lock, so
 * that a reader needs the lock only for the counts. */
#include "plan/live.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Live {
    pthread_mutex_t lock;
    size_t n;
    tacos_live_run runs[TACOS_LIVE_MAX];
    double *numbers[TACOS_LIVE_MAX]; /* b, then R */
};

Live *live_new(void) {
    Live *live = calloc(1, sizeof *live);
    if (live)
        (void)pthread_mutex_init(&live->lock, NULL);
    return live;
}

void live_free(Live *live) {
    if (!live)
        return;
    for (size_t i = 0; i < live->n; i++)
        free(live->numbers[i]);
    (void)pthread_mutex_destroy(&live->lock);
    free(live);
}

/* The place of a seed, which may be new; TACOS_LIVE_MAX if there is none. */
static size_t place_of(Live *live, uint32_t seed, size_t n_tasks) {
    for (size_t i = 0; i < live->n; i++)
        if (live->runs[i].seed == seed)
            return i;
    size_t i = live->n;
    if (i == TACOS_LIVE_MAX)
        return i;
    live->numbers[i] = calloc(n_tasks * (n_tasks + 1), sizeof *live->numbers[i]);
    if (!live->numbers[i])
        return TACOS_LIVE_MAX;
    live->runs[i] = (tacos_live_run){
        .seed = seed, .n_tasks = n_tasks, .b = live->numbers[i], .R = live->numbers[i] + n_tasks};
    live->n++;
    return i;
}

void live_note(Live *live, uint32_t seed, size_t n_tasks, size_t n_rows, const double *b,
               const double *R) {
    pthread_mutex_lock(&live->lock);
    size_t i = place_of(live, seed, n_tasks);
    if (i < TACOS_LIVE_MAX && n_rows > live->runs[i].n_rows) {
        size_t from = live->runs[i].n_rows;
        if (from == 0)
            memcpy(live->numbers[i], b, n_tasks * sizeof *b);
        from = from > 0 ? from - 1 : 0;
        memcpy(live->numbers[i] + (from + 1) * n_tasks, R + from * n_tasks,
               (n_rows - 1 - from) * n_tasks * sizeof *R);
        live->runs[i].n_rows = n_rows;
    }
    pthread_mutex_unlock(&live->lock);
}

size_t live_view(Live *live, tacos_live_run out[TACOS_LIVE_MAX]) {
    pthread_mutex_lock(&live->lock);
    size_t n = live->n;
    memcpy(out, live->runs, n * sizeof *out);
    pthread_mutex_unlock(&live->lock);
    return n;
}
