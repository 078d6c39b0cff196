/* checks.h - every function of a kernel: how to call it on a world, what it may write there, and
 * which of its rare paths a call took. */
#ifndef TESTS_KERNEL_CHECKS_H
#define TESTS_KERNEL_CHECKS_H

#include "world.h"

/* Paths that few synapses take, and that a harness might miss. */
typedef enum Path {
    VISIT_FAR,    /* the change of w is too large for the series */
    VISIT_ACROSS, /* w crosses 0 */
    VISIT_MIXED,  /* both kinds of synapses within one block */
    DECAY_FAR,
    DECAY_ACROSS,
    DECAY_MIXED,
    REST_FAR,
    REST_ACROSS,
    REST_MIXED,
    SLEEP_CEILING, /* m grows no more */
    FIRE_SPIKE,
    FIRE_THRESHOLD, /* a spike just so */
    FIRE_FLOOR,
    FIRE_HELD,
    FEEL_SHUT,    /* the gate */
    DRAW_EQUAL,   /* a number just low enough */
    MATCH_NONE,   /* no units */
    MATCH_TIED,   /* several are best */
    MATCH_BEHIND, /* better ones lie behind the last unit, in its block */
    MATCH_BLIND,  /* a unit of zeros */
    MATCH_LEAST,  /* the best is below 0 */
    MATCH_SIGNED, /* a patch with values below 0, and ... */
    MATCH_PLAIN,  /* ... without */
    MATCH_ODD,    /* an odd number of words, ... */
    MATCH_WIDEST, /* ... one of largest products of one sign */
    SETTLE_FAR,   /* from one end to the other */
    SETTLE_STAY,  /* at an end */
    PATHS
} Path;

extern const char *const path_names[PATHS];

typedef struct Check {
    const char *name;

    /* Returns what the function does, 0 if that is nothing. */
    size_t (*call)(const Kernel *kernel, World *world, const Case *c);

    /* Undo in `end` all that the call may have written; what is left must be as at the start. */
    void (*undo)(World *end, const World *start, const Case *c, size_t result);

    /* Note the rare paths on the way from `start` to `end`; may be NULL. */
    void (*count)(size_t taken[PATHS], const World *start, const World *end, const Case *c);

    /* For timing: so many times KERNEL_LANES synapses, neurons, numbers, units or values a call. */
    size_t (*work)(const Case *c);
} Check;

extern const Check checks[]; /* ended by a name of NULL */

/* Those of columns, in columns.c. */
extern const Check column_checks[];

#endif
