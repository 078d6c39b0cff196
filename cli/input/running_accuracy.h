/* running_accuracy.h - how often the answer was right, before each sample was learned: of all, and
 * of the last thousand. */
#ifndef CLI_RUNNING_H
#define CLI_RUNNING_H

#include <stdint.h>

enum { RUNNING_WINDOW = 1000 };

typedef struct Running {
    uint64_t n, right;
    uint32_t recent_right;
    uint8_t recent[RUNNING_WINDOW]; /* of sample k: at k modulo its size */
} Running;

void running_add(Running *running, int right);

/* In percent; 0 before the first. */
double running_all(const Running *running);
double running_recent(const Running *running);

#endif
