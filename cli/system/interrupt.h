/* interrupt.h - SIGINT, SIGTERM and SIGHUP as a wish to stop, so that work can end tidily. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <sys/types.h>

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

/* Put the handlers back and, if a signal came, raise it again, so that the program ends as it would
 * have and a calling shell knows. */
void interrupt_end(const Interrupt *guard);

#endif
