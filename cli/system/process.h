/* process.h - stopping tidily on SIGINT, SIGTERM and SIGHUP; running other programs. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <signal.h>
#include <sys/types.h>

/* ---- signals ---- */

enum { INTERRUPT_SIGNALS = 3 };

typedef struct Interrupt {
    struct sigaction before[INTERRUPT_SIGNALS];
} Interrupt;

/* From now on a first signal is only noted; a second one of its kind ends the program at once. What
 * was ignored (nohup, background jobs) stays ignored. One guard at a time. */
void interrupt_begin(Interrupt *guard);

/* The signal that came, or 0. */
int interrupt_signal(void);

/* A child to pass the signal on to; 0 for none. */
void interrupt_child(pid_t child);

/* Put the handlers back and, if a signal came, let the other processes go (cluster.h) and raise it
 * again, so that the program ends as it would have and a calling shell knows. */
void interrupt_end(const Interrupt *guard);

/* ---- child processes ---- */

typedef enum ChildResult {
    CHILD_OK,
    CHILD_ABSENT, /* not found on PATH */
    CHILD_FAILED, /* it could not be started, or did not end with 0, or we were interrupted */
} ChildResult;

/* Run argv[0] (ended by NULL, looked for on PATH) in `folder` and wait for its end. What it prints
 * goes to stderr, because stdout is for our data; it has nothing to read. */
ChildResult child_run(const char *const *argv, const char *folder);

/* The same here, with files that it reads from and writes to as its standard streams. */
ChildResult child_filter(const char *const *argv, int in, int out);

#endif
