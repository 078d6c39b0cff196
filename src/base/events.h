/* events.h - who spikes when: a list for every step. */
#ifndef BASE_EVENTS_H
#define BASE_EVENTS_H

#include <stddef.h>
#include <stdint.h>

enum { EVENTS_LANES = 16 }; /* neurons to a word of a mask */

static inline size_t events_words(size_t n) {
    return (n + EVENTS_LANES - 1) / EVENTS_LANES;
}

/* At step t the neurons row[at[t]] to row[at[t + 1] - 1] spike, in ascending order. */
typedef struct Events {
    size_t n_steps;
    size_t *at;    /* [n_steps + 1] */
    uint32_t *row; /* [n_steps * as many as there are neurons, and a word more] */
} Events;

#endif
