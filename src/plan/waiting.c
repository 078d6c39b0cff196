/* waiting.c - a mark per run, and where to look for the next one. */
#include "plan/waiting.h"

#include <stdlib.h>
#include <string.h>

tacos_status waiting_new(Waiting *out, size_t n, tacos_error *err) {
    *out = (Waiting){.n_runs = n, .n_waiting = n, .n_for_us = n, .makers = malloc(n + 1)};
    if (!out->makers)
        return failure(err, TACOS_MEMORY, "no memory for a plan of %zu runs", n);
    memset(out->makers, BY_ANY, n);
    return TACOS_OK;
}

void waiting_free(Waiting *waiting) {
    free(waiting->makers);
    *waiting = (Waiting){0};
}

bool waiting_first(Waiting *waiting, Maker maker, size_t *run) {
    size_t *at = maker == BY_CLUSTER ? &waiting->for_cluster : &waiting->for_us;
    while (*at < waiting->n_runs && !(waiting->makers[*at] & maker))
        ++*at;
    *run = *at;
    return *at < waiting->n_runs;
}

static void set(Waiting *waiting, size_t run, unsigned makers) {
    unsigned before = waiting->makers[run];
    waiting->n_waiting += (makers != 0) - (size_t)(before != 0);
    waiting->n_for_us += (makers & BY_US) / BY_US - (size_t)((before & BY_US) / BY_US);
    waiting->makers[run] = (unsigned char)makers;
}

void waiting_leave(Waiting *waiting, size_t run, Maker makers) {
    set(waiting, run, makers);
    if (makers & BY_CLUSTER && run < waiting->for_cluster)
        waiting->for_cluster = run;
    if (makers & BY_US && run < waiting->for_us)
        waiting->for_us = run;
}

void waiting_give(Waiting *waiting, size_t run) {
    set(waiting, run, 0);
}
