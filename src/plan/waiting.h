/* waiting.h - which runs of a stage wait to be made, and by whom. */
#ifndef PLAN_WAITING_H
#define PLAN_WAITING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum Maker {
    BY_CLUSTER = 1,
    BY_US = 2, /* the threads of this process */
    BY_ANY = BY_CLUSTER | BY_US,
} Maker;

typedef struct Waiting {
    size_t n_runs, n_waiting;
    unsigned char *makers;      /* [n_runs]: a Maker, or 0 if it does not wait */
    size_t for_cluster, for_us; /* nothing before these waits for them */
    size_t n_for_us;            /* that wait for BY_US, or BY_ANY */
} Waiting;

/* Runs 0 to n - 1 wait for any. */
tacos_status waiting_new(Waiting *out, size_t n, tacos_error *err);
void waiting_free(Waiting *waiting);

/* The first run that may be made by `maker`; false if there is none. */
bool waiting_first(Waiting *waiting, Maker maker, size_t *run);

/* Let it be made by these only; it may have been given before, and come back. */
void waiting_leave(Waiting *waiting, size_t run, Maker makers);

/* It has been given to someone. */
void waiting_give(Waiting *waiting, size_t run);

#endif
