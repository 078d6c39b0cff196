/* history.h - the last few records of a stream. */
#ifndef STREAM_HISTORY_H
#define STREAM_HISTORY_H

#include "base/pack.h"
#include "base/status.h"

typedef struct History {
    size_t length, n; /* records, numbers of each */
    size_t next;      /* where the next record goes */
    double *values;   /* [length][n], a ring; NaN before there were so many */
    size_t room;
} History;

/* With length 0 nothing is kept. */
tacos_status history_new(History *history, size_t length, size_t n, tacos_error *err);
void history_free(History *history);

void history_clear(History *history);
void history_add(History *history, const double *record);

/* The record that came `age` before the next one, from 1 to length. */
const double *history_record(const History *history, size_t age);

/* Writes or reads the values, `length` records of n numbers; an empty history takes memory only for
 * the bytes that it reads. */
bool history_move(History *history, size_t length, size_t n, Pack *pack);

#endif
