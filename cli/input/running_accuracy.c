/* running_accuracy.c - a ring of the last answers. */
#include "input/running_accuracy.h"

void running_add(Running *running, int right) {
    uint8_t *place = &running->recent[running->n % RUNNING_WINDOW];
    running->recent_right -= *place;
    *place = right != 0;
    running->recent_right += *place;
    running->right += *place;
    running->n++;
}

static double percent(uint64_t part, uint64_t of) {
    return of > 0 ? 100.0 * (double)part / (double)of : 0;
}

double running_all(const Running *running) {
    return percent(running->right, running->n);
}

double running_recent(const Running *running) {
    return percent(running->recent_right,
                   running->n < RUNNING_WINDOW ? running->n : RUNNING_WINDOW);
}
