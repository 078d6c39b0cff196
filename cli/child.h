/* child.h - run another program without a shell, and stop it when we are told to stop. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <signal.h>

typedef enum ChildResult {
    CHILD_OK,
    CHILD_ABSENT, /* there is no such program on PATH */
    CHILD_FAILED, /* it could not be started, or did not end with 0, or we were interrupted */
} ChildResult;

/* Run argv[0] (ended by NULL, looked for on PATH) in `folder` and wait for its end. What it prints
 * goes to stderr, because stdout is for our data; it has nothing to read. */
ChildResult child_run(const char *const *argv, const char *folder);

/* While a guard is on, SIGINT, SIGTERM and SIGHUP end the running child instead of us, so that
 * temporary files can be removed; child_interrupted then tells the signal (0: none came). One guard
 * at a time. */
enum { CHILD_GUARD_SIGNALS = 3 };
typedef struct ChildGuard {
    struct sigaction before[CHILD_GUARD_SIGNALS];
} ChildGuard;

void child_guard_begin(ChildGuard *guard);
int child_interrupted(void);
/* Put the handlers back and, if a signal came, raise it again: it is then handled as it would have
 * been. */
void child_guard_end(const ChildGuard *guard);

#endif
